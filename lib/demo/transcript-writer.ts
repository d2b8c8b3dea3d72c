import type { Random } from './random'

/** Tokens of a text as the demo's pretended providers count it: near what real ones report for English and code. */
export function demoTokens(text: string): number {
  return Math.ceil(text.length / 3.6)
}

/** Extra tokens per message that providers add for roles and framing. */
const MESSAGE_TOKENS = 8

export type TranscriptLine = { readonly [key: string]: unknown }

type Held = {
  readonly id: string
  readonly tokens: number
  readonly startsTurn: boolean
  readonly isResult: boolean
}

/** Appends the lines of a transcript and knows at each moment what is in the context, in tokens. */
export class TranscriptWriter {
  readonly #random: Random
  readonly #lines: string[] = []
  readonly #ids = new Set<string>()
  #leaf: string | null = null
  #held: Held[] = []
  #bytes = 0
  #contextTokens = 0
  #writtenAt: number
  now: number

  constructor(random: Random, startedAt: number) {
    this.#random = random
    this.now = startedAt
    this.#writtenAt = startedAt
  }

  get text(): string {
    return `${this.#lines.join('\n')}\n`
  }

  /** Time of the last line, in milliseconds since the epoch. */
  get writtenAt(): number {
    return this.#writtenAt
  }

  get leaf(): string | null {
    return this.#leaf
  }

  /** Characters written so far, about. */
  get size(): number {
    return this.#bytes
  }

  /** Tokens of the conversation in the context. */
  get contextTokens(): number {
    return this.#contextTokens
  }

  /** As runtimes make them: eight digits, and others when an entry has these already. */
  #newId(): string {
    let id = this.#random.hex(8)
    while (this.#ids.has(id)) id = this.#random.hex(8)
    this.#ids.add(id)
    return id
  }

  raw(line: string): void {
    this.#lines.push(line)
    this.#bytes += line.length
  }

  header(sessionId: string, cwd: string): void {
    this.raw(JSON.stringify({ type: 'session', version: 3, id: sessionId, timestamp: this.#time(), cwd }))
  }

  /** Appends an entry below the leaf and answers its id. */
  entry(type: string, fields: TranscriptLine): string {
    const id = this.#newId()
    this.raw(JSON.stringify({ type, id, parentId: this.#leaf, timestamp: this.#time(), ...fields }))
    this.#leaf = id
    return id
  }

  /** Appends a message. `tokens` is what it weighs in the context from now on; 0 when no model ever sees it. */
  message(message: TranscriptLine, tokens: number): string {
    const id = this.entry('message', { message: { ...message, timestamp: this.now } })
    const { role } = message
    const weight = tokens === 0 ? 0 : tokens + MESSAGE_TOKENS
    this.#contextTokens += weight
    this.#held.push({ id, tokens: weight, startsTurn: role === 'user', isResult: role === 'toolResult' })
    return id
  }

  /** Writes a compaction that keeps about `keepTokens` of the newest messages. */
  compact(summary: string, keepTokens: number, tokensBefore: number): void {
    let kept = 0
    let cut = this.#held.length
    while (cut > 1 && kept < keepTokens) kept += this.#held[--cut]?.tokens ?? 0
    // A result without its call means nothing to a model.
    while (this.#held[cut]?.isResult) cut--
    const rest = this.#held.slice(cut)
    const id = this.entry('compaction', {
      summary,
      firstKeptEntryId: rest[0]?.id,
      tokensBefore,
      details: { readFiles: ['src/tides.ts'], modifiedFiles: ['src/berths.ts'] },
    })
    const weight = demoTokens(summary) + 40 + MESSAGE_TOKENS
    this.#held = [{ id, tokens: weight, startsTurn: false, isResult: false }, ...rest]
    this.#contextTokens = sumTokens(this.#held)
  }

  /** Goes back to just before the newest user message, as an operator does who asks for another answer. */
  rewind(): void {
    const at = this.#held.findLastIndex((item) => item.startsTurn)
    const before = this.#held[at - 1]
    if (!before) return
    this.#held = this.#held.slice(0, at)
    this.#contextTokens = sumTokens(this.#held)
    this.#leaf = before.id
  }

  #time(): string {
    this.#writtenAt = this.now
    return new Date(this.now).toISOString()
  }
}

function sumTokens(held: readonly Held[]): number {
  return held.reduce((sum, item) => sum + item.tokens, 0)
}
