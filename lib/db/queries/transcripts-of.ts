import * as z from 'zod'
import type { Database } from '../client'
import { rowsOf } from '../rows'
import { EVENT_COLUMNS, EVENT_SESSION, type EventSession } from './event-session'

/** A transcript that its runtime has archived. */
export type ArchivedSession = {
  readonly row: number
  readonly id: string
  readonly sessionId: string
  readonly name: string | null
  readonly key: string | null
  /** reset | deleted, or what an archive of a database is. */
  readonly state: string
  readonly path: string
}

/** Transcripts that were reset, deleted or moved into a runtime's own cold archive, newest first. */
export async function findArchivedSessions({ prisma }: Pick<Database, 'prisma'>): Promise<ArchivedSession[]> {
  return prisma.session.findMany({
    where: { OR: [{ state: { in: ['reset', 'deleted'] } }, { path: { endsWith: '.zst' } }] },
    orderBy: { updatedAt: 'desc' },
    select: { row: true, id: true, sessionId: true, name: true, key: true, state: true, path: true },
  })
}

/** Ids, for URLs, of the transcripts of a session, those that are written to first. */
export async function findTranscriptsOf(
  { prisma }: Pick<Database, 'prisma'>,
  sessionId: string,
  limit: number,
): Promise<string[]> {
  const found = await prisma.session.findMany({
    where: { sessionId },
    orderBy: { updatedAt: 'desc' },
    take: limit,
    select: { id: true, state: true },
  })
  return found.toSorted((a, b) => Number(b.state === 'live') - Number(a.state === 'live')).map(({ id }) => id)
}

/** Ids, for URLs, and names of sessions, by the runtime's own id; of several transcripts the newest. */
export async function findSessionNames(
  { prisma }: Pick<Database, 'prisma'>,
  sessionIds: readonly string[],
): Promise<ReadonlyMap<string, Pick<ArchivedSession, 'id' | 'sessionId' | 'name' | 'key'>>> {
  const found = await prisma.session.findMany({
    where: { sessionId: { in: [...sessionIds] } },
    orderBy: { updatedAt: 'asc' },
    select: { id: true, sessionId: true, name: true, key: true },
  })
  return new Map(found.map((one) => [one.sessionId, one]))
}

/** Ids, for URLs, of the sessions that were written to last. */
export async function findNewestSessions(
  { prisma }: Pick<Database, 'prisma'>,
  limit: number,
): Promise<string[]> {
  const found = await prisma.session.findMany({
    where: { state: 'live', calls: { gt: 0 } },
    orderBy: { updatedAt: 'desc' },
    take: limit,
    select: { id: true },
  })
  return found.map(({ id }) => id)
}

const NAMED = z.object(EVENT_SESSION)

/** Transcripts as lists name them, by the ids that addresses carry. */
export function findTranscriptNames(
  { connection }: Pick<Database, 'connection'>,
  ids: readonly string[],
): ReadonlyMap<string, EventSession> {
  const answer = connection.run(
    `SELECT ${EVENT_COLUMNS} FROM "Session" s WHERE s."id" IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(ids)],
  )
  return new Map(rowsOf(NAMED, answer).map((one) => [one.id, one]))
}
