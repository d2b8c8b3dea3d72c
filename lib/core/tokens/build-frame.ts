import type { WindowHints, WindowProof } from '../budget/window'
import { windowFor } from '../budget/window'
import type { EntryFact, FixedUnits } from '../transcript/entry'
import type { Sender } from '../transcript/send-rules'
import type { SystemPromptReport } from '../transcript/session-index'
import type { Tokens } from '../units/units'
import { type Calibration, errorOf, type Growth, predictGrowth } from './calibration'
import { CATEGORIES, type Category, type CategoryTokens, ENTRY_PLACES, type EntryCategory } from './category'
import { type ContextSums, shareOf, sumsToTokens, unitsBetween } from './context-sums'
import { type Basis, estimated, type Figure, measured, UNKNOWN } from './figure'
import { fixedTotals } from './fixed'
import type { Frame } from './frame'
import type { OwnPrices } from './own-prices'
import { FIXED_PRIOR } from './priors'
import { promptTokens, reportedOutput, reportedPrompt } from './usage'

/** The last call of the same segment and model whose prompt size a provider reported. */
export type Anchor = {
  readonly seq: number
  readonly provider: string | null
  readonly model: string | null
  /** Prompt tokens of that call, and what its answer takes when it is sent again (null: not reported). */
  readonly total: number
  readonly output: number | null
  /** What the context held at that call. */
  readonly sums: ContextSums
  readonly answer: EntryFact
}

/** What is known about a session when a frame of it is made. */
export type FrameSetup = {
  readonly runtime: Sender
  readonly hints: WindowHints
  /** Sizes of the part before the conversation: as the runtime reported them, or of its texts in the transcript. */
  readonly report: SystemPromptReport | FixedUnits | null
  /** The operator's own prices, for sums of money; absent: those of the list alone. */
  readonly prices?: OwnPrices
}

/** The state of a context just before a call. */
export type PromptState = {
  readonly sums: ContextSums
  readonly anchor: Anchor | null
  /** Tokens beside the conversation (system prompt, tools …), inferred at the last anchored call; null before one. */
  readonly overhead: number | null
}

/** Half width of the band, in percent, around a total without any report. */
const BLIND_ERROR_PCT = 30
/** The same when an earlier call of the session said how large the part beside the conversation is. */
const LEVEL_ERROR_PCT = 10
/** How far off an answer may be whose reasoning was reported in round figures. Tokens. */
const ROUNDING = 32
/** A report of a failed call is of the whole prompt when it is not smaller than this share of what was expected. */
const WHOLE_SHARE = 0.9

/**
 * Expected size of the next prompt. Anchored: the last reported prompt, its reported answer and an estimate of the
 * little that came after. Else by level: the inferred or reported fixed part plus the whole conversation.
 */
export function predictTotal(state: PromptState, calibration: Calibration, setup: FrameSetup): Figure {
  const { anchor } = state
  if (anchor !== null) {
    const growth = growthSince(anchor, state.sums)
    if (growth.newMessages <= 1 && isNothing(growth) && anchor.output !== null) {
      const total = anchor.total + anchor.output
      const isExact = anchor.output === reportedOutput(anchor.answer)
      return isExact ? measured(total) : about(total, (ROUNDING / total) * 100)
    }
    const predicted = predictGrowth(calibration, growth)
    const total = Math.max(0, anchor.total + predicted.tokens - growth.dropped)
    const errorTokens = (Math.abs(predicted.tokens) * predicted.errorPct) / 100
    return about(total, total > 0 ? (errorTokens / total) * 100 : 0)
  }
  const conversation = sumsToTokens(state.sums, calibration).total
  if (state.overhead !== null) return about(state.overhead + conversation, LEVEL_ERROR_PCT)
  if (setup.report !== null) {
    const fixed = fixedTotals(setup.report, calibration).total
    return about(fixed + conversation, LEVEL_ERROR_PCT + errorOf(calibration))
  }
  return about(FIXED_PRIOR[setup.runtime] + conversation, BLIND_ERROR_PCT)
}

/**
 * What a prompt holds by our own count, without faith in the last report: that may be of a prompt that was cut. By the
 * whole conversation where that is clearly more than report and growth make.
 */
