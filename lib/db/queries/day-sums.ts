import * as z from 'zod'
import type { DaySum } from '../../core/tokens/day-sum'
import type { Database } from '../client'
import { json, rowOf, rowsOf } from '../rows'
import { REPEATING_ROWS } from './copies'

const DAY = z.object({
  day: z.string(),
  model: z.string(),
  calls: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number(),
  costUsd: z.number().nullable(),
  costUnknownCalls: z.number(),
  listUsd: z.number().nullable(),
  unpriced: z.number(),
  categories: json(z.array(z.array(z.number()))),
})
const SPAN = z.object({ first: z.string().nullable(), last: z.string().nullable() })

/** Copies hold the calls of their session once more: they count once. */
const COUNTED = `"sessionRow" NOT IN (${REPEATING_ROWS})`

/** @param from and @param to first and last day, both counted. In the order of the days. */
export function sumDays(
  { connection }: Pick<Database, 'connection'>,
  { from, to }: { from: string; to: string },
): readonly DaySum[] {
  // The arrays of a day travel as one text: adding them up here is many times faster than taking them apart in SQL.
  const answer = connection.run(
    `SELECT "day", "model", SUM("calls") AS "calls", SUM("inputTokens") AS "inputTokens",
      SUM("outputTokens") AS "outputTokens", SUM("cacheReadTokens") AS "cacheReadTokens",
      SUM("cacheWriteTokens") AS "cacheWriteTokens", SUM("costUsd") AS "costUsd",
      SUM("costUnknownCalls") AS "costUnknownCalls", SUM("listUsd") AS "listUsd", SUM("unpriced") AS "unpriced", '[' || GROUP_CONCAT("categoriesJson") || ']' AS "categories"
     FROM "SessionDay" WHERE "day" BETWEEN ? AND ? AND ${COUNTED}
     GROUP BY "day", "model" ORDER BY "day", "model"`,
    [from, to],
  )
  return rowsOf(DAY, answer).map((day) => ({ ...day, categories: addArrays(day.categories) }))
}

/** First and last day with a call; null when there is none. */
export function findDaySpan({
  connection,
}: Pick<Database, 'connection'>): { readonly first: string; readonly last: string } | null {
  const span = rowOf(
    SPAN,
    connection.run('SELECT MIN("day") AS "first", MAX("day") AS "last" FROM "SessionDay"'),
  )
  return span?.first && span.last ? { first: span.first, last: span.last } : null
}

function addArrays(arrays: readonly (readonly number[])[]): readonly number[] {
  const sums: number[] = []
  for (const array of arrays) {
    for (let index = 0; index < array.length; index += 1) {
      sums[index] = (sums[index] ?? 0) + (array[index] ?? 0)
    }
  }
  return sums
}
