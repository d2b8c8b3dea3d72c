import { flat, LINE_LIMITS } from '../summary/digest-prose'
import { isDecision, isRule, sentencesOf } from '../summary/sentences'
import { estimateUnits } from '../tokens/estimate'
import { DIGEST_LINES, type NEED_KINDS, type ReplayDigestLines } from './replay-session'
import { HoldingText } from './spans/held-spans'

type LineKind = (typeof DIGEST_LINES)[number]

/** Lines of one session that are kept; what comes after so many is passed over. */
const MOST_LINES = 4_000

type Line = { readonly kind: LineKind; readonly chunk: number; readonly text: string }

/**
 * The sentences that a digest takes over word for word, as they came: what the user asks, the rules that the user sets,
 * what was decided. What of a session's spans each of them holds is looked up in the text itself
 * (lib/docs/replay.md#held).
 */
export class DigestLines {
  readonly #lines: Line[] = []
  #hasGoal = false

  /** A message of the user came in as one chunk. */
  noteUser(text: string, chunk: number): void {
    if (text.trim() === '') return
    if (!this.#hasGoal) this.#add('goal', chunk, flat(text, LINE_LIMITS.goal))
    this.#hasGoal = true
    this.#add('newest', chunk, flat(text, LINE_LIMITS.newestAsk))
    this.#add('ask', chunk, flat(text, LINE_LIMITS.olderAsk))
    for (const sentence of sentencesOf(text)) if (isRule(sentence)) this.#add('rule', chunk, sentence.text)
  }

  /** The model said something in a chunk. */
  noteProse(text: string, chunk: number): void {
    for (const sentence of sentencesOf(text))
      if (isDecision(sentence)) this.#add('decision', chunk, sentence.text)
  }

  #add(kind: LineKind, chunk: number, text: string): void {
    if (this.#lines.length < MOST_LINES) this.#lines.push({ kind, chunk, text })
  }

  /**
   * @param spansOf the spans of a chunk, by their final numbers, that needs are of
   * @param isOnlyName whether a path's last part is that path's alone
   */
  finish(
    cwd: string | null,
    slope: number,
    spansOf: (
      chunk: number,
    ) => readonly { number: number; text: string; kind: (typeof NEED_KINDS)[number] }[],
    isOnlyName: (name: string) => boolean,
  ): ReplayDigestLines {
    const count = this.#lines.length
    const offset = new Int32Array(count + 1)
    const span: number[] = []
    for (const [i, { chunk, text }] of this.#lines.entries()) {
      const spans = spansOf(chunk)
      const holding = spans.length === 0 ? null : new HoldingText(text, cwd)
      for (const one of spans) if (holding?.holds(one, isOnlyName) === true) span.push(one.number)
      offset[i + 1] = span.length
    }
    return {
      count,
      kind: Uint8Array.from(this.#lines, ({ kind }) => DIGEST_LINES.indexOf(kind)),
      chunk: Int32Array.from(this.#lines, ({ chunk }) => chunk),
      tokens: Int32Array.from(this.#lines, ({ text }) =>
        Math.max(1, Math.round(slope * estimateUnits(text)) + LINE_END),
      ),
      offset,
      span: Int32Array.from(span),
    }
  }
}

/** The mark of a list before a line, and its end. Tokens. */
const LINE_END = 2
