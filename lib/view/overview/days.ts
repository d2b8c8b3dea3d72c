import { addKnown } from '../../core/report/report-money'
import { CATEGORIES, type Category } from '../../core/tokens/category'
import type { DaySum } from '../../core/tokens/day-sum'
import { addCosts, type Cost } from '../text/cost'
import type { CsvCell } from '../text/csv'
import { toCsv } from '../text/csv'
import { shownText } from '../text/shown-text'

/** Tokens as providers reported them. `sent` is input + cache read + cache write. */
export type UsageSums = {
  readonly calls: number
  readonly sent: number
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  /** Cache read ÷ sent; null when nothing was sent. */
  readonly cacheHit: number | null
  readonly cost: Cost
}

export type DayColumn = {
  readonly day: string
  readonly calls: number
  /** Tokens sent, in the order of CATEGORIES. */
  readonly categories: readonly number[]
  readonly total: number
}

/** Tokens by day and category, ready to draw: every day of the period, those without a call empty. */
export type DaysView = {
  readonly from: string
  readonly to: string
  readonly columns: readonly DayColumn[]
  /** Categories that hold anything in the period, in stacking order. */
  readonly categories: readonly Category[]
  readonly totals: readonly number[]
}

export type ModelUsage = UsageSums & { readonly model: string }

const DAY_MS = 86_400_000

/** The UTC day of a moment, YYYY-MM-DD. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** The day `count` days before, both YYYY-MM-DD. */
export function daysBefore(day: string, count: number): string {
  return dayOf(Date.parse(day) - count * DAY_MS)
}

export function daysView({
  facts,
  from,
  to,
}: {
  readonly facts: readonly DaySum[]
  readonly from: string
  readonly to: string
}): DaysView {
  const columns: DayColumn[] = []
  const totals: number[] = CATEGORIES.map(() => 0)
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) {
    const day = dayOf(at)
    const ofDay = facts.filter((fact) => fact.day === day)
    const categories = CATEGORIES.map((_, index) =>
      ofDay.reduce((sum, fact) => sum + (fact.categories[index] ?? 0), 0),
    )
    categories.forEach((tokens, index) => {
      totals[index] = (totals[index] ?? 0) + tokens
    })
    columns.push({
      day,
      calls: ofDay.reduce((sum, fact) => sum + fact.calls, 0),
      categories,
      total: categories.reduce((sum, tokens) => sum + tokens, 0),
    })
  }
  return {
    from,
    to,
    columns,
    categories: CATEGORIES.filter((_, index) => (totals[index] ?? 0) > 0),
    totals,
  }
}

/** Usage by model over the period, the dearest first; those without a price after all others, the most tokens first. */
export function modelUsage(facts: readonly DaySum[]): readonly ModelUsage[] {
  const models = new Map<string, DaySum[]>()
  for (const fact of facts) {
    const known = models.get(fact.model)
    if (known) known.push(fact)
    else models.set(fact.model, [fact])
  }
  return [...models]
    .map(([model, own]) => ({ model: shownText(model), ...usageSums(own) }))
    .sort((a, b) => moneyOf(b) - moneyOf(a) || b.sent + b.output - (a.sent + a.output) || b.calls - a.calls)
}

function moneyOf({ cost: { usd, listUsd } }: UsageSums): number {
  return addKnown(usd, listUsd) ?? 0
}

export function usageSums(facts: readonly DaySum[]): UsageSums {
  const sum = (of: (fact: DaySum) => number) => facts.reduce((total, fact) => total + of(fact), 0)
  const input = sum((fact) => fact.inputTokens)
  const cacheRead = sum((fact) => fact.cacheReadTokens)
  const cacheWrite = sum((fact) => fact.cacheWriteTokens)
  const sent = input + cacheRead + cacheWrite
  return {
    calls: sum((fact) => fact.calls),
    sent,
    input,
    output: sum((fact) => fact.outputTokens),
    cacheRead,
    cacheWrite,
    cacheHit: sent === 0 ? null : cacheRead / sent,
    cost: addCosts(
      facts.map((fact) => ({
        usd: fact.costUsd,
        calls: fact.calls,
        unknownCalls: fact.costUnknownCalls,
        listUsd: fact.listUsd,
        unpriced: fact.unpriced,
      })),
    ),
  }
}

/** The chart's numbers as CSV: a row for each day, a column for each category. */
export function daysCsv(view: DaysView): string {
  const rows = view.columns.map((column): CsvCell[] => [
    column.day,
    column.calls,
    column.total,
    ...view.categories.map((category) => column.categories[CATEGORIES.indexOf(category)] ?? 0),
  ])
  return toCsv(['day (UTC)', 'calls', 'tokens sent', ...view.categories], rows)
}

/** Usage by model as CSV; an unknown cost stays empty. */
export function modelsCsv(models: readonly ModelUsage[]): string {
  return toCsv(
    [
      'model',
      'calls',
      'input',
      'cache read',
      'cache write',
      'output',
      'cost as recorded (USD)',
      'calls without a recorded cost',
      'of these at list price (USD)',
      'calls without a price',
    ],
    models.map((model) => [
      model.model,
      model.calls,
      model.input,
      model.cacheRead,
      model.cacheWrite,
      model.output,
      model.cost.usd,
      model.cost.unknownCalls,
      model.cost.listUsd,
      model.cost.unpriced,
    ]),
  )
}
