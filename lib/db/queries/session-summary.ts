import { Prisma } from '../generated/client'

/** A session as lists show it: no cursor, no snapshot, no content. Tokens, US dollars, milliseconds. */
export type SessionSummary = {
  readonly id: string
  readonly sessionId: string
  readonly storeId: string
  readonly storeLabel: string
  readonly storeRoot: string
  readonly name: string | null
  readonly key: string | null
  readonly agent: string | null
  readonly channel: string | null
  readonly cwd: string | null
  readonly state: string
  readonly problem: string | null
  readonly model: string | null
  readonly window: number | null
  readonly windowSource: string | null
  readonly contextTokens: number | null
  readonly contextBasis: string
  readonly contextErrorPct: number | null
  readonly trend: readonly (number | null)[]
  readonly calls: number
  readonly compactions: number
  readonly unreadable: number
  readonly costUsd: number | null
  readonly costUnknownCalls: number
  readonly updatedAt: number | null
}

/** The columns of a summary, from `"Session" s` joined with `"Store" t`. */
export const SUMMARY_COLUMNS = Prisma.sql`s."id", s."sessionId", s."storeId", t."label" AS "storeLabel", t."root" AS "storeRoot", s."name", s."key",
  s."agent", s."channel", s."cwd", s."state", s."problem", s."model", s."window", s."windowSource", s."contextTokens",
  s."contextBasis", s."contextErrorPct", s."trendJson", s."calls", s."compactions", s."unreadable", s."costUsd",
  s."costUnknownCalls", s."updatedAt"`

/** What a raw query answers for SUMMARY_COLUMNS. */
export type SummaryRecord = Omit<SessionSummary, 'trend' | 'updatedAt'> & {
  readonly trendJson: string
  readonly updatedAt: unknown
}

export function summaryOf(record: SummaryRecord): SessionSummary {
  const { trendJson, updatedAt, ...rest } = record
  return { ...rest, trend: parseTrend(trendJson), updatedAt: millisecondsOf(updatedAt) }
}

/** A time column of a raw query: a Date, a number or text, depending on the driver. */
export function millisecondsOf(value: unknown): number | null {
  if (value instanceof Date) return value.getTime()
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'string') return null
  const time = /^-?\d+$/.test(value) ? Number(value) : Date.parse(value)
  return Number.isNaN(time) ? null : time
}

function parseTrend(json: string): readonly (number | null)[] {
  const value: unknown = JSON.parse(json)
  return Array.isArray(value) ? value.map((item) => (typeof item === 'number' ? item : null)) : []
}
