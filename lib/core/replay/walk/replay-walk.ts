import { DEFAULT_WINDOW } from '../../budget/window'
import type { DropRule } from '../drop-rules'
import { dropRule } from '../drop-rules'
import { CHUNK_FLAGS, NEVER, type ReplaySession } from '../replay-session'
import type { CallPrices } from './call-prices'
import { digestHolds, type SpanList } from './digest-holds'
import { KIND, type SessionShape } from './session-shape'
import { chunkSpans } from './span-facts'

/** What of a chunk is left where it was: all, nothing, the locator of what it was, or its words in a summary. */
export const FORM = { whole: 0, gone: 1, stub: 2, summarised: 3 } as const

/** What is in the place of a part that leaves. */
export type HeldBy =
  /** What our digest would hold of it (`walk/digest-holds.ts`). */
  | 'digest'
  /** Nothing: the lower bound of every summary. */
  | 'empty'

/** How the request for a summary is paid: none is made, with the prompt that is cached, or with another one. */
export type ReplayedRequest = 'none' | 'warm' | 'cold'

const NEVER_CAME = dropRule('kept')

/** Chunks of one session with room for the largest one so far; reused from replay to replay. */
type Scratch = {
  readonly current: Float64Array
  readonly leftAt: Int32Array
  readonly form: Uint8Array
  readonly rule: Uint8Array
  readonly host: Int32Array
}

/**
 * A session on its way through a policy. It knows what of each chunk is in the prompt, from which call on, and why.
 * Policies change it by `leave`, `shrink` and `summarise`; nothing that left comes back but by a miss (`readmit`).
 * All sizes in tokens as the provider counts.
 */
export class ReplayWalk {
  shape!: SessionShape
  session!: ReplaySession
  prices!: CallPrices
  /** The call that is about to be made. */
  call = 0
  /** How many chunks have come in, and how many of them were in the prompt before. */
  end = 0
  sentEnd = 0
  /** Tokens of the conversation, without what is before it. */
  live = 0
  /** Milliseconds since the epoch; NaN: not known. */
  now = Number.NaN
  /** The first chunk whose place in the prompt changed since the call before; `NEVER`. */
  changedFrom = NEVER
  compactions = 0
  /** Tokens that summaries asked a model for, with the cached prompt, with another one, and those written. */
  summaryWarm = 0
  summaryCold = 0
  summaryWritten = 0
  /** Everything before this chunk is in a summary, and this many tokens of it. */
  summarisedTo = 0
  summaryTokens = 0

  /** What the runtime put there by itself after a compaction comes in as well: only where that compaction is made. */
  hasReread = false

  /** The policy has its lines in the window that the runtime believes in, not in the one that a provider proved. */
  believesRuntime = false

  private scratch: Scratch = scratchOf(0)
  /** By span: the generation of summaries that holds it. */
  private held = new Int32Array(0)
  private generation = 0
  private gathered = new Int32Array(0)
  private stamps = new Int32Array(0)
  private stamp = 0
  /** Tokens of all chunks before `markAt`, kept up so that a prefix is found by a short walk. */
  private markAt = 0
  private markTokens = 0
  private count = 0
  private touched = 0
  /** Results of at least so many tokens are named in the summary, with what brings them back. */
  private locatedFrom = NEVER

  begin(shape: SessionShape, prices: CallPrices): void {
    this.prices = prices
    const { session } = shape
    this.shape = shape
    this.session = session
    const { count } = session.chunks
    if (this.scratch.current.length < count) this.scratch = scratchOf(count)
    const { current, leftAt, form, rule, host } = this.scratch
    current.fill(0, 0, count)
    leftAt.fill(NEVER, 0, count)
    form.fill(FORM.whole, 0, count)
    rule.fill(0, 0, count)
    host.fill(-1, 0, count)
    if (this.held.length < session.spans.count) {
      this.held = new Int32Array(session.spans.count)
      this.generation = 0
    }
    // Generations are never used twice, so that nothing needs to be cleared.
    this.generation += 1
    this.count = count
    this.call = this.touched = this.end = this.sentEnd = this.live = this.compactions = 0
    this.summaryWarm = this.summaryCold = this.summaryWritten = this.summarisedTo = this.summaryTokens = 0
    this.markAt = this.markTokens = 0
    this.hasReread = this.believesRuntime = false
    this.changedFrom = this.locatedFrom = NEVER
  }

  /** Lets the chunks of the next call come in. */
  arrive(call: number): void {
    const { chunks, calls } = this.session
    const { current } = this.scratch
    this.call = call
    this.now = calls.at[call] as number
    this.sentEnd = this.end
    this.end = this.shape.bornEnd[call] as number
    this.changedFrom = NEVER
    for (let c = this.sentEnd; c < this.end; c++) {
      const tokens = chunks.tokens[c] as number
      current[c] = tokens
      this.live += tokens
      // Providers refuse a result without its call: one that comes late is not sent.
      const asked = this.shape.callOf[c] as number
      if (!this.hasReread && ((chunks.flags[c] as number) & CHUNK_FLAGS.reread) !== 0)
        this.change(c, 0, FORM.gone, NEVER_CAME)
      else if (isGone(this.scratch, asked, c)) this.change(c, 0, FORM.gone, this.ruleOf(asked))
    }
  }

