import type { LoadSubject } from '../../core/budget/session-loads'
import type { Database } from '../client'
import { millisecondsOf } from './session-summary'

/** What orders sessions by fill: what decides about their policy, and how much they hold. Tokens, milliseconds. */
export type FillRow = LoadSubject & {
  readonly row: number
  readonly contextTokens: number | null
  readonly state: string
  readonly calls: number
  readonly updatedAt: number | null
}

/** All sessions, in no order. Past Prisma: 10,000 of them take about 25 ms. */
export function readFillRows({ connection }: Pick<Database, 'connection'>): FillRow[] {
  const { rows } = connection.run(
    `SELECT s."row", s."storeId", t."root", s."sessionId", s."key", s."agent", s."channel", s."model", s."window",
       s."windowSource", s."contextTokens", s."state", s."calls", s."updatedAt"
     FROM "Session" s JOIN "Store" t ON t."id" = s."storeId"`,
  )
  return rows.map((row) => ({
    row: Number(row[0]),
    storeId: String(row[1]),
    storeRoot: String(row[2]),
    sessionId: String(row[3]),
    key: textOf(row[4]),
    agent: textOf(row[5]),
    channel: textOf(row[6]),
    model: textOf(row[7]),
    window: numberOf(row[8]),
    windowSource: textOf(row[9]),
    contextTokens: numberOf(row[10]),
    state: String(row[11]),
    calls: Number(row[12]),
    updatedAt: millisecondsOf(row[13]),
  }))
}

function textOf(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value)
}

function numberOf(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value)
}
