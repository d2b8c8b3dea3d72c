import type { Policy } from '../policy/policy'
import type { PriceSource } from '../tokens/own-prices'
import type { Tokens } from '../units/units'
import { knownPath } from './known-path'
import type { CompactionPlan, PlanCost, SummarySource } from './plan'
import type { SizedEntry } from './sized-entry'
import { SUMMARY_OVERHEAD } from './stages'

/** US dollars per million tokens of the summarising model. */
export type PlanPrice = { readonly input: number; readonly output: number; readonly source: PriceSource }

/**
 * Results are cut to so many characters before they are summarised (lib/docs/openclaw.md#limits-of-a-compaction): a
 * quarter of that in tokens.
 */
const RESULT_TOKENS = 500

/** What making the summary asks of a model. A digest and a checkpoint ask nothing. */
export function planCost(input: {
  readonly requests: CompactionPlan['requests']
  readonly path: readonly SizedEntry[]
  readonly policy: Policy
  readonly source: SummarySource
  readonly price: PlanPrice | null
  readonly summaryTokens: Tokens
  readonly cacheRead: number | null
}): PlanCost {
  const { requests, path, source, price, summaryTokens, cacheRead } = input
  if (source !== 'model')
    return { calls: 0, inputTokens: 0, outputTokens: 0, usd: 0, source: null, cacheLost: cacheRead }
  const { places } = knownPath(path)
  const groups = [requests.pruned, ...requests.parts, requests.prefix].filter(({ length }) => length > 0)
  // Parts are merged by one request more, which reads their summaries.
  const merges = requests.parts.length > 1 ? 1 : 0
  const calls = groups.length + merges
  let carried = 0
  for (const group of groups) for (const seq of group) carried += sentSize(path[places[seq] ?? -1])
  const inputTokens = carried + calls * SUMMARY_OVERHEAD + merges * requests.parts.length * summaryTokens
  const outputTokens = calls * summaryTokens
  const usd = price === null ? null : (inputTokens * price.input + outputTokens * price.output) / 1e6
  return { calls, inputTokens, outputTokens, usd, source: price?.source ?? null, cacheLost: cacheRead }
}

function sentSize(entry: SizedEntry | undefined): number {
  if (entry === undefined) return 0
  return entry.fact.resultFor === undefined ? entry.size : Math.min(entry.size, RESULT_TOKENS)
}
