import { SPAN_WEIGHTS } from '../relevance/spans'
import type { NEED_KINDS } from './replay-session'

/** How much a need of each kind weighs, before place, rarity and precision (lib/docs/replay.md#needs). */
export const NEED_WEIGHTS: { readonly [K in (typeof NEED_KINDS)[number]]: number } = {
  ...SPAN_WEIGHTS,
  copy: 1.5,
  rule: 1,
}
