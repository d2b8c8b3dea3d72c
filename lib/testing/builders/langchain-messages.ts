/** A message of a class as LangChain's are: what it says it is, and what it was made of. */
class MadeMessage {
  readonly [name: string]: unknown
  constructor(fields: object) {
    Object.assign(this, fields)
  }
}

/** The class of messages that say they are of this type. */
function classOf(type: string) {
  return class extends MadeMessage {
    getType(): string {
      return type
    }
  }
}

export const HumanMessage = classOf('human')
export const AiMessage = classOf('ai')
export const ToolMessage = classOf('tool')
export const SystemMessage = classOf('system')
