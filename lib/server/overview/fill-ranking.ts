import { firstLine, type SessionLoad } from '../../core/budget/session-load'
import type { FillRow } from '../../db/queries/fill-rows'

/** A session with its fill as a share of its effective budget, and of its first line; null when either is unknown. */
export type RankedRow = Pick<FillRow, 'row' | 'state' | 'calls' | 'updatedAt'> & {
  readonly share: number | null
  readonly nearness: number | null
}

/** Measures every session against what its runtime really does. */
export function rankRows(
  rows: readonly FillRow[],
  loadOf: (row: FillRow) => SessionLoad | null,
): RankedRow[] {
  return rows.map((found) => {
    const { row, state, calls, updatedAt, contextTokens } = found
    const load = contextTokens === null ? null : loadOf(found)
    const per = (size: number) => (contextTokens === null || size <= 0 ? null : contextTokens / size)
    return {
      ...{ row, state, calls, updatedAt },
      share: load === null ? null : per(load.window - load.reserve),
      nearness: load === null ? null : per(firstLine(load)),
    }
  })
}

/**
 * Rows in the order of a measure. What is unknown comes last in either direction; equal ones are ordered newest first,
 * then by row, so that windows of the list never overlap.
 */
export function orderRows(
  ranked: readonly RankedRow[],
  measure: 'share' | 'nearness',
  direction: 'asc' | 'desc',
): number[] {
  const sign = direction === 'asc' ? 1 : -1
  return [...ranked]
    .sort((a, b) => {
      const [x, y] = [a[measure], b[measure]]
      if (x !== y) return x === null ? 1 : y === null ? -1 : (x - y) * sign
      return (b.updatedAt ?? 0) - (a.updatedAt ?? 0) || b.row - a.row
    })
    .map(({ row }) => row)
}

/** Live sessions that changed at or after `since`, nearest to the first line of their own policy first. */
export function nearestRows(ranked: readonly RankedRow[], since: number): number[] {
  const active = ranked.filter(
    ({ state, calls, updatedAt }) => state === 'live' && calls > 0 && (updatedAt ?? 0) >= since,
  )
  return orderRows(active, 'nearness', 'desc')
}
