import type { Usage } from '../transcript/entry'
import { estimated, type Figure, measured, UNKNOWN } from './figure'

/** US dollars per million tokens. */
export type Price = {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

/** The day these list prices were right. Prices for long prompts, batches and subscriptions are not in them. */
export const PRICES_DATE = '2026-03-15'

type Row = readonly [model: RegExp, input: number, output: number, cacheRead?: number, cacheWrite?: number]

/** List prices of the makers; the first pattern that matches wins. Without a price of its own, cached input costs as input. */
const MAKERS: readonly Row[] = [
  [/claude-opus-4[.-][56]\b/, 5, 25, 0.5, 6.25],
  [/claude-3-opus|claude-opus-4(?![.-][2-9]\b)/, 15, 75, 1.5, 18.75],
  [/claude-3([.-][57])?-sonnet|claude-sonnet-4(?![.-][7-9]\b)/, 3, 15, 0.3, 3.75],
  [/claude-haiku-4(?![.-][6-9]\b)/, 1, 5, 0.1, 1.25],
  [/claude-3[.-]5-haiku/, 0.8, 4, 0.08, 1],
  [/claude-3-haiku/, 0.25, 1.25, 0.03, 0.3],
  [/gpt-5\.4-pro/, 30, 180],
  [/gpt-5\.2-pro/, 21, 168],
  [/gpt-5-pro/, 15, 120],
  [/gpt-5\.4(?!-(mini|nano))/, 2.5, 15, 0.25],
  [/gpt-5\.[23](?!.*-(mini|nano))/, 1.75, 14, 0.175],
  [/gpt-5(\.1)?(-codex)?-mini/, 0.25, 2, 0.025],
  [/gpt-5-nano/, 0.05, 0.4, 0.005],
  [/gpt-5(\.1)?(?![.\d])(?!.*-(mini|nano))/, 1.25, 10, 0.125],
  [/codex-mini/, 1.5, 6, 0.375],
  [/gpt-4\.1-mini/, 0.4, 1.6, 0.1],
  [/gpt-4\.1-nano/, 0.1, 0.4, 0.025],
  [/gpt-4\.1/, 2, 8, 0.5],
  [/gpt-4o-mini/, 0.15, 0.6, 0.075],
  [/gpt-4o/, 2.5, 10, 1.25],
  [/\bo4-mini(?!-deep)/, 1.1, 4.4, 0.275],
  [/\bo3-mini/, 1.1, 4.4, 0.55],
  [/\bo3(?!-(pro|deep))/, 2, 8, 0.5],
  [/gemini-3(\.1)?-pro/, 2, 12, 0.2],
  [/gemini-3-flash/, 0.5, 3, 0.05],
  [/gemini-3\.1-flash-lite/, 0.25, 1.5, 0.025],
  [/gemini-2\.5-pro/, 1.25, 10, 0.31],
  [/gemini-2\.5-flash-lite/, 0.1, 0.4, 0.025],
  [/gemini-2\.5-flash/, 0.3, 2.5, 0.075],
  [/grok-code-fast/, 0.2, 1.5, 0.02],
  [/grok-4(-1)?-fast/, 0.2, 0.5, 0.05],
  [/grok-[34](?![.\d])(?!-(mini|fast))/, 3, 15, 0.75],
  [/minimax-m2\.5-highspeed/, 0.6, 2.4, 0.06, 0.375],
  [/minimax-m2/, 0.3, 1.2, 0.03, 0.375],
  [/mistral-large/, 0.5, 1.5],
  [/(mistral|devstral)-medium/, 0.4, 2],
]

/** Open models cost what each host asks: the makers' own prices, with a wide margin. */
const OPEN_MODELS: readonly Row[] = [
  [/glm-5(?![.\d])(?!-turbo)/, 1, 3.2, 0.2],
  [/glm-4\.5-air/, 0.2, 1.1, 0.03],
  [/glm-4\.[567](?!v|-flash)/, 0.6, 2.2, 0.11],
  [/kimi-k2(\.5|p5|-thinking|-0905)?(?!.*turbo)|\bk2p5/, 0.6, 2.5, 0.15],
  [/deepseek-(chat|reasoner|v3\.2)/, 0.28, 0.42, 0.028],
  [/qwen3-coder-plus/, 0.65, 3.25, 0.13],
  [/qwen3\.5-plus/, 0.26, 1.56],
  [/qwen3-max(?!-thinking)/, 1.2, 6, 0.24],
]

const MAKERS_ERROR_PCT = 10
const OPEN_MODELS_ERROR_PCT = 40

/** `name:tag` is a build of one's own or a free one; only version numbers after a colon say nothing of that kind. */
const OTHER_BUILD = /:(?!\d+$)/

/** The list price of a model by its name, with or without a provider before it; null when we know none. */
export function priceOf(model: string): { readonly price: Price; readonly errorPct: number } | null {
  const name = model.toLowerCase()
  if (OTHER_BUILD.test(name)) return null
  for (const [rows, errorPct] of [
    [MAKERS, MAKERS_ERROR_PCT],
    [OPEN_MODELS, OPEN_MODELS_ERROR_PCT],
  ] as const) {
    const row = rows.find(([pattern]) => pattern.test(name))
    if (row === undefined) continue
    const [, input, output, cacheRead = input, cacheWrite = input] = row
    return { price: { input, output, cacheRead, cacheWrite }, errorPct }
  }
  return null
}

/**
 * Cost of one call in US dollars: the transcript's own figure, else an estimate from list prices, else unknown. Never 0
 * for want of a price.
 */
export function costOf(usage: Usage, model: string | null): Figure {
  if (usage.costUsd !== null && usage.costUsd > 0) return measured(usage.costUsd)
  const known = model === null ? null : priceOf(model)
  if (known === null) return UNKNOWN
  const { price, errorPct } = known
  const dollars =
    usage.input * price.input +
    usage.output * price.output +
    usage.cacheRead * price.cacheRead +
    usage.cacheWrite * price.cacheWrite
  return estimated(dollars / 1e6, errorPct)
}
