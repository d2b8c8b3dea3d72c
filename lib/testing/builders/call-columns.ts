import { CATEGORIES, type CategoryTokens } from '../../core/tokens/category'
import type { CallColumns } from '../../view/session/call-columns'

/** One call in words; what is left out is unknown or nothing. */
export type CallSketch = {
  readonly total?: number | null
  readonly basis?: 'm' | 'e' | 'u'
  readonly at?: number | null
  readonly tokens?: CategoryTokens
  readonly errorPct?: number | null
  readonly output?: number | null
  readonly seenTokens?: number | null
}

/** Columns of calls numbered from `from`. A total that is not given is the sum of the categories. */
export function callColumns(calls: readonly CallSketch[], from = 1): CallColumns {
  const totals = calls.map((call) =>
    call.total !== undefined
      ? call.total
      : Object.values(call.tokens ?? {}).reduce((a, b) => a + (b ?? 0), 0),
  )
  return {
    from,
    seq: calls.map((_, i) => (from + i) * 2),
    at: calls.map((call, i) => (call.at === undefined ? 1_700_000_000_000 + i * 1000 : call.at)),
    total: totals,
    basis: calls.map((call, i) => call.basis ?? (totals[i] === null ? 'u' : 'm')).join(''),
    errorPct: calls.map((call) => call.errorPct ?? null),
    splitErrorPct: calls.map((call) => call.errorPct ?? null),
    tokens: CATEGORIES.map((category) => calls.map((call) => call.tokens?.[category] ?? 0)),
    bases: calls.map((call) => CATEGORIES.map((c) => ((call.tokens?.[c] ?? 0) > 0 ? 'e' : '-')).join('')),
    output: calls.map((call) => call.output ?? null),
    cacheRead: calls.map(() => null),
    cacheWrite: calls.map(() => null),
    costUsd: calls.map(() => null),
    listUsd: calls.map(() => null),
    listFrom: '-'.repeat(calls.length),
    seenTokens: calls.map((call) => call.seenTokens ?? null),
    stopReason: calls.map(() => null),
    model: calls.map(() => 0),
    models: ['anthropic/claude-sonnet-4-6'],
    windows: [{ from, tokens: 200_000, source: 'default' }],
  }
}
