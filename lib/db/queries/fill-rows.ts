import * as z from 'zod'
import type { LoadSubject } from '../../core/budget/session-loads'
import type { Milliseconds, Tokens } from '../../core/units/units'
import type { Database } from '../client'
import { rowsOf } from '../rows'
import { SUBJECT } from './load-subject'

/** What orders sessions by fill: what decides about their policy, and how much they hold. Tokens, milliseconds. */
export type FillRow = LoadSubject & {
  readonly row: number
  readonly contextTokens: Tokens | null
  readonly state: string
  readonly calls: number
  readonly updatedAt: Milliseconds | null
}

const ROW = z.object({
  ...SUBJECT,
  row: z.number(),
  contextTokens: z.number().nullable(),
  state: z.string(),
  calls: z.number(),
})

/** All sessions, in no order. Past Prisma: 10,000 of them take about 25 ms. */
export function readFillRows({ connection }: Pick<Database, 'connection'>): FillRow[] {
  const answer = connection.run(
    `SELECT s."row", s."storeId", t."root" AS "storeRoot", s."sessionId", s."key", s."agent", s."channel", s."model", s."window",
       s."windowSource", s."believedWindow", s."believedSource", s."contextTokens", s."state", s."calls", s."updatedAt", s."provider"
     FROM "Session" s JOIN "Store" t ON t."id" = s."storeId"`,
  )
  return rowsOf(ROW, answer)
}
