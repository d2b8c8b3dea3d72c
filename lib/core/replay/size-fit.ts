import type { Tokens } from '../units/units'

/** A call whose prompt its provider counted: what was in it by our estimate, in units, and the tokens it reports. */
export type SizedPrompt = { readonly units: number; readonly thinking: number; readonly prompt: Tokens }

/** How a session's units become tokens of its provider: prompt = fixed + slope × units. */
export type SizeFit = {
  readonly slope: number
  /** Before the conversation, on every call. Tokens. */
  readonly fixed: Tokens
  /** Thinking of earlier answers is part of later prompts. */
  readonly thinking: boolean
  /** Median miss in percent of the prompt; null: nothing was reported to compare with. */
  readonly errorPct: number | null
}

/** A tokenizer that takes more or fewer tokens a unit than this is not known. */
const [LEAST_SLOPE, MOST_SLOPE] = [0.4, 3]
/** So few prompts say nothing of a slope. */
const LEAST_PROMPTS = 3
const ROUNDS = 12
/** Misses of more than so many times the median one count less: prompts that were cut or pruned on the way. */
const FAR = 2.5
/** A first prompt of which the conversation is no more than this share shows what is before it. */
const SHORT = 0.3
const NEARLY = 0.8
/** Thinking counts where that makes the misses smaller by this share. */
const CLEARLY = 0.9

/**
 * Fits the sizes of a session's prompts: a straight line that most of them are near, whatever became of the others.
 * @param expected what to go by where prompts say too little: fixed tokens, and tokens a unit
 */
export function fitSizes(
  prompts: readonly SizedPrompt[],
  expected: { readonly fixed: Tokens; readonly slope: number },
): SizeFit {
  if (prompts.length === 0) return { ...expected, thinking: false, errorPct: null }
  const without = fitLine(prompts, false, expected)
  const withThinking = prompts.some(({ thinking }) => thinking > 0) ? fitLine(prompts, true, expected) : null
  return withThinking !== null && withThinking.errorPct < CLEARLY * without.errorPct ? withThinking : without
}

type Fitted = SizeFit & { readonly errorPct: number }

function fitLine(
  prompts: readonly SizedPrompt[],
  thinking: boolean,
  expected: { readonly fixed: Tokens; readonly slope: number },
): Fitted {
  const xs = prompts.map((one) => one.units + (thinking ? one.thinking : 0))
  const ys = prompts.map(({ prompt }) => prompt)
  let line = prompts.length < LEAST_PROMPTS ? null : leastSquares(xs, ys, null)
  for (let round = 0; round < ROUNDS && line !== null; round++) {
    const { slope, fixed } = line
    const misses = xs.map((x, i) => Math.abs((ys[i] ?? 0) - fixed - slope * x))
    const scale = Math.max(1, FAR * median(misses))
    line = leastSquares(
      xs,
      ys,
      misses.map((miss) => (miss <= scale ? 1 : scale / miss)),
    )
  }
  line = line === null ? alongside(xs, ys, expected) : anchored(xs, ys, line)
  const { slope, fixed } = line
  const misses = xs.map(
    (x, i) => (100 * Math.abs((ys[i] ?? 0) - fixed - slope * x)) / Math.max(1, ys[i] ?? 1),
  )
  return { slope, fixed, thinking, errorPct: Math.round(median(misses) * 10) / 10 }
}

/**
 * A line that leaves less than nothing before the conversation, or much less than its first prompt shows, bends: what
 * the first prompt shows is right then, and the slope is that of most prompts from there.
 */
function anchored(
  xs: readonly number[],
  ys: readonly number[],
  line: { readonly slope: number; readonly fixed: Tokens },
): { readonly slope: number; readonly fixed: Tokens } {
  const [x, y] = [xs[0] ?? 0, ys[0] ?? 0]
  const first = y - line.slope * x
  if (x > SHORT * y || line.fixed >= NEARLY * first) return line
  const slopes = xs.flatMap((one, i) => (one > 2 * x ? ((ys[i] ?? 0) - first) / one : []))
  return slopes.length < LEAST_PROMPTS ? line : { slope: within(median(slopes)), fixed: Math.round(first) }
}

/** With prompts too few, or too alike, for a slope: the expected one, and what it leaves over. */
function alongside(
  xs: readonly number[],
  ys: readonly number[],
  { slope }: { readonly slope: number },
): { slope: number; fixed: Tokens } {
  const left = median(xs.map((x, i) => (ys[i] ?? 0) - slope * x))
  if (left >= 0) return { slope, fixed: Math.round(left) }
  const whole = median(xs.map((x, i) => (x > 0 ? (ys[i] ?? 0) / x : slope)))
  return { slope: within(whole), fixed: 0 }
}

/** The weighted line; null where the points do not say in which direction it goes. */
function leastSquares(
  xs: readonly number[],
  ys: readonly number[],
  weights: readonly number[] | null,
): { slope: number; fixed: Tokens } | null {
  let [n, sx, sy] = [0, 0, 0]
  for (let i = 0; i < xs.length; i++) {
    const weight = weights?.[i] ?? 1
    n += weight
    sx += weight * (xs[i] ?? 0)
    sy += weight * (ys[i] ?? 0)
  }
  const [mx, my] = [sx / n, sy / n]
  let [sxx, sxy, through] = [0, 0, 0]
  let square = 0
  for (let i = 0; i < xs.length; i++) {
    const weight = weights?.[i] ?? 1
    const [x, y] = [xs[i] ?? 0, ys[i] ?? 0]
    sxx += weight * (x - mx) * (x - mx)
    sxy += weight * (x - mx) * (y - my)
    through += weight * x * y
    square += weight * x * x
  }
  // All prompts about as large: any slope would do.
  if (sxx <= n * (0.02 * mx) ** 2 || mx <= 0) return null
  const slope = sxy / sxx
  if (slope < LEAST_SLOPE || slope > MOST_SLOPE) return null
  const fixed = my - slope * mx
  if (fixed >= 0) return { slope, fixed: Math.round(fixed) }
  return { slope: within(through / square), fixed: 0 }
}

function within(slope: number): number {
  return Math.min(MOST_SLOPE, Math.max(LEAST_SLOPE, slope))
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}