export function countPrompt(state: PromptState, calibration: Calibration, setup: FrameSetup): Figure {
  const whole = predictTotal({ ...state, anchor: null }, calibration, setup)
  if (state.anchor === null) return whole
  const anchored = predictTotal(state, calibration, setup)
  const least = whole.basis === 'estimated' ? whole.value * (1 - whole.errorPct / 100) : 0
  return least > (anchored.value ?? 0) ? whole : anchored
}

/** An estimate in whole tokens with its band in tenths of a percent. */
function about(tokens: Tokens, errorPct: number): Figure {
  return estimated(Math.round(tokens), inTenths(errorPct))
}

/** A band is not known more closely, and longer numbers are slow to write and to read. */
function inTenths(errorPct: number): number {
  return Math.round(errorPct * 10) / 10
}

/** What came into the context after an anchored call. */
export function growthSince(anchor: Anchor, sums: ContextSums): Growth {
  const answered = sums.messages - anchor.sums.messages
  const units = unitsBetween(anchor.sums, sums)
  const newUnits = anchor.output === null ? subtract(units, anchor.answer.units ?? {}) : units
  return {
    previousOutput: anchor.output,
    outputUnits: anchor.answer.units ?? {},
    newUnits,
    newMessages: answered,
    calls: anchor.answer.calls?.length ?? 0,
    dropped: droppedSince(anchor, sums),
    newImages: sums.images - anchor.sums.images,
  }
}

/** Reasoning of the anchored call's context and answer that a new turn left behind. */
function droppedSince({ sums: before, answer }: Anchor, { known }: ContextSums): Tokens {
  const place = ENTRY_PLACES.thinking
  if ((known[place] ?? 0) > 0) return 0
  return (before.known[place] ?? 0) + (shareOf(answer).known.thinking ?? 0)
}

/** The frame of the call that `answer` (an assistant entry) resulted from. */
export function buildFrame(input: {
  readonly call: number
  readonly answer: EntryFact
  readonly state: PromptState
  readonly calibration: Calibration
  readonly setup: FrameSetup
  /** What reported prompts prove about the window, this one's included. */
  readonly proof: WindowProof
  /** Our own count of the prompt (`countPrompt`), where the report is not taken as it is; null: it is. */
  readonly sent: Figure | null
  /** The provider cut the prompt to what it reported. */
  readonly isCut: boolean
}): Frame {
  const { call, answer, state, calibration, setup, proof, sent, isCut } = input
  const reported = reportedPrompt(answer)
  const isTaken = reported !== null && !isCut
  const total = isTaken
    ? measured(reported)
    : (sent ?? failedPrompt(answer, predictTotal(state, calibration, setup)))
  const split = splitTotal({ total, state, calibration, report: setup.report })
  const usage = answer.usage ?? null
  return {
    call,
    seq: answer.seq,
    at: answer.at,
    provider: answer.provider ?? null,
    model: answer.model ?? null,
    window: windowFor(setup.hints, answer.model ?? null, proof, answer.provider ?? null),
    total,
    seenTokens: isCut ? reported : null,
    sent: isTaken ? sent : null,
    categories: split.categories,
    basis: split.basis,
    errorPct: inTenths(errorOf(calibration)),
    output: outputOf(answer),
    cacheRead: usage?.cacheRead ?? null,
    cacheWrite: usage?.cacheWrite ?? null,
    stopReason: answer.stopReason ?? null,
  }
}

/** What a call's answer took, as reported. */
export function outputOf(answer: EntryFact): Figure {
  const output = reportedOutput(answer)
  return output === null ? UNKNOWN : measured(output)
}

/** A failed call may have reported its whole prompt or a part of it: the whole is about what was expected. */
function failedPrompt({ usage, stopReason }: EntryFact, expected: Figure): Figure {
  const reported = stopReason === 'error' ? promptTokens(usage) : null
  const isWhole = reported !== null && reported >= (expected.value ?? 0) * WHOLE_SHARE
  return isWhole ? measured(reported) : expected
}

/**
 * Divides a total among the categories. The part beside the conversation hardly changes while a session runs, and is
 * known best when the conversation is short; so it stays what it was as long as the conversation then lies within the
 * error band of its estimate, and the conversation takes the rest. What of that part a report explains goes to its
 * categories, the rest is the residual.
 */
