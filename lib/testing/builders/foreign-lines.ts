type Line = { readonly [key: string]: unknown }

const START = Date.UTC(2026, 10, 1, 8)

/** Usage as Anthropic's API names it. Tokens. */
type ClaudeUsage = {
  readonly input?: number
  readonly read?: number
  readonly write?: number
  readonly output?: number
}

/** Writes transcript lines as Claude Code does: `u1`, `u2` …, each under the line before it, a second apart. */
export class ClaudeCodeBuilder {
  readonly lines: string[] = []
  private last: string | null = null
  private readonly version: string

  constructor(version = '2.1.330') {
    this.version = version
  }

  line(type: string, fields: Line): string {
    const uuid = `u${this.lines.length + 1}`
    const timestamp = new Date(START + this.lines.length * 1000).toISOString()
    const place = {
      parentUuid: this.last,
      isSidechain: false,
      sessionId: 's1',
      version: this.version,
      cwd: '/w',
    }
    this.lines.push(JSON.stringify({ ...place, type, uuid, timestamp, ...fields }))
    if (fields.isSidechain !== true) this.last = uuid
    return uuid
  }

  /** A line without a place in the tree. */
  aside(type: string, fields: Line = {}): void {
    this.lines.push(JSON.stringify({ type, sessionId: 's1', ...fields }))
  }

  user(content: unknown, over: Line = {}): string {
    return this.line('user', { message: { role: 'user', content }, ...over })
  }

  result(id: string, content: string, over: Line = {}): string {
    return this.user([{ type: 'tool_result', tool_use_id: id, content }], over)
  }

  /** One line of the response `id`, with one block. */
  answer(id: string, block: Line, usage: ClaudeUsage = {}, over: Line = {}): string {
    const message = {
      id,
      role: 'assistant',
      model: 'claude-opus-5-5',
      content: [block],
      stop_reason: null,
      usage: {
        input_tokens: usage.input ?? 0,
        cache_read_input_tokens: usage.read ?? 0,
        cache_creation_input_tokens: usage.write ?? 0,
        output_tokens: usage.output ?? 1,
      },
    }
    return this.line('assistant', { message, ...over })
  }

  text(): string {
    return `${this.lines.join('\n')}\n`
  }
}

/** Writes rollout lines as Codex does, a second apart. */
export class CodexBuilder {
  readonly lines: string[] = []
  private billed = 0

  constructor() {
    this.line('session_meta', {
      id: 'c1',
      cwd: '/w',
      cli_version: '0.169.0',
      model_provider: 'openai',
      base_instructions: { text: 'You are a coding agent. '.repeat(40) },
    })
    this.line('turn_context', { model: 'gpt-5.5', cwd: '/w' })
  }

  line(type: string, payload: Line): void {
    const timestamp = new Date(START + this.lines.length * 1000).toISOString()
    this.lines.push(JSON.stringify({ timestamp, type, payload }))
  }

  item(payload: Line): void {
    this.line('response_item', payload)
  }

  user(...texts: string[]): void {
    this.item({ type: 'message', role: 'user', content: texts.map((text) => ({ type: 'input_text', text })) })
  }

  says(text: string): void {
    this.item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] })
  }

  calls(id: string, name = 'shell'): void {
    this.item({ type: 'function_call', name, arguments: '{"command":"ls"}', call_id: id })
  }

  result(id: string, output: string): void {
    this.item({ type: 'function_call_output', call_id: id, output })
  }

  /** A report on usage. @param fresh false: the same as the last one once more */
  count(input: number, cached: number, output: number, fresh = true): void {
    if (fresh) this.billed += input + output
    this.line('event_msg', {
      type: 'token_count',
      info: {
        total_token_usage: { total_tokens: this.billed },
        last_token_usage: { input_tokens: input, cached_input_tokens: cached, output_tokens: output },
        model_context_window: 258_400,
      },
    })
  }

  text(): string {
    return `${this.lines.join('\n')}\n`
  }
}
