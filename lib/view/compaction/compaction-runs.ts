import type { Milliseconds, Tokens } from '../../core/units/units'
import { formatCount, formatQuantity } from '../text/format'
import { type CompactionItem, freedWords } from './compactions'

/** From and to, both included. */
type Span<T> = { readonly from: T; readonly to: T }

/** One row of the list: a compaction, or equal ones that follow each other. Newest first. */
export type CompactionListRow =
  | { readonly kind: 'one'; readonly item: CompactionItem }
  | {
      readonly kind: 'run'
      /** What all of them are; the newest speaks for the others. */
      readonly items: readonly [CompactionItem, ...CompactionItem[]]
      readonly numbers: Span<number>
      /** null: none of them has a time. */
      readonly times: Span<Milliseconds> | null
      /** Smallest and largest; null: none of them is known. */
      readonly before: Span<Tokens> | null
      readonly after: Span<Tokens> | null
      readonly freed: Span<number> | null
      readonly midTask: number
      readonly summarised: Span<number>
      readonly kept: Span<number>
    }

/** Fewer than this many are shown one by one. */
const LEAST_RUN = 3
/** Prompts that are apart by no more than this share are as large. */
const AS_LARGE = 0.05

/** Folds equal compactions that follow each other. @param items in the order of the list */
export function compactionRows(items: readonly CompactionItem[]): CompactionListRow[] {
  const runs: [CompactionItem, ...CompactionItem[]][] = []
  for (const item of items) {
    const run = runs.at(-1)
    if (run !== undefined && areEqual(run[0], item)) run.push(item)
    else runs.push([item])
  }
  return runs.flatMap((run): CompactionListRow[] =>
    run.length < LEAST_RUN ? run.map((item) => ({ kind: 'one', item })) : [runRow(run)],
  )
}

/**
 * Same kind, cause and oddities, and prompts of one size. What freed nothing is equal whatever its size. Those made with
 * Plimsoll stay apart: each has a receipt.
 */
function areEqual(a: CompactionItem, b: CompactionItem): boolean {
  if (a.ours !== null || b.ours !== null || a.kind !== b.kind || a.fromHook !== b.fromHook) return false
  if (a.trigger.word !== b.trigger.word || a.provider?.name !== b.provider?.name) return false
  const words = (item: CompactionItem) => item.oddities.map(({ word }) => word).join()
  if (words(a) !== words(b)) return false
  return (
    a.freesNothing || (isAsLarge(a.promptBefore, b.promptBefore) && isAsLarge(a.promptAfter, b.promptAfter))
  )
}

function isAsLarge(a: Tokens | null, b: Tokens | null): boolean {
  if (a === null || b === null) return a === b
  return Math.abs(a - b) <= AS_LARGE * Math.max(a, b)
}

function runRow(items: [CompactionItem, ...CompactionItem[]]): CompactionListRow {
  const all = (of: (item: CompactionItem) => number | null) => spanOf(items.map(of))
  const [newest] = items
  return {
    kind: 'run',
    items,
    numbers: { from: items.at(-1)?.number ?? newest.number, to: newest.number },
    times: all(({ at }) => at),
    before: all(({ promptBefore }) => promptBefore),
    after: all(({ promptAfter }) => promptAfter),
    freed: all(({ freed }) => freed),
    midTask: items.filter(({ midTask }) => midTask).length,
    summarised: all(({ summarised }) => summarised) ?? { from: 0, to: 0 },
    kept: all(({ kept }) => kept) ?? { from: 0, to: 0 },
  }
}

function spanOf(values: readonly (number | null)[]): Span<number> | null {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    if (value === null) continue
    from = Math.min(from, value)
    to = Math.max(to, value)
  }
  return from > to ? null : { from, to }
}

/** `4 096`, `3 900 – 4 096`; the same figure at both ends is written once. */
export function spanWords(span: Span<number>, write: (value: number) => string = formatCount): string {
  const [from, to] = [write(span.from), write(span.to)]
  return from === to ? from : `${from} – ${to}`
}

/** `−12 % to −77 %`, the worst first; `+14 % to 0 %` where some grew. */
export function freedSpanWords({ from, to }: Span<number>): string {
  const [worst, best] = [from, to].map((freed) => freedWords(freed).replace(/:.*/, ''))
  return worst === best ? `${worst}` : `${worst} to ${best}`
}

/** `100 compactions, 1 reset: 96 cut prompts, 3 repeated at once, 27 mid-task`. */
export function tallyWords(items: readonly CompactionItem[]): string {
  const resets = items.filter(({ kind }) => kind === 'reset').length
  const times = new Map<string, number>()
  const count = (word: string) => times.set(word, (times.get(word) ?? 0) + 1)
  for (const { oddities, midTask } of items) {
    for (const { word } of oddities) count(word)
    if (midTask) count('mid-task')
  }
  const kinds = [
    ...(items.length > resets ? [formatQuantity(items.length - resets, 'compaction')] : []),
    ...(resets > 0 ? [formatQuantity(resets, 'reset')] : []),
  ].join(', ')
  const odd = [...times].sort(([, a], [, b]) => b - a).map(([word, n]) => `${formatCount(n)} ${word}`)
  return odd.length === 0 ? kinds : `${kinds}: ${odd.join(', ')}`
}
