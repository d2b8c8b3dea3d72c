/** A message of a class as LangChain's are: what it says it is, and what it was made of. */
class MadeMessage {
  readonly [name: string]: unknown
  constructor(fields: object) {
    Object.assign(this, fields)
  }
}

export class HumanMessage extends MadeMessage {
  getType() {
    return 'human'
  }
}

export class AiMessage extends MadeMessage {
  getType() {
    return 'ai'
  }
}

export class ToolMessage extends MadeMessage {
  getType() {
    return 'tool'
  }
}

export class SystemMessage extends MadeMessage {
  getType() {
    return 'system'
  }
}
