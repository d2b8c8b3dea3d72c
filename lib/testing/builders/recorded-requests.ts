import { createHash } from 'node:crypto'

type Message = { readonly role: string; readonly content: unknown; readonly [field: string]: unknown }

/** A transcript of Claude Code that records its requests, as its client writes one. */
export class RecordedRequests {
  readonly lines: Record<string, unknown>[] = []
  private readonly shape = { system: [{ type: 'text', text: 'You sail.' }], tools: [{ name: 'Bash' }] }
  private requests = 0
  private last: string | null = null

  constructor() {
    this.lines.push({ type: 'mode', mode: 'normal', sessionId: 's' })
    this.lines.push({ type: 'api-request-shape', shapeHash: hashOfValue(this.shape), shape: this.shape })
  }

  user(content: unknown): Message {
    const message = { role: 'user', content }
    this.line('user', message)
    return message
  }

  /** Each block is a line, as the client writes answers. */
  assistant(id: string, ...content: unknown[]): Message {
    const usage = { input_tokens: 900, output_tokens: 5 }
    for (const block of content) {
      this.line('assistant', { id, role: 'assistant', model: 'claude-opus-5-5', content: [block], usage })
    }
    return { role: 'assistant', content }
  }

  blob(message: Message): Message {
    this.lines.push({ type: 'api-request-blob', hash: hashOfMessage(message), message })
    return message
  }

  /** Records a request for messages. @param fields what it says otherwise */
  request(messages: readonly Message[], fields: Record<string, unknown> = {}): string {
    const id = `request-${++this.requests}`
    this.lines.push({
      type: 'api-request',
      id,
      querySource: 'sdk',
      shapeHash: hashOfValue(this.shape),
      params: { model: 'claude-opus-5-5' },
      keep: 0,
      tail: messages.map(hashOfMessage),
      cacheControl: [{ path: ['messages', 0, 'content', 0], value: { type: 'ephemeral' } }],
      ...fields,
    })
    return id
  }

  text(): string {
    return this.lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  }

  private line(type: string, message: object): void {
    const uuid = `u${this.lines.length}`
    const at = { timestamp: '2026-11-22T16:40:20.439Z', version: '2.1.330', cwd: '/w' }
    this.lines.push({ type, uuid, parentUuid: this.last, sessionId: 's', ...at, message })
    this.last = uuid
  }
}

/** The hash of a message by the rules of the client, apart from the code that is tested. */
export function hashOfMessage({ content, ...rest }: Message): string {
  return hashOfValue({
    ...rest,
    content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  })
}

export function hashOfValue(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value, inOrder)).digest('hex')
}

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const fields = Object.entries(value).filter(([key]) => key !== 'cache_control')
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)))
}
