import { SPAN_WEIGHTS } from '../../relevance/spans'
import type { NEED_KINDS } from '../replay-session'

/** How much a need of each kind weighs, before place, rarity and precision (lib/docs/replay.md#needs). */
export const NEED_WEIGHTS: { readonly [K in (typeof NEED_KINDS)[number]]: number } = {
  ...SPAN_WEIGHTS,
  copy: 1.5,
  rule: 1,
}

/** Needs that weigh less are noise. */
export const LEAST_WEIGHT = 0.05

/** Weights are whole thousandths, so that what is packed is what was prepared. */
export const NEED_GRAIN = 1_000
