import * as z from 'zod'
import { WINDOW_SOURCES } from '../../core/budget/window'
import { SENDERS } from '../../core/transcript/send-rules'
import type { SessionFacts } from '../../core/transcript/session-facts'
import type { IndexEntry } from '../../core/transcript/session-index'
import type { StoreEra, StoreKind, TranscriptState } from '../../engine/read/ports'
import { unfinishedBytes } from '../../engine/read/unfinished'
import type { Database } from '../client'
import { CURSOR } from '../cursor-shape'
import { json, rowOf } from '../rows'
import { MODEL_COLUMNS } from './load-subject'

/** One session with the store it belongs to, as the pages of the session need it. Times in milliseconds. */
export type SessionDetail = SessionFacts & {
  readonly row: number
  readonly store: {
    readonly id: string
    readonly root: string
    readonly kind: StoreKind
    readonly era: StoreEra
  }
  /** As the runtime left it, or gone from its store since. */
  readonly state: TranscriptState
}

/** Every field was checked when the index was read, and all of them may be absent. */
const INDEX = json(z.custom<IndexEntry>((value) => typeof value === 'object' && value !== null))
const ID = z.object({ id: z.string() })

const COLUMNS = z.object({
  row: z.number(),
  id: z.string(),
  sessionId: z.string(),
  key: z.string().nullable(),
  agent: z.string().nullable(),
  channel: z.string().nullable(),
  name: z.string().nullable(),
  path: z.string(),
  state: z.enum(['live', 'reset', 'deleted', 'backup', 'checkpoint', 'imported', 'gone']),
  problem: z.string().nullable(),
  cwd: z.string().nullable(),
  version: z.number(),
  entries: z.number(),
  unreadable: z.number(),
  unknownTypes: z.number(),
  calls: z.number(),
  turns: z.number(),
  compactions: z.number(),
  bytes: z.number(),
  ...MODEL_COLUMNS,
  windowSource: z.enum(WINDOW_SOURCES).nullable(),
  believedSource: z.enum(WINDOW_SOURCES).exclude(['cut', 'observed']).nullable(),
  contextTokens: z.number().nullable(),
  contextBasis: z.string(),
  contextErrorPct: z.number().nullable(),
  costUsd: z.number().nullable(),
  costUnknownCalls: z.number(),
  indexJson: z.string().nullable(),
  startedAt: z.number().nullable(),
  updatedAt: z.number().nullable(),
  revision: z.number(),
})
const OWN_COLUMNS = Object.keys(COLUMNS.shape)
  .map((name) => `s."${name}"`)
  .join(', ')

/** With what is known of its requests, and the store. */
const DETAIL = COLUMNS.extend({
  cursorJson: json(CURSOR).nullable(),
  listUsd: z.number().nullable(),
  unpriced: z.number().nullable(),
  storeId: z.string(),
  kind: z.enum(SENDERS),
  era: z.enum(['jsonl', 'sqlite']),
  root: z.string(),
  label: z.string(),
  storeState: z.string(),
  storeProblem: z.string().nullable(),
})

/** The session that URLs call `id`; null when there is none. */
export function readSessionDetail(
  { connection }: Pick<Database, 'connection'>,
  id: string,
): SessionDetail | null {
  // Not by Prisma, which takes 0.4 s to get ready in a process: a page waits for this answer.
  const answer = connection.run(
    `SELECT ${OWN_COLUMNS}, s."cursorJson", b."listUsd", b."unpriced", t."id" AS "storeId", t."kind", t."era", t."root",
      t."label", t."state" AS "storeState", t."problem" AS "storeProblem"
     FROM "Session" s JOIN "Store" t ON t."id" = s."storeId" LEFT JOIN "SessionBill" b ON b."sessionRow" = s."row"
     WHERE s."id" = ?`,
    [id],
  )
  const found = rowOf(DETAIL, answer)
  if (found === null) return null
  const { cursorJson, storeId, kind, era, root, label, storeState, storeProblem, ...session } = found
  const { bytes, startedAt, updatedAt, ...rest } = session
  return {
    ...rest,
    unpriced: found.unpriced ?? found.costUnknownCalls,
    store: { id: storeId, kind, era, root, label, state: storeState, problem: storeProblem },
    bytes,
    unfinished: unfinishedBytes({ era }, found, cursorJson),
    startedAt,
    updatedAt,
  }
}

/** What the runtime's index says of a session; null: nothing. */
export function indexEntryOf({ indexJson }: Pick<SessionDetail, 'indexJson'>): IndexEntry | null {
  return indexJson === null ? null : INDEX.parse(indexJson)
}

/** What URLs call the session that a runtime knows by this id, the one that changed last; null when none is read. */
export function findByRuntimeId(
  { connection }: Pick<Database, 'connection'>,
  sessionId: string,
): string | null {
  const sql = 'SELECT "id" FROM "Session" WHERE "sessionId" = ? ORDER BY "updatedAt" DESC LIMIT 1'
  return rowOf(ID, connection.run(sql, [sessionId]))?.id ?? null
}

/** The neighbours of a session in the list of all, newest first, those without a time last; null at either end. */
export function sessionNeighbours(
  { connection }: Pick<Database, 'connection'>,
  { row, updatedAt }: Pick<SessionDetail, 'row' | 'updatedAt'>,
): { readonly newer: string | null; readonly older: string | null } {
  /** The first that one of these conditions finds; each is answered by the index on the time, without a sort. */
  const first = (...steps: readonly (readonly [where: string, args: readonly number[]])[]): string | null => {
    for (const [where, args] of steps) {
      const found = rowOf(ID, connection.run(`SELECT "id" FROM "Session" WHERE ${where} LIMIT 1`, args))
      if (found !== null) return found.id
    }
    return null
  }
  const ascending = 'ORDER BY "updatedAt", "row"'
  const descending = 'ORDER BY "updatedAt" DESC, "row" DESC'
  if (updatedAt === null) {
    return {
      newer: first(
        [`"updatedAt" IS NULL AND "row" > ? ${ascending}`, [row]],
        [`"updatedAt" IS NOT NULL ${ascending}`, []],
      ),
      older: first([`"updatedAt" IS NULL AND "row" < ? ${descending}`, [row]]),
    }
  }
  return {
    newer: first(
      [`"updatedAt" = ? AND "row" > ? ${ascending}`, [updatedAt, row]],
      [`"updatedAt" > ? ${ascending}`, [updatedAt]],
    ),
    older: first(
      [`"updatedAt" = ? AND "row" < ? ${descending}`, [updatedAt, row]],
      [`"updatedAt" < ? ${descending}`, [updatedAt]],
      [`"updatedAt" IS NULL ${descending}`, []],
    ),
  }
}
