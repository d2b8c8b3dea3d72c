import type { BelievedWindow, Window } from '../budget/window'
import type { Tokens } from '../units/units'
import type { Figure } from './figure'
import type { Frame } from './frame'

/** One answered call of one model, as its provider reported it and as we count it. */
export type CountedCall = {
  /** The prompt as the provider reported it, in tokens. */
  readonly reported: number
  /** What was sent by our own count; null where nothing speaks against the report. */
  readonly sent: Figure | null
  /** The usage is that of the call before, and nothing was asked in between: a copy says nothing. */
  readonly copied: boolean
}

/** What successive calls of one model say about the size that its provider cuts prompts to. Plain JSON. */
export type CutState = {
  /** The size that was reported last, or, once proved, the size that prompts are cut to. Tokens. */
  readonly size: number
  /** Calls in a row that reported it. */
  readonly calls: number
  /** What was sent with the first of them: by our count, where something spoke against the report. Tokens. */
  readonly firstSent: number
  readonly isProved: boolean
}

/**
 * So many calls in a row report the same size before it counts as a limit; of round sizes, which limits have, fewer.
 */
const CALLS = 3
const ROUND_CALLS = 2
const ROUND = 1_024
/** No context is as small as this; reports below it are of something else. Tokens. */
const LEAST_SIZE = 512
/** What was sent exceeds the report by more than this share of it, beside the error band of the count. */
const EXCESS = 0.1
/** What was sent has grown by more than this share of the report since the first of the calls. */
const GROWTH = 0.02

/**
 * Takes in one more call. A provider with a limit (Ollama's `num_ctx`) drops the beginning of a prompt and reports what
 * is left: the same size call after call, while what is sent grows. A retried request reports the same size as well,
 * but nothing has grown.
 */
export function noteCall(
  before: CutState | null,
  call: CountedCall,
): { readonly state: CutState; readonly isCut: boolean } {
  const { reported, copied } = call
  const sent = call.sent?.value ?? null
  if (before === null || reported !== before.size) {
    // A smaller prompt went through whole; a larger one shows that the limit is gone.
    if (before?.isProved && reported < before.size) return { state: before, isCut: false }
    return { state: { size: reported, calls: 1, firstSent: sent ?? reported, isProved: false }, isCut: false }
  }
  const calls = before.calls + (copied ? 0 : 1)
  const isProved = before.isProved || (!copied && isLimit(call, calls, before.firstSent))
  const state = { ...before, calls, isProved }
  return { state, isCut: isProved && sent !== null && sent > reported }
}

function isLimit({ reported, sent }: CountedCall, calls: number, firstSent: number): boolean {
  if (sent === null || sent.value === null || reported < LEAST_SIZE) return false
  if (calls < (reported % ROUND === 0 ? ROUND_CALLS : CALLS)) return false
  const band = sent.basis === 'estimated' ? (sent.value * sent.errorPct) / 100 : 0
  return sent.value - band > reported * (1 + EXCESS) && sent.value - firstSent > reported * GROWTH
}

/**
 * Frames with the calls marked that were cut before it could be known: those that lead up to one that is known to be
 * cut, with the same report and more sent.
 */
export function markCuts(frames: readonly Frame[]): readonly Frame[] {
  const sizes = new Map<string, number>()
  let marked: Frame[] | null = null
  for (let i = frames.length - 1; i >= 0; i--) {
    const frame = frames[i] as Frame
    const model = `${frame.provider ?? ''}/${frame.model ?? ''}`
    if (frame.seenTokens !== null) {
      sizes.set(model, frame.seenTokens)
      continue
    }
    const size = sizes.get(model)
    if (size === undefined || frame.total.basis !== 'measured') continue
    if (frame.total.value !== size) {
      sizes.delete(model)
      continue
    }
    if (frame.sent === null || frame.sent.value === null || frame.sent.value <= size) continue
    marked ??= [...frames]
    marked[i] = asCut(frame, frame.sent, size)
  }
  return marked ?? frames
}

/**
 * For how many of a context's first entries it is unknown whether a cut prompt still held them: all but the last ones
 * that fit what was seen.
 * @param tokens of the entries, in order
 */
export function unsureEntries(tokens: readonly number[], seenTokens: Tokens): number {
  let held = 0
  for (let i = tokens.length - 1; i >= 0; i--) {
    held += tokens[i] ?? 0
    if (held > seenTokens) return i + 1
  }
  return 0
}

/** The window of a call before it was known to be cut is the one that its runtime reckons with. */
function believedOf(window: Window): BelievedWindow {
  const { tokens, source, believed } = window
  if (believed !== undefined) return believed
  return { tokens, source: source === 'cut' || source === 'observed' ? 'default' : source }
}

/** The frame of a call of which the provider saw only so many tokens: what was sent is what we count. */
function asCut(frame: Frame, sent: Figure, seenTokens: Tokens): Frame {
  const { total, categories } = frame
  const scale = sent.value === null || !total.value ? 1 : sent.value / total.value
  return {
    ...frame,
    window: { tokens: seenTokens, source: 'cut', believed: believedOf(frame.window) },
    total: sent,
    categories: Object.fromEntries(
      Object.entries(categories).map(([category, tokens]) => [category, Math.round(tokens * scale)]),
    ),
    sent: null,
    seenTokens,
  }
}
