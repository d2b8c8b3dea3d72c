import type { Tokens } from '../units/units'
import type { EntryCategory, EntryUnits } from './category'
import { IMAGE_UNITS } from './estimate'
import { type LeastSquares, observe, predict, startLeastSquares } from './least-squares'
import { priorFor } from './priors'

/**
 * How the answer of a call comes back in the next prompt. `reported`: as many tokens as the provider reported for
 * its output. `visible`: by its visible text, thinking left out (some providers drop it). `thought`: by its text and
 * thinking. Output figures include reasoning that is not sent again with some models, and are missing with others.
 */
const ANSWER_MODES = ['reported', 'visible', 'thought'] as const
export type AnswerMode = (typeof ANSWER_MODES)[number]

type Learner = {
  readonly fit: LeastSquares
  /** Running mean of the error in relation to the growth, 0 to 1. */
  readonly error: number
}

/**
 * What is known about turning units into one model's tokens. Plain JSON, about three kilobytes whatever has been
 * learned, never changed in place. The same growths in the same order give the same calibration.
 */
export type Calibration = {
  readonly provider: string | null
  readonly model: string | null
  /** Growths that were learned from. */
  readonly samples: number
  readonly learners: { readonly [M in AnswerMode]: Learner }
  /** Reported output tokens by units of text, tool calls and thinking. */
  readonly answer: LeastSquares
  readonly perImage: number
  readonly images: number
  /** Running sums, in tokens: what was estimated, and how much of it was wrong. */
  readonly estimated: number
  readonly missed: number
  /** Messages so far: tool results, other new messages, answers. */
  readonly messages: readonly [results: number, others: number, answers: number]
}

/** What came into the context between two successive calls of one model and one segment. */
export type Growth = {
  /** Output tokens that the provider reported for the earlier call; null when unknown. */
  readonly previousOutput: number | null
  /** Units of the assistant message that the earlier call produced. */
  readonly outputUnits: EntryUnits
  /** Units of the other entries that came between the two calls; images are counted in `newImages` instead. */
  readonly newUnits: EntryUnits
  /** Number of messages between the two calls, the earlier call's answer included. */
  readonly newMessages: number
  /** Tool calls that the earlier call's answer made. */
  readonly calls: number
  /** Tokens of reasoning that are sent no more, since another turn began. The growth is less by so many. */
  readonly dropped: number
  readonly newImages: number
}

/**
 * Coefficients: tokens per unit of tool results and of other text, per message of either kind, per unit of an answer's
 * text and of its tool calls.
 */
const RESULT = 0
const TEXT = 1
const PER_RESULT = 2
const PER_TEXT = 3
const ANSWER = 4
const CALL = 5

/** Tokens of framing around a tool result and around another message, and how far off that may be. */
const FRAMING = { result: 12, text: 4, deviation: 12 }
/** The first tool call of an answer opens the list of them: so much of a call's framing comes on top. */
const FIRST_CALL = 0.27
const FACTOR_DEVIATION = 0.2
/** Factors of one model for several kinds of text move together. */
const FACTORS_ALIKE = 0.8
/** Scatter around a good prediction: a part of the growth and a few tokens. */
const SCATTER = { share: 0.04, tokens: 3 }
/** Misses of more than so many times the scatter count less, the more the further they are off. */
const FAR = 2.5
const ABSURD = 8
/** Growth under this many tokens says little about errors in percent. */
const LEAST_GROWTH = 50
/** How soon the running figures forget. */
const ERROR_PACE = 0.1
const BAND_MEMORY = 0.98
/** How much smaller the error of another answer mode must be to be preferred. */
const CLEARLY = { share: 0.2, atLeast: 0.01 }
/** From the mean miss to a band that four of five misses stay within. */
const BAND_WIDTH = 1.5
/** Half width of the band, in tokens, that each message adds. */
const MESSAGE_BAND = 3
const BAND_PRIOR_TOKENS = 2_000
const MESSAGES_PRIOR = [4, 1, 5] as const

/** Pairs of factors that move together. */
const ALIKE = [RESULT, TEXT, ANSWER, CALL].flatMap((a, i, all) =>
  all.slice(i + 1).map((b) => [a, b, FACTORS_ALIKE] as const),
)

