import * as z from 'zod'
import type { Milliseconds, Tokens, Usd } from '../../core/units/units'
import { json } from '../rows'
import { MODEL_COLUMNS } from './load-subject'

/** A session as lists show it: no cursor, no snapshot, no content. Tokens, US dollars, milliseconds. */
export type SessionSummaryRow = {
  readonly id: string
  readonly sessionId: string
  readonly storeId: string
  readonly storeLabel: string
  readonly storeRoot: string
  readonly storeKind: string
  readonly name: string | null
  readonly key: string | null
  readonly agent: string | null
  readonly channel: string | null
  readonly cwd: string | null
  readonly state: string
  readonly problem: string | null
  readonly provider: string | null
  readonly model: string | null
  readonly window: number | null
  readonly windowSource: string | null
  readonly believedWindow: Tokens | null
  readonly believedSource: string | null
  readonly contextTokens: Tokens | null
  readonly contextBasis: string
  readonly contextErrorPct: number | null
  readonly trend: readonly (number | null)[]
  readonly calls: number
  readonly compactions: number
  readonly unreadable: number
  readonly costUsd: Usd | null
  readonly costUnknownCalls: number
  /** What has no recorded cost, at the operator's or list prices; null: nothing of it has a price. */
  readonly listUsd: Usd | null
  /** Requests of unknown cost that have no price either. */
  readonly unpriced: number
  readonly updatedAt: Milliseconds | null
}

/** The columns of a summary, from `"Session" s` joined with `"Store" t`. */
export const SUMMARY_COLUMNS = `s."id", s."sessionId", s."storeId", t."label" AS "storeLabel", t."root" AS "storeRoot", t."kind" AS "storeKind", s."name", s."key",
  s."agent", s."channel", s."cwd", s."state", s."problem", s."provider", s."model", s."window", s."windowSource", s."believedWindow", s."believedSource", s."contextTokens",
  s."contextBasis", s."contextErrorPct", s."trendJson", s."calls", s."compactions", s."unreadable", s."costUsd",
  s."costUnknownCalls", s."updatedAt",
  (SELECT b."listUsd" FROM "SessionBill" b WHERE b."sessionRow" = s."row") AS "listUsd",
  COALESCE((SELECT b."unpriced" FROM "SessionBill" b WHERE b."sessionRow" = s."row"), s."costUnknownCalls") AS "unpriced"`

/** What a query answers for SUMMARY_COLUMNS. */
export const SUMMARY = z.object({
  id: z.string(),
  sessionId: z.string(),
  storeId: z.string(),
  storeLabel: z.string(),
  storeRoot: z.string(),
  storeKind: z.string(),
  name: z.string().nullable(),
  key: z.string().nullable(),
  agent: z.string().nullable(),
  channel: z.string().nullable(),
  cwd: z.string().nullable(),
  state: z.string(),
  problem: z.string().nullable(),
  ...MODEL_COLUMNS,
  contextTokens: z.number().nullable(),
  contextBasis: z.string(),
  contextErrorPct: z.number().nullable(),
  trendJson: json(z.array(z.number().nullable())),
  calls: z.number(),
  compactions: z.number(),
  unreadable: z.number(),
  costUsd: z.number().nullable(),
  costUnknownCalls: z.number(),
  listUsd: z.number().nullable(),
  unpriced: z.number(),
  updatedAt: z.number().nullable(),
})

export function summaryOf({ trendJson, ...rest }: z.output<typeof SUMMARY>): SessionSummaryRow {
  return { ...rest, trend: trendJson }
}
