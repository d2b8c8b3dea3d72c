import * as z from 'zod'
import type { LoadSubject } from '../../core/budget/session-loads'
import type { Frame } from '../../core/tokens/frame'
import type { EntryFact } from '../../core/transcript/entry'
import { SENDERS, type Sender } from '../../core/transcript/send-rules'
import type { RecordedCompaction } from '../../core/transcript/session-index'
import { frameOfCall, readCallBlocks } from '../call-blocks'
import type { Database } from '../client'
import { readBlocks } from '../entry-blocks'
import { json, rowsOf } from '../rows'
import { REPEATING_ROWS } from './copies'
import { SUBJECT } from './load-subject'

/** A session with recorded compactions, and the revision of what is stored about it. */
export type CompactedSession = LoadSubject & {
  readonly row: number
  readonly id: string
  readonly name: string | null
  readonly storeKind: Sender
  readonly revision: number
  /** What the runtime noted of compactions. */
  readonly recorded: readonly RecordedCompaction[]
}

const RECORDED = z.object({
  entryId: z.string(),
  reason: z.enum(['manual', 'auto-threshold', 'overflow-retry', 'timeout-retry']),
}) satisfies z.ZodType<RecordedCompaction>

const ROW = z.object({
  ...SUBJECT,
  row: z.number(),
  id: z.string(),
  name: z.string().nullable(),
  storeKind: z.enum(SENDERS),
  revision: z.number(),
  indexJson: json(z.object({ recorded: z.array(RECORDED).optional() })).nullable(),
})

/** Sessions with recorded compactions, newest first; copies of others are left out. */
export function readCompactedSessions({ connection }: Pick<Database, 'connection'>): CompactedSession[] {
  const answer = connection.run(
    `SELECT s."row", s."id", s."name", t."kind" AS "storeKind", s."revision", s."indexJson", s."storeId",
       t."root" AS "storeRoot", s."sessionId",
       s."key", s."agent", s."channel", s."provider", s."model", s."window", s."windowSource", s."believedWindow",
       s."believedSource", s."updatedAt"
     FROM "Session" s JOIN "Store" t ON t."id" = s."storeId"
     WHERE s."row" NOT IN (${REPEATING_ROWS})
       AND EXISTS (SELECT 1 FROM "Compaction" c WHERE c."sessionRow" = s."row" AND c."kind" = 'compaction')
     ORDER BY s."updatedAt" DESC, s."row" DESC`,
  )
  return rowsOf(ROW, answer).map(({ indexJson, ...row }) => ({ ...row, recorded: indexJson?.recorded ?? [] }))
}

/** Entries without their content, and the frames of calls, both in order. */
export function readFactsAndFrames(
  { connection }: Pick<Database, 'connection'>,
  sessionRow: number,
): { readonly facts: EntryFact[]; readonly frames: Frame[] } {
  return {
    facts: readBlocks(connection, sessionRow).flatMap(({ facts }) => facts),
    frames: readCallBlocks(connection, sessionRow).map(frameOfCall),
  }
}
