import type { EntryFact } from '../../core/transcript/entry'
import type { WeighEntry } from '../../core/transcript/reading/read-content'
import { readLine } from '../../core/transcript/reading/read-line'

/** Usage as transcripts write it; absent parts are zero. */
export type UsageLine = {
  input?: number
  output?: number
  cacheRead?: number
  cacheWrite?: number
  cost?: number
}

type Line = { [key: string]: unknown }

const START = Date.UTC(2026, 10, 1, 8)

/**
 * Writes transcript lines as pi and OpenClaw do: each entry gets an id (`e1`, `e2` …), the previous one as its
 * parent, and a time one second later. Every method returns the id of its entry; `over` replaces any field.
 */
export class TranscriptBuilder {
  readonly lines: string[] = []
  private last: string | null = null
  private count = 0

  constructor(header: Line = {}) {
    this.raw(
      JSON.stringify({ type: 'session', version: 3, id: 's1', timestamp: this.time(), cwd: '/w', ...header }),
    )
  }

  raw(line: string): this {
    this.lines.push(line)
    return this
  }

  entry(type: string, fields: Line = {}): string {
    this.count += 1
    const line = { type, id: `e${this.count}`, parentId: this.last, timestamp: this.time(), ...fields }
    this.lines.push(JSON.stringify(line))
    this.last = line.id
    return line.id
  }

  message(message: Line, over: Line = {}): string {
    return this.entry('message', { message, ...over })
  }

  user(text: string, over: Line = {}): string {
    return this.message({ role: 'user', content: [{ type: 'text', text }] }, over)
  }

  assistant(
    text: string,
    options: {
      usage?: UsageLine
      calls?: string[]
      stop?: string
      model?: string
      fields?: Line
      over?: Line
    } = {},
  ): string {
    const { usage, calls = [], stop, model = 'claude-sonnet-4-5', fields = {}, over = {} } = options
    const content: Line[] = text === '' ? [] : [{ type: 'text', text }]
    for (const id of calls) content.push({ type: 'toolCall', id, name: 'exec', arguments: { command: 'ls' } })
    const message = {
      role: 'assistant',
      content,
      provider: 'anthropic',
      model,
      stopReason: stop ?? (calls.length > 0 ? 'toolUse' : 'stop'),
      ...(usage === undefined ? {} : { usage: usageOf(usage) }),
      ...fields,
    }
    return this.message(message, over)
  }

  result(call: string, text: string, over: Line = {}): string {
    return this.message(
      {
        role: 'toolResult',
        toolCallId: call,
        toolName: 'exec',
        content: [{ type: 'text', text }],
        isError: false,
      },
      over,
    )
  }

  compaction(summary: string, firstKeptEntryId: string, over: Line = {}): string {
    return this.entry('compaction', { summary, firstKeptEntryId, tokensBefore: 1000, ...over })
  }

  text(): string {
    return `${this.lines.join('\n')}\n`
  }

  facts(): EntryFact[] {
    return factsOf(this.text())
  }

  private time(): string {
    return new Date(START + this.count * 1000).toISOString()
  }
}

/** The facts of a transcript's text, blank lines left out, with true offsets. */
export function factsOf(text: string, weigh?: WeighEntry): EntryFact[] {
  const facts: EntryFact[] = []
  let offset = 0
  text.split('\n').forEach((line, i) => {
    const bytes = Buffer.byteLength(line)
    if (line.trim() !== '')
      facts.push(
        readLine(line, { seq: facts.length, line: i + 1, offset, bytes }, undefined, { weigh, marks: true })
          .fact,
      )
    offset += bytes + 1
  })
  return facts
}

function usageOf(usage: UsageLine): Line {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0, cost = 0 } = usage
  return { input, output, cacheRead, cacheWrite, cost: { total: cost } }
}
