import type { DaySum } from '../../core/tokens/day-sum'
import type { Database } from '../client'

type Sums = {
  readonly [K in Exclude<keyof DaySum, 'day' | 'model' | 'costUsd' | 'categories'>]: number | bigint
}
type DayRecord = Sums & {
  readonly day: string
  readonly model: string
  readonly costUsd: number | null
  readonly arrays: string
}

/** @param from and @param to first and last day, both counted. In the order of the days. */
export async function sumDays(
  { prisma }: Pick<Database, 'prisma'>,
  { from, to }: { from: string; to: string },
): Promise<readonly DaySum[]> {
  // The arrays of a day travel as one text: adding them up here is many times faster than taking them apart in SQL.
  const records = await prisma.$queryRaw<DayRecord[]>`
    SELECT "day", "model", SUM("calls") AS "calls", SUM("inputTokens") AS "inputTokens",
      SUM("outputTokens") AS "outputTokens", SUM("cacheReadTokens") AS "cacheReadTokens",
      SUM("cacheWriteTokens") AS "cacheWriteTokens", SUM("costUsd") AS "costUsd",
      SUM("costUnknownCalls") AS "costUnknownCalls", '[' || GROUP_CONCAT("categoriesJson") || ']' AS "arrays"
    FROM "SessionDay" WHERE "day" BETWEEN ${from} AND ${to} GROUP BY "day", "model" ORDER BY "day", "model"`
  return records.map((record) => ({
    day: record.day,
    model: record.model,
    calls: Number(record.calls),
    inputTokens: Number(record.inputTokens),
    outputTokens: Number(record.outputTokens),
    cacheReadTokens: Number(record.cacheReadTokens),
    cacheWriteTokens: Number(record.cacheWriteTokens),
    costUsd: record.costUsd === null ? null : Number(record.costUsd),
    costUnknownCalls: Number(record.costUnknownCalls),
    categories: addArrays(JSON.parse(record.arrays) as number[][]),
  }))
}

/** First and last day with a call; null when there is none. */
export async function findDaySpan({
  prisma,
}: Pick<Database, 'prisma'>): Promise<{ readonly first: string; readonly last: string } | null> {
  const [span] = await prisma.$queryRaw<{ first: string | null; last: string | null }[]>`
    SELECT MIN("day") AS "first", MAX("day") AS "last" FROM "SessionDay"`
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