  /** Whether the prompt is what it is with everything kept. */
  get hasAll(): boolean {
    return this.touched === 0 && !this.hasReread
  }

  /** Tokens of the prompt as it is now. */
  get prompt(): number {
    return this.session.fixed + this.live
  }

  /** The window of the call that is about to be made, as the policy reckons with it. */
  get window(): number {
    const { window, believed } = this.session.calls
    const own = this.believesRuntime ? (believed[this.call] as number) : -1
    const tokens = own > 0 ? own : (window[this.call] as number)
    return tokens > 0 ? tokens : DEFAULT_WINDOW
  }

  /** Whether the whole of a chunk is still where it came in. */
  isWhole(chunk: number): boolean {
    return this.scratch.form[chunk] === FORM.whole
  }

  /** By chunk: what of it is left, as in `FORM`. Only for looking at. */
  get forms(): Uint8Array {
    return this.scratch.form
  }

  formOf(chunk: number): number {
    return this.scratch.form[chunk] as number
  }

  ruleOf(chunk: number): number {
    return this.scratch.rule[chunk] as number
  }

  leftAt(chunk: number): number {
    return this.scratch.leftAt[chunk] as number
  }

  /** Tokens that a chunk takes now: its own, those of what is in its place, and of what came back behind it. */
  tokensNow(chunk: number): number {
    return this.scratch.current[chunk] as number
  }

  /**
   * Takes a chunk out. @param stub tokens of a marker in its place, so that its call stays answered; null: there is
   * none
   */
  leave(chunk: number, rule: DropRule, stub: number | null = null): void {
    this.change(chunk, stub ?? 0, stub === null ? FORM.gone : FORM.stub, dropRule(rule))
  }

  /**
   * Takes out whole entries from a chunk on, up to one that may be inside of an entry, and the results right behind whose
   * calls are gone then. Answers the first chunk that stays.
   */
  leaveEntries(from: number, to: number, rule: DropRule): number {
    const { placeOf, firstChunk, callOf } = this.shape
    let end = to >= this.end ? this.end : (firstChunk[placeOf[to] as number] as number)
    for (let c = from; c < end; c++) this.leave(c, rule)
    for (; end > from && end < this.end && isGone(this.scratch, callOf[end] as number, end); end++)
      this.leave(end, rule)
    return Math.max(from, end)
  }

  /** Leaves only so many tokens of a chunk, which is no source for anything from then on. */
  change(chunk: number, tokens: number, form: number, rule: number): void {
    const { current, leftAt, rule: rules, form: forms } = this.scratch
    const delta = tokens - (current[chunk] as number)
    current[chunk] = tokens
    this.live += delta
    if (chunk < this.markAt) this.markTokens += delta
    if (chunk < this.sentEnd && chunk < this.changedFrom) this.changedFrom = chunk
    forms[chunk] = form
    this.touched = 1
    if (leftAt[chunk] !== NEVER) return
    leftAt[chunk] = this.call
    rules[chunk] = rule
  }

  /**
   * Puts a summary in the place of all that is before a chunk, save for what `stays` says. An earlier summary is in it.
   * @param tokens that it takes; spans that it holds are worked out for a digest
   */
  summarise(to: number, tokens: number, options: ReplayedSummary): void {
    const { kind, request, rule = 'cut', stays } = options
    const number = dropRule(rule)
    const { current, form } = this.scratch
    const before = this.prompt
    let first = -1
    for (let c = 0; c < to; c++) {
      if (stays?.(c) === true && form[c] === FORM.whole) continue
      if (first < 0) first = c
      if (form[c] !== FORM.summarised || (current[c] as number) !== 0)
        this.change(c, 0, FORM.summarised, number)
    }
    if (first < 0) return
    this.change(first, tokens, FORM.summarised, number)
    this.compactions += 1
    this.summarisedTo = to
    this.summaryTokens = tokens
    this.generation += 1
    this.locatedFrom = NEVER
    if (kind === 'digest')
      this.locatedFrom = digestHolds(
        this.shape,
        { to, call: this.call, tokens, among: null },
        this.held,
        this.generation,
      )
    if (request === 'none') return
    if (request === 'warm') this.summaryWarm += before
    else this.summaryCold += Math.max(0, before - this.prompt + tokens)
    this.summaryWritten += tokens
  }

