import type { PriceSource } from '../../core/tokens/own-prices'
import type { Usd } from '../../core/units/units'
import { formatQuantity, formatUsd } from './format'

/** Money over several calls, some of which may have no known price. US dollars. */
export type Cost = {
  /** Sum over the calls whose cost is known; null when none is. */
  readonly usd: Usd | null
  readonly calls: number
  readonly unknownCalls: number
}

export type CostText = {
  /** `$3.18`, `$3.18 + ?` or `?`. */
  readonly text: string
  /** What it is made of, in words. */
  readonly title: string
  readonly complete: boolean
}

/** A cost as text. What is unknown is named beside the sum, and never counted as nothing. */
export function costText({ usd, calls, unknownCalls }: Cost): CostText {
  if (calls === 0) return { text: formatUsd(0), title: 'no calls', complete: true }
  if (usd === null && unknownCalls === 0) {
    return { text: formatUsd(0), title: 'no call was answered, so nothing was billed', complete: true }
  }
  if (usd === null) {
    return {
      text: '?',
      title: `no cost was recorded for ${formatQuantity(unknownCalls, 'call')}; each call’s composition shows its list price`,
      complete: false,
    }
  }
  if (unknownCalls > 0) {
    const title = `as the transcripts record it; nothing is recorded for ${formatQuantity(unknownCalls, 'call')} of ${formatQuantity(calls, 'call')}, which are not in the sum`
    return { text: `${formatUsd(usd)} + ?`, title, complete: false }
  }
  return { text: formatUsd(usd), title: 'as the transcripts report it', complete: true }
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

/** The sum of several costs. */
export function addCosts(costs: readonly Cost[]): Cost {
  return costs.reduce<Cost>(
    (sum, cost) => ({
      usd: cost.usd === null ? sum.usd : (sum.usd ?? 0) + cost.usd,
      calls: sum.calls + cost.calls,
      unknownCalls: sum.unknownCalls + cost.unknownCalls,
    }),
    { usd: null, calls: 0, unknownCalls: 0 },
  )
}