function splitTotal(input: {
  readonly total: Figure
  readonly state: PromptState
  readonly calibration: Calibration
  readonly report: FrameSetup['report']
}): { categories: CategoryTokens; basis: { [C in Category]?: Basis } } {
  const { total, state, calibration, report } = input
  const conversation = sumsToTokens(state.sums, calibration)
  const fixed = report === null ? null : fixedTotals(report, calibration)
  const whole = total.value ?? conversation.total + (fixed?.total ?? 0)
  const beside = settleOverhead(whole, state, calibration, fixed?.total ?? null)
  const fixedScale = fixed === null || fixed.total <= beside ? 1 : beside / fixed.total
  const conversationScale = conversation.total > 0 ? (whole - beside) / conversation.total : 1
  const categories: { [C in Category]?: number } = {}
  let listed = 0
  let members = 0
  const put = (category: Category, place: number, amount: number) => {
    const tokens = Math.round(amount)
    if (tokens <= 0) return
    categories[category] = tokens
    members |= 1 << place
    listed += tokens
  }
  for (let place = 0; place < CATEGORIES.length - 1; place++) {
    const category = CATEGORIES[place] as Exclude<Category, 'residual'>
    // What is before the conversation may come from a report or from entries.
    const before = (fixed?.tokens[category] ?? 0) * fixedScale
    const said = category in ENTRY_PLACES ? conversation.tokens[ENTRY_PLACES[category as EntryCategory]] : 0
    put(category, place, before + (said ?? 0) * conversationScale)
  }
  if (settle(categories, Math.round(whole) - listed)) members |= 1 << (CATEGORIES.length - 1)
  return { categories, basis: estimatedBasis(members) }
}

type BasisByCategory = { readonly [C in Category]?: Basis }

// Nearly all calls of a session have the same categories.
const bases = new Map<number, BasisByCategory>()

/** @param members one bit for each category, in the order of CATEGORIES */
function estimatedBasis(members: number): BasisByCategory {
  const known = bases.get(members)
  if (known !== undefined) return known
  const basis: { [C in Category]?: Basis } = {}
  CATEGORIES.forEach((category, place) => {
    if (members & (1 << place)) basis[category] = 'estimated'
  })
  bases.set(members, basis)
  return basis
}

/**
 * Tokens beside the conversation in a prompt of `whole` tokens: what was inferred before (else what the report says),
 * moved no further than the error band of the conversation's estimate demands, and never below half of it by a
 * single call — a prompt that shrinks more than that has lost conversation, not its system prompt.
 */
export function settleOverhead(
  whole: number,
  state: PromptState,
  calibration: Calibration,
  reported: number | null,
): number {
  const conversation = sumsToTokens(state.sums, calibration).total
  const band = errorOf(calibration) / 100
  const before = state.overhead ?? reported ?? whole - conversation
  const least = whole - conversation * (1 + band)
  const most = whole - conversation * (1 - band)
  const settled = Math.min(Math.max(before, least), most)
  return Math.min(Math.max(settled, before / 2, 0), whole)
}

/**
 * Puts what is left into the residual, and answers whether there is one; a few tokens too many by rounding come off
 * the largest category.
 */
function settle(categories: { [C in Category]?: number }, residual: number): boolean {
  if (residual > 0) {
    categories.residual = residual
    return true
  }
  if (residual === 0) return false
  let largest: Category | null = null
  for (const category of CATEGORIES) {
    if ((categories[category] ?? 0) > (largest === null ? 0 : (categories[largest] ?? 0))) largest = category
  }
  if (largest !== null) categories[largest] = (categories[largest] ?? 0) + residual
  return false
}

function subtract(units: Growth['newUnits'], part: Growth['newUnits']): Growth['newUnits'] {
  const rest: { -readonly [K in keyof Growth['newUnits']]: number } = {}
  for (const key of Object.keys(units) as (keyof Growth['newUnits'])[]) {
    rest[key] = Math.max(0, (units[key] ?? 0) - (part[key] ?? 0))
  }
  return rest
}

function isNothing({ newImages, newUnits, dropped }: Growth): boolean {
  if (newImages !== 0 || dropped > 0) return false
  for (const category in newUnits) if ((newUnits[category as EntryCategory] ?? 0) !== 0) return false
  return true
}
