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

const KIND = z.enum(SENDERS)
const ERA = z.enum(['jsonl', 'sqlite'])
const STATE = z.enum(['live', 'reset', 'deleted', 'backup', 'checkpoint', 'imported', 'gone'])
const SOURCE = z.enum(WINDOW_SOURCES).nullable()
const BELIEVED = z.enum(WINDOW_SOURCES).exclude(['cut', 'observed']).nullable()
/** Every field was checked when the index was read, and all of them may be absent. */
const INDEX = json(z.custom<IndexEntry>((value) => typeof value === 'object' && value !== null))
const CURSOR_COLUMN = json(CURSOR)
const ID = z.object({ id: z.string() })

/** The session that URLs call `id`; null when there is none. */
export async function readSessionDetail(database: Database, id: string): Promise<SessionDetail | null> {
  const found = await database.prisma.session.findUnique({
    where: { id },
    omit: {
      foldJson: true,
      stamp: true,
      trendJson: true,
      inputTokens: true,
      outputTokens: true,
      cacheReadTokens: true,
      cacheWriteTokens: true,
    },
    include: { store: true, bill: { select: { listUsd: true, unpriced: true } } },
  })
  if (!found) return null
  const { bytes, startedAt, updatedAt, storeId: _storeId, store, bill, cursorJson, ...rest } = found
  const { state, windowSource, believedSource } = found
  const cursor = cursorJson === null ? null : CURSOR_COLUMN.parse(cursorJson)
  return {
    ...rest,
    listUsd: bill?.listUsd ?? null,
    unpriced: bill?.unpriced ?? found.costUnknownCalls,
    store: {
      id: store.id,
      kind: KIND.parse(store.kind),
      era: ERA.parse(store.era),
      root: store.root,
      label: store.label,
      state: store.state,
      problem: store.problem,
    },
    state: STATE.parse(state),
    windowSource: SOURCE.parse(windowSource),
    believedSource: BELIEVED.parse(believedSource),
    bytes: Number(bytes),
    unfinished: unfinishedBytes(store, found, cursor),
    startedAt: startedAt?.getTime() ?? null,
    updatedAt: updatedAt?.getTime() ?? null,
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
