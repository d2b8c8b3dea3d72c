import type { CallColumns } from './call-columns'

/** One turn of a session: a message of the user and everything up to the next. Tokens; times in milliseconds. */
export type TurnRow = {
  readonly turn: number
  /** The entry that begins it. */
  readonly seq: number
  readonly at: number | null
  readonly preview: string | null
  /** Model calls in it. */
  readonly calls: number
  /** Its last call; null when it has none. */
  readonly lastCall: number | null
  /** Size of the prompt at that call; null when it is unknown. */
  readonly total: number | null
  /** Tokens more (or less) than at the last call before the turn; null when that is not known. */
  readonly delta: number | null
}

export type TurnPage = { readonly total: number; readonly rows: readonly TurnRow[] }

/** Turns that travel together. */
export const TURN_PAGE_ROWS = 100

/** What the calls say about a turn, without its words. */
export type TurnFacts = Omit<TurnRow, 'at' | 'preview'>

/**
 * The turns `from` to `to` (excluded), as indexes into `starts`. Turns and calls are matched by their place in the file.
 * @param starts entries that begin turns, ascending
 */
export function turnFacts(
  starts: readonly number[],
  calls: CallColumns,
  { from, to }: { readonly from: number; readonly to: number },
): TurnFacts[] {
  const facts: TurnFacts[] = []
  for (let index = from; index < Math.min(to, starts.length); index++) {
    const seq = starts[index] ?? 0
    const first = lowerBound(calls.seq, seq)
    const end = lowerBound(calls.seq, starts[index + 1] ?? Number.POSITIVE_INFINITY)
    const total = end > first ? (calls.total[end - 1] ?? null) : null
    const before = first > 0 ? (calls.total[first - 1] ?? null) : null
    facts.push({
      turn: index + 1,
      seq,
      calls: end - first,
      lastCall: end > first ? calls.from + end - 1 : null,
      total,
      delta: total === null || before === null ? null : total - before,
    })
  }
  return facts
}

/** Number of the turn that an entry belongs to; 0 before the first. */
export function turnOf(starts: readonly number[], seq: number): number {
  return lowerBound(starts, seq + 1)
}

/** Index of the first value that is not below `wanted`. */
function lowerBound(values: readonly number[], wanted: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((values[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return low
}
