import { NEED_KINDS, type ReplaySession } from '../replay-session'
import { rarityOf, type SharedSpans } from '../spans/shared-spans'
import { spanHash } from '../spans/span-hash'
import { chooseNeeds } from './choose-needs'
import { PRIOR_PRECISION } from './need-precision'
import { LEAST_WEIGHT, NEED_GRAIN } from './need-weights'

/** What the needs of a session weigh by among others: how common spans are, and how sure each kind is. Plain data. */
export type NeedWeighing = {
  readonly shared: Pick<SharedSpans, 'hashes' | 'rarity'>
  /** In the order of `NEED_KINDS`. */
  readonly precision: readonly number[]
}

/** What is less rare is in every session of its kind. */
const LEAST_RARITY = 0.05
const [COPY, RULE] = [NEED_KINDS.indexOf('copy'), NEED_KINDS.indexOf('rule')]

/**
 * A session with its needs weighed among others (lib/docs/replay.md#needs); it was prepared as if every span were rare,
 * with the prior of the precision. The session itself stays as it is.
 */
export function weighNeeds(session: ReplaySession, { shared, precision }: NeedWeighing): ReplaySession {
  const { needs, spans } = session
  const factors = Float64Array.from({ length: spans.texts.length }, () => Number.NaN)
  const rarity = (span: number) => {
    const known = factors[span] as number
    if (!Number.isNaN(known)) return known
    const found = rarityOf(shared, spanHash(spans.texts[span] ?? ''))
    const factor = found < LEAST_RARITY ? 0 : found
    factors[span] = factor
    return factor
  }
  const weights = Float64Array.from(needs.weight, (weight, need) => {
    const kind = needs.kind[need] as number
    if (kind === RULE) return weight
    const factor = (precision[kind] ?? PRIOR_PRECISION) / PRIOR_PRECISION
    const rare = kind === COPY ? 1 : rarity(needs.span[need] as number)
    return Math.round(NEED_GRAIN * weight * factor * rare) / NEED_GRAIN
  })
  const kept = Array.from(weights.keys()).filter((need) => (weights[need] as number) >= LEAST_WEIGHT)
  return { ...session, needs: chooseNeeds(needs, kept, (need) => weights[need] as number) }
}
