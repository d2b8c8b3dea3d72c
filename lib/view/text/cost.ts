import { addKnown } from '../../core/report/report-money'
import type { PriceSource } from '../../core/tokens/own-prices'
import type { Usd } from '../../core/units/units'
import { formatQuantity, formatUsd } from './format'

/** Money over several requests. What was recorded and what a list makes of the rest are separate. US dollars. */
export type Cost = {
  /** Sum over the requests whose cost was recorded; null when none was. */
  readonly usd: Usd | null
  /** Of those without a recorded cost, at the operator's or list prices; null when none has a price. */
  readonly listUsd: Usd | null
  /** Requests, or calls where requests are not counted apart. */
  readonly calls: number
  /** Without a recorded cost. */
  readonly unknownCalls: number
  /** Of these, without a price too. */
  readonly unpriced: number
}

export type CostText = {
  /** `$3.18`, `≈ $3.18` where a part is at list prices, `$3.18+` where a part has no price, `unpriced`, or `–`. */
  readonly text: string
  /** What it is made of, in words. */
  readonly title: string
  readonly complete: boolean
}

/** A cost as text. What has no price is named beside the sum, and never counted as nothing. */
export function costText({ usd, listUsd, calls, unknownCalls, unpriced }: Cost): CostText {
  const missing = unpriced > 0 ? `; ${formatQuantity(unpriced, 'call')} without a price not in the sum` : ''
  const more = unpriced > 0 ? '+' : ''
  const complete = unpriced === 0
  if (listUsd !== null) {
    const text = `≈ ${formatUsd((usd ?? 0) + listUsd)}${more}`
    if (usd === null)
      return {
        text,
        title: `at list prices or yours, since no cost was recorded; not billed${missing}`,
        complete,
      }
    const title = `${formatUsd(usd)} as the transcripts record it, and ≈ ${formatUsd(listUsd)} at list prices or yours for ${formatQuantity(Math.max(0, unknownCalls - unpriced), 'call')} of ${formatQuantity(calls, 'call')} without a recorded cost, not billed${missing}`
    return { text, title, complete }
  }
  if (usd !== null) {
    return { text: `${formatUsd(usd)}${more}`, title: `as the transcripts record it${missing}`, complete }
  }
  if (unpriced > 0) {
    const title = `no cost was recorded for ${formatQuantity(unpriced, 'call')}, and no price of the model is known`
    return { text: 'unpriced', title, complete: false }
  }
  if (calls === 0) return { text: '–', title: 'no calls', complete: true }
  return { text: formatUsd(0), title: 'no call was answered, so nothing was billed', complete: true }
}

/** Whose prices a cost was worked out with, in words. */
export const PRICE_SOURCES: { readonly [S in PriceSource]: string } = {
  settings: 'at the prices of your settings',
  list: 'at list price',
}

/** The cost of one call: as recorded, else at the operator's or list prices, which were not billed. */
export function callCostText({
  costUsd,
  listUsd,
  listFrom,
}: {
  readonly costUsd: Usd | null
  readonly listUsd: Usd | null
  readonly listFrom: PriceSource | null
}): string {
  if (costUsd !== null) return formatUsd(costUsd)
  if (listUsd === null) return '?'
  return `not recorded; ≈ ${formatUsd(listUsd)} ${PRICE_SOURCES[listFrom ?? 'list']}, not billed`
}

/** The cost of a session, from its columns. */
export function costOfSession(session: {
  readonly costUsd: Usd | null
  readonly listUsd: Usd | null
  readonly calls: number
  readonly costUnknownCalls: number
  readonly unpriced: number
}): Cost {
  const { costUsd, listUsd, calls, costUnknownCalls, unpriced } = session
  return { usd: costUsd, listUsd, calls, unknownCalls: costUnknownCalls, unpriced }
}

/** The sum of several costs. */
export function addCosts(costs: readonly Cost[]): Cost {
  return costs.reduce<Cost>(
    (sum, cost) => ({
      usd: addKnown(sum.usd, cost.usd),
      listUsd: addKnown(sum.listUsd, cost.listUsd),
      calls: sum.calls + cost.calls,
      unknownCalls: sum.unknownCalls + cost.unknownCalls,
      unpriced: sum.unpriced + cost.unpriced,
    }),
    { usd: null, listUsd: null, calls: 0, unknownCalls: 0, unpriced: 0 },
  )
}
