import type { Database } from '../client'

/** One session with the store it belongs to, as the pages of the session need it. Times in milliseconds. */
export type SessionDetail = {
  readonly row: number
  readonly id: string
  readonly store: {
    readonly id: string
    readonly kind: string
    readonly era: string
    readonly root: string
    readonly label: string
    readonly state: string
    readonly problem: string | null
  }
  readonly sessionId: string
  readonly key: string | null
  readonly agent: string | null
  readonly channel: string | null
  readonly name: string | null
  readonly path: string
  readonly state: string
  readonly problem: string | null
  readonly cwd: string | null
  readonly version: number
  readonly entries: number
  readonly unreadable: number
  readonly unknownTypes: number
  readonly calls: number
  readonly turns: number
  readonly compactions: number
  readonly bytes: number
  readonly provider: string | null
  readonly model: string | null
  readonly window: number | null
  readonly windowSource: string | null
  readonly contextTokens: number | null
  readonly contextBasis: string
  readonly contextErrorPct: number | null
  readonly costUsd: number | null
  readonly costUnknownCalls: number
  readonly indexJson: string | null
  readonly startedAt: number | null
  readonly updatedAt: number | null
  readonly revision: number
}

/** The session that URLs call `id`; null when there is none. */
export async function findSession(database: Database, id: string): Promise<SessionDetail | null> {
  const found = await database.prisma.session.findUnique({
    where: { id },
    omit: {
      cursorJson: true,
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
  const { bytes, startedAt, updatedAt, storeId: _storeId, store, ...rest } = found
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
    startedAt: startedAt?.getTime() ?? null,
    updatedAt: updatedAt?.getTime() ?? null,
  }
}

/** The neighbours of a session in the list of all, newest first; null at either end. */
export function sessionNeighbours(
  database: Database,
  session: Pick<SessionDetail, 'row' | 'updatedAt'>,
): { readonly newer: string | null; readonly older: string | null } {
  const at = session.updatedAt ?? -1
  const newer = database.connection.run(
    `SELECT id FROM "Session" WHERE COALESCE("updatedAt", -1) > ? OR (COALESCE("updatedAt", -1) = ? AND "row" > ?)
     ORDER BY COALESCE("updatedAt", -1), "row" LIMIT 1`,
    [at, at, session.row],
  )
  const older = database.connection.run(
    `SELECT id FROM "Session" WHERE COALESCE("updatedAt", -1) < ? OR (COALESCE("updatedAt", -1) = ? AND "row" < ?)
     ORDER BY COALESCE("updatedAt", -1) DESC, "row" DESC LIMIT 1`,
    [at, at, session.row],
  )
  return { newer: textOf(newer.rows[0]?.[0]), older: textOf(older.rows[0]?.[0]) }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