export function startCalibration(provider: string | null, model: string | null): Calibration {
  const { factor, answer, perImage, errorPct } = priorFor(provider, model)
  const mean = [factor, factor, FRAMING.result, FRAMING.text]
  const deviation = [FACTOR_DEVIATION, FACTOR_DEVIATION, FRAMING.deviation, FRAMING.deviation]
  const whole = startLeastSquares(
    [factor, answer.text, answer.framing, FRAMING.text, answer.text, answer.call],
    [...deviation, FACTOR_DEVIATION, FACTOR_DEVIATION],
    ALIKE,
  )
  return {
    provider,
    model,
    samples: 0,
    learners: {
      reported: { fit: startLeastSquares(mean, deviation, [[RESULT, TEXT, FACTORS_ALIKE]]), error: 0.05 },
      visible: { fit: whole, error: 0.15 },
      thought: { fit: whole, error: 0.12 },
    },
    answer: startLeastSquares([factor, factor, factor], [0.3, 0.3, 0.3]),
    perImage,
    images: 0,
    estimated: BAND_PRIOR_TOKENS,
    missed: (BAND_PRIOR_TOKENS * errorPct) / 100 / BAND_WIDTH,
    messages: MESSAGES_PRIOR,
  }
}

/** Expected growth of the prompt in tokens, and the half width of its error band in percent of it. */
export function predictGrowth(c: Calibration, g: Growth): { tokens: Tokens; errorPct: number } {
  return predictFrom(c, g, featuresOf(g))
}

function predictFrom(c: Calibration, g: Growth, features: Features): { tokens: Tokens; errorPct: number } {
  const mode = g.previousOutput === null ? unreportedMode(c) : modeOf(c)
  const known = mode === 'reported' ? (g.previousOutput ?? 0) : 0
  const guessed = predict(c.learners[mode].fit, features[mode]) + g.newImages * c.perImage
  const tokens = Math.max(0, known + guessed)
  const band = (Math.max(0, guessed) * errorOf(c)) / 100 + MESSAGE_BAND * Math.max(1, g.newMessages - 1)
  return { tokens, errorPct: tokens > 0 ? Math.min(100, (band / tokens) * 100) : 100 }
}

/**
 * The calibration after one more growth. Shrinking prompts (pruned, truncated) teach nothing; a growth with images
 * teaches what an image takes; a growth far off the expected one counts little.
 * @param measured reported prompt tokens of the later call minus those of the earlier one
 */
export function learn(c: Calibration, g: Growth, measured: number): Calibration {
  if (!(measured > 0) || !Number.isFinite(measured)) return c
  if (g.newImages > 0) return learnImages(c, g, measured)
  const features = featuresOf(g)
  const { tokens } = predictFrom(c, g, features)
  const guessed = Math.max(1, tokens - (modeOf(c) === 'reported' ? (g.previousOutput ?? 0) : 0))
  const { results, others } = features
  return {
    provider: c.provider,
    model: c.model,
    samples: c.samples + 1,
    learners: {
      reported: learnMode(c, g, features, measured, 'reported'),
      visible: learnMode(c, g, features, measured, 'visible'),
      thought: learnMode(c, g, features, measured, 'thought'),
    },
    answer: learnAnswer(c, g),
    perImage: c.perImage,
    images: c.images,
    estimated: BAND_MEMORY * c.estimated + guessed,
    missed: BAND_MEMORY * c.missed + Math.min(Math.abs(measured - tokens), guessed),
    messages: [c.messages[0] + results, c.messages[1] + others, c.messages[2] + 1],
  }
}

/** Tokens per unit. 0 for thinking that is not sent again. */
export function factorFor(c: Calibration, category: EntryCategory): number {
  const mode = modeOf(c)
  const { mean } = c.learners[mode].fit
  switch (category) {
    case 'tool-result':
      return positive(mean[RESULT])
    case 'image':
      return c.perImage / IMAGE_UNITS
    case 'assistant':
      return positive(mode === 'reported' ? c.answer.mean[0] : mean[ANSWER])
    case 'tool-call':
      return positive(mode === 'reported' ? c.answer.mean[1] : mean[CALL])
    case 'thinking':
      if (mode === 'visible') return 0
      return positive(mode === 'reported' ? c.answer.mean[2] : mean[ANSWER])
    default:
      return positive(mean[TEXT])
  }
}

/** Tokens that a message costs beside its content, on average over all kinds of messages. */
export function perMessage(c: Calibration): number {
  const { mean } = c.learners[modeOf(c)].fit
  const [results, others, answers] = c.messages
  const framing = results * (mean[PER_RESULT] ?? 0) + others * (mean[PER_TEXT] ?? 0)
  return Math.max(0, framing / (results + others + answers))
}

/** Half width of the error band of what is estimated, in percent: about four of five estimates lie within it. */
export function errorOf(c: Calibration): number {
  return Math.min(100, Math.max(1, (100 * BAND_WIDTH * c.missed) / c.estimated))
}

