import type { SessionFacts } from '../../core/transcript/session-facts'
import type { Cursor } from '../../engine/ports'
import { unfinishedBytes } from '../../engine/unfinished'
import type { Database } from '../client'

/** One session with the store it belongs to, as the pages of the session need it. Times in milliseconds. */
export type SessionDetail = SessionFacts & {
  readonly row: number
  readonly store: { readonly id: string; readonly root: string }
}

/** The session that URLs call `id`; null when there is none. */
export async function findSession(database: Database, id: string): Promise<SessionDetail | null> {
  const found = await database.prisma.session.findUnique({
    where: { id },
    omit: {
      foldJson: true,
      trendJson: true,
      inputTokens: true,
      outputTokens: true,
      cacheReadTokens: true,
      cacheWriteTokens: true,
    },
    include: { store: true },
  })
  if (!found) return null
  const { bytes, startedAt, updatedAt, storeId: _storeId, store, cursorJson, ...rest } = found
  const cursor: Cursor | null = cursorJson === null ? null : JSON.parse(cursorJson)
  return {
    ...rest,
    store: {
      id: store.id,
      kind: store.kind,
      era: store.era,
      root: store.root,
      label: store.label,
      state: store.state,
      problem: store.problem,
    },
    bytes: Number(bytes),
    unfinished: unfinishedBytes(store, found, cursor),
    startedAt: startedAt?.getTime() ?? null,
    updatedAt: updatedAt?.getTime() ?? null,
  }
}

/** The neighbours of a session in the list of all, newest first, those without a time last; null at either end. */
export function sessionNeighbours(
  { connection }: Pick<Database, 'connection'>,
  { row, updatedAt }: Pick<SessionDetail, 'row' | 'updatedAt'>,
): { readonly newer: string | null; readonly older: string | null } {
  /** The first that one of these conditions finds; each is answered by the index on the time, without a sort. */
  const first = (...steps: readonly (readonly [where: string, args: readonly number[]])[]): string | null => {
    for (const [where, args] of steps) {
      const id = connection.run(`SELECT id FROM "Session" WHERE ${where} LIMIT 1`, args).rows[0]?.[0]
      if (typeof id === 'string') return id
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
