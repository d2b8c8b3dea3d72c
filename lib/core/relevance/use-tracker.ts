import type { Tokens } from '../units/units'
import type { UseSignals } from './score'
import { spansOf } from './spans'

/** So many of the newest outputs say what the model is at. */
const RECENT_OUTPUTS = 3
/** A span that more than this share of the chunks hold is no sign that one of them was used. */
const COMMON_SHARE = 0.3
/** In short sessions a span is not common because a few chunks have it. */
const COMMON_LEAST = 3

/**
 * Follows which chunks of a session the model draws on: a chunk is used by a call whose output holds a span of it. Fed
 * in the order of the session: what a call wrote, then the chunk that the call and its results make.
 */
export class UseTracker {
  private readonly holders = new Map<string, number[]>()
  private readonly chunks: {
    readonly born: number
    readonly tokens: Tokens
    lastUse: number
    uses: number
  }[] = []
  private readonly outputs: { readonly text: string; readonly spans: readonly string[] }[] = []
  private calls = 0

  /** Adds a chunk and returns its number, from 0. */
  addChunk(text: string, tokens: Tokens): number {
    const number = this.chunks.length
    this.chunks.push({ born: this.calls, tokens, lastUse: this.calls, uses: 0 })
    for (const { text: span } of spansOf(text)) {
      const holders = this.holders.get(span)
      if (holders === undefined) this.holders.set(span, [number])
      else holders.push(number)
    }
    return number
  }

  /** A call of the model, by what it wrote: its text and the arguments of its tool calls. */
  addOutput(text: string): void {
    this.calls += 1
    const spans = spansOf(text).map((span) => span.text)
    this.outputs.push({ text, spans })
    if (this.outputs.length > RECENT_OUTPUTS) this.outputs.shift()
    const used = new Set(spans.flatMap((span) => this.tellingHolders(span)))
    for (const number of used) {
      const chunk = this.chunks[number]
      if (chunk === undefined) continue
      chunk.lastUse = this.calls
      chunk.uses += 1
    }
  }

  /** What the model wrote last, to compare chunks with. */
  get recentOutput(): string {
    return this.outputs.map(({ text }) => text).join('\n')
  }

  /** @param outputSimilarity likeness of each chunk to `recentOutput`, 0 … 1, in the order of the chunks */
  signals(outputSimilarity: ArrayLike<number>): UseSignals[] {
    const spans = new Set(this.outputs.flatMap((output) => output.spans))
    const shared = new Uint32Array(this.chunks.length)
    for (const span of spans)
      for (const number of this.holders.get(span) ?? []) shared[number] = (shared[number] ?? 0) + 1
    return this.chunks.map(({ born, tokens, lastUse, uses }, number) => ({
      callsSinceBorn: this.calls - born,
      callsSinceUse: this.calls - lastUse,
      uses,
      tokens,
      outputSimilarity: outputSimilarity[number] ?? 0,
      spanOverlap: spans.size === 0 ? 0 : (shared[number] ?? 0) / spans.size,
    }))
  }

  private tellingHolders(span: string): readonly number[] {
    const holders = this.holders.get(span) ?? []
    return holders.length > Math.max(COMMON_LEAST, this.chunks.length * COMMON_SHARE) ? [] : holders
  }
}