/** How answers come back, going by the errors so far: as reported, unless another way is clearly nearer. */
export function modeOf(c: Calibration): AnswerMode {
  const unreported = unreportedMode(c)
  const { share, atLeast } = CLEARLY
  const margin = Math.max(atLeast, share * c.learners.reported.error)
  return c.learners[unreported].error < c.learners.reported.error - margin ? unreported : 'reported'
}

function unreportedMode(c: Calibration): 'visible' | 'thought' {
  return c.learners.visible.error < c.learners.thought.error ? 'visible' : 'thought'
}

function learnMode(
  c: Calibration,
  g: Growth,
  features: Features,
  measured: number,
  mode: AnswerMode,
): Learner {
  const learner = c.learners[mode]
  if (mode === 'reported' && g.previousOutput === null) return learner
  const known = mode === 'reported' ? (g.previousOutput ?? 0) : 0
  const guessed = predict(learner.fit, features[mode])
  const miss = Math.abs(measured - known - guessed)
  const noise = SCATTER.tokens + SCATTER.share * Math.max(LEAST_GROWTH, known + guessed)
  const error =
    measured < LEAST_GROWTH
      ? learner.error
      : learner.error + ERROR_PACE * (Math.min(1, miss / measured) - learner.error)
  return { fit: observe(learner.fit, features[mode], measured - known, noise * doubt(miss / noise)), error }
}

/** By how much an observation is to be trusted less, from how many times the scatter it is off. */
function doubt(times: number): number {
  if (times <= FAR) return 1
  return times <= ABSURD ? Math.sqrt(times / FAR) : (Math.sqrt(ABSURD / FAR) * times) / ABSURD
}

/** Reported output against the units of the answer: what a unit of text, of a tool call and of thinking takes. */
function learnAnswer(c: Calibration, g: Growth): LeastSquares {
  const { assistant = 0, thinking = 0 } = g.outputUnits
  const features = [assistant, g.outputUnits['tool-call'] ?? 0, thinking]
  if (g.previousOutput === null || features.every((units) => units === 0)) return c.answer
  const noise = SCATTER.tokens + 3 * SCATTER.share * g.previousOutput
  const miss = Math.abs(g.previousOutput - predict(c.answer, features))
  return observe(c.answer, features, g.previousOutput, noise * doubt(miss / noise))
}

function learnImages(c: Calibration, g: Growth, measured: number): Calibration {
  const withoutImages = predictGrowth(c, { ...g, newImages: 0 }).tokens
  const seen = (measured - withoutImages) / g.newImages
  if (seen <= 0 || seen > 20 * c.perImage) return c
  return { ...c, images: c.images + 1, perImage: c.perImage + (seen - c.perImage) / (c.images + 2) }
}

/** What a growth consists of, for the fit of each answer mode, and its new messages by kind. */
type Features = { readonly [M in AnswerMode]: readonly number[] } & {
  readonly results: number
  readonly others: number
}

function featuresOf(g: Growth): Features {
  const resultUnits = g.newUnits['tool-result'] ?? 0
  const text = otherUnits(g.newUnits)
  const results = resultsOf(g, resultUnits, text)
  const others = text > 0 ? Math.max(0, g.newMessages - 1 - results) : 0
  const { assistant = 0, thinking = 0 } = g.outputUnits
  const calls = g.outputUnits['tool-call'] ?? 0
  const called = results > 0 ? results + FIRST_CALL : 0
  return {
    results,
    others,
    reported: [resultUnits, text, results, others],
    visible: [resultUnits, text, called, others, assistant, calls],
    thought: [resultUnits, text, called, others, assistant + thinking, calls],
  }
}

/** How many of the new messages are tool results: one for each call, unless only other text came. */
function resultsOf({ newMessages, calls }: Growth, resultUnits: number, text: number): number {
  const count = Math.max(0, newMessages - 1)
  if (resultUnits === 0 && text > 0) return Math.min(calls, Math.max(0, count - 1))
  if (resultUnits > 0 && text > 0 && calls === 0) return Math.max(0, count - 1)
  return resultUnits > 0 ? Math.min(count, Math.max(1, calls)) : Math.min(count, calls)
}

/** Text that is no tool result; thinking of calls that failed in between is not sent again. */
function otherUnits(units: EntryUnits): number {
  const { summary = 0, recalled = 0, user = 0, assistant = 0, other = 0 } = units
  return summary + recalled + user + assistant + (units['tool-call'] ?? 0) + other
}

function positive(value: number | undefined): number {
  return Math.max(0.05, value ?? 1)
}
