import type { Usage } from '../transcript/entry'
import { type Figure, measured, UNKNOWN } from './figure'

/** Cost of one call in US dollars: the transcript's own figure, or unknown. Never 0 for want of a price. */
export function costOf(usage: Usage, _model: string | null): Figure {
  return usage.costUsd === null ? UNKNOWN : measured(usage.costUsd)
}
