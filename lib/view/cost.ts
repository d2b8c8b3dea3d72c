import { formatQuantity, formatUsd } from './format'

/** Money over several calls, some of which may have no known price. US dollars. */
export type Cost = {
  /** Sum over the calls whose cost is known; null when none is. */
  readonly usd: number | null
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

/** A cost as text. What nobody knows is named beside the sum, and never counted as nothing. */
export function costText({ usd, calls, unknownCalls }: Cost): CostText {
  if (calls === 0) return { text: formatUsd(0), title: 'no calls', complete: true }
  if (usd === null && unknownCalls === 0) {
    return { text: formatUsd(0), title: 'no call was answered, so nothing was billed', complete: true }
  }
  if (usd === null) {
    return { text: '?', title: `cost unknown for ${formatQuantity(unknownCalls, 'call')}`, complete: false }
  }
  if (unknownCalls > 0) {
    const title = `as the transcripts report it; unknown for ${formatQuantity(unknownCalls, 'call')} of ${formatQuantity(calls, 'call')}, which are not in the sum`
    return { text: `${formatUsd(usd)} + ?`, title, complete: false }
  }
  return { text: formatUsd(usd), title: 'as the transcripts report it', complete: true }
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
