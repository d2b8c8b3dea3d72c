import { toCsv } from '../text/csv'
import { formatCount, formatQuantity, formatShort } from '../text/format'
import { dayOf } from './days'

/** A compaction as the database knows it. Prompts in tokens, of the calls around it; null when not reported. */
export type CompactionDayFacts = {
  readonly at: number | null
  readonly midTask: boolean
  readonly promptBefore: number | null
  readonly promptAfter: number | null
}

type CompactionDay = {
  /** YYYY-MM-DD, UTC. */
  readonly day: string
  readonly count: number
  readonly midTask: number
  /** Tokens that prompts were smaller by, of those whose sizes are known; those that grew count against it. */
  readonly reclaimed: number
  /** Compactions whose freed tokens are unknown. */
  readonly unknown: number
}

/** Compactions by day, every day of the period. */
export type CompactionDaysView = {
  readonly from: string
  readonly to: string
  readonly columns: readonly CompactionDay[]
  readonly total: Omit<CompactionDay, 'day'>
}

const DAY_MS = 86_400_000

export function compactionDays(
  facts: readonly CompactionDayFacts[],
  { from, to }: { readonly from: string; readonly to: string },
): CompactionDaysView {
  const byDay = new Map<string, CompactionDayFacts[]>()
  for (const fact of facts) {
    if (fact.at === null) continue
    const day = dayOf(fact.at)
    byDay.set(day, [...(byDay.get(day) ?? []), fact])
  }
  const columns: CompactionDay[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) {
    const day = dayOf(at)
    columns.push({ day, ...sums(byDay.get(day) ?? []) })
  }
  return { from, to, columns, total: sums(columns.flatMap(({ day }) => byDay.get(day) ?? [])) }
}

function sums(facts: readonly CompactionDayFacts[]): Omit<CompactionDay, 'day'> {
  let [reclaimed, unknown] = [0, 0]
  for (const { promptBefore, promptAfter } of facts) {
    if (promptBefore === null || promptAfter === null) unknown += 1
    else reclaimed += promptBefore - promptAfter
  }
  return { count: facts.length, midTask: facts.filter(({ midTask }) => midTask).length, reclaimed, unknown }
}

export function compactionDaysCsv(view: CompactionDaysView): string {
  return toCsv(
    ['day (UTC)', 'compactions', 'mid-task', 'tokens reclaimed', 'of unknown size'],
    view.columns.map(({ day, count, midTask, reclaimed, unknown }) => [
      day,
      count,
      midTask,
      reclaimed,
      unknown,
    ]),
  )
}

/** The period in a line: `12 compactions, 3 mid-task · 1.2M tokens reclaimed, 2 of unknown size`. */
export function compactionDaysNote({ from, to, total }: CompactionDaysView): string {
  const { count, midTask, reclaimed, unknown } = total
  const known = count > unknown ? ` · ${formatShort(reclaimed)} tokens reclaimed` : ''
  const rest = unknown === 0 ? '' : `, ${formatCount(unknown)} of unknown size`
  return `${from} to ${to}, days in UTC · ${formatQuantity(count, 'compaction')}, ${formatCount(midTask)} mid-task${known}${rest}`
}