  /** Adds a summary of chunks that were cleared at the head of the prompt, beside those that are there. */
  addSummary(tokens: number, request: ReplayedRequest, cleared: readonly number[]): void {
    const { current } = this.scratch
    current[0] = (current[0] as number) + tokens
    this.live += tokens
    if (this.markAt > 0) this.markTokens += tokens
    this.changedFrom = 0
    this.touched = 1
    const among = this.spansOf(cleared)
    digestHolds(this.shape, { to: this.end, call: this.call, tokens, among }, this.held, this.generation)
    if (request === 'none') return
    for (const chunk of cleared) this.summaryCold += this.session.chunks.tokens[chunk] as number
    this.summaryWritten += tokens
  }

  /** The spans of some chunks, each once. */
  private spansOf(chunks: readonly number[]): SpanList {
    const { offset, span } = chunkSpans(this.shape)
    const { count: most } = this.session.spans
    if (this.gathered.length < most)
      [this.gathered, this.stamps] = [new Int32Array(most), new Int32Array(most)]
    this.stamp += 1
    let count = 0
    for (const chunk of chunks)
      for (let i = offset[chunk] as number; i < (offset[chunk + 1] as number); i++) {
        const s = span[i] as number
        if (this.stamps[s] === this.stamp) continue
        this.stamps[s] = this.stamp
        this.gathered[count++] = s
      }
    return { spans: this.gathered, count }
  }

  /** Spans that a recorded summary holds. */
  hold(spans: readonly number[]): void {
    for (const span of spans) this.held[span] = this.generation
  }

  isHeld(span: number): boolean {
    return this.held[span] === this.generation
  }

  /** Brings back what was missed, at the end of the prompt; it leaves with the newest thing that tools left there. */
  readmit(chunk: number): void {
    const { current, host, form } = this.scratch
    const { chunks } = this.session
    let at = -1
    for (let c = this.end - 1; c >= 0 && (at < 0 || c > this.end - LOOK_BACK); c--) {
      if (form[c] !== FORM.whole) continue
      if (at < 0) at = c
      if (chunks.kind[c] !== KIND.result) continue
      at = c
      break
    }
    if (at < 0) return
    const tokens = chunks.tokens[chunk] as number
    current[at] = (current[at] as number) + tokens
    this.live += tokens
    if (at < this.markAt) this.markTokens += tokens
    host[chunk] = at
  }

  /** Whether the words of a chunk are in the prompt, where they came in or come back. */
  isVisible(chunk: number): boolean {
    const { form, host } = this.scratch
    if (form[chunk] === FORM.whole) return true
    const at = host[chunk] as number
    return at >= 0 && form[at] === FORM.whole
  }

  /** Whether the prompt says where a chunk can be had again: in its call, its stub, a summary, or by naming its file. */
  isLocated(chunk: number, locator: boolean): boolean {
    const file = this.session.chunks.file[chunk] as number
    if (file >= 0 && (this.isHeld(file) || this.isNamed(file))) return true
    if (!locator) return false
    const form = this.scratch.form[chunk]
    if (form === FORM.stub) return true
    const call = this.shape.callOf[chunk] as number
    if (call >= 0 && call !== chunk && this.isVisible(call)) return true
    return form === FORM.summarised && (this.shape.resultTokens[chunk] as number) >= this.locatedFrom
  }

  /** Whether a call about a file, or any other chunk that names it, is in the prompt. */
  private isNamed(file: number): boolean {
    const calls = this.shape.callsOfFile.get(file) ?? []
    for (let i = calls.length - 1; i >= 0; i--) {
      const chunk = calls[i] as number
      if (chunk < this.end && this.isVisible(chunk)) return true
    }
    const { offset, holder } = this.session.spans
    for (let i = (offset[file + 1] as number) - 1; i >= (offset[file] as number); i--) {
      const chunk = holder[i] as number
      if (chunk < this.end && this.isVisible(chunk)) return true
    }
    return false
  }

  /** Tokens of the prompt before a chunk. */
  prefix(chunk: number): number {
    const { current } = this.scratch
    const to = Math.min(chunk, this.count)
    let { markAt, markTokens } = this
    while (markAt < to) markTokens += current[markAt++] as number
    while (markAt > to) markTokens -= current[--markAt] as number
    this.markAt = markAt
    this.markTokens = markTokens
    return this.session.fixed + markTokens
  }
}

export type ReplayedSummary = {
  readonly kind: HeldBy
  readonly request: ReplayedRequest
  readonly rule?: DropRule
  /** What stays whole though it is before the cut. */
  readonly stays?: (chunk: number) => boolean
}

/** So far back a result is looked for that what comes back is put behind. */
const LOOK_BACK = 40

/** Whether the call of a result is there no more. */
function isGone({ form }: Scratch, call: number, result: number): boolean {
  return call >= 0 && call !== result && form[call] !== FORM.whole && form[call] !== FORM.stub
}

function scratchOf(count: number): Scratch {
  return {
    current: new Float64Array(count),
    leftAt: new Int32Array(count),
    form: new Uint8Array(count),
    rule: new Uint8Array(count),
    host: new Int32Array(count),
  }
}
