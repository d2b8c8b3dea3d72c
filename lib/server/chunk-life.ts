import 'server-only'
import { ChunkLives } from '../core/logs/chunk-life'
import { isUndoing } from '../core/logs/recovery-events'
import { ANY_LINE, findLogLines } from '../db/queries/log-lines'
import { findUndoneRecoveries } from '../db/queries/undone-recoveries'
import { type LifeView, lifeView } from '../view/chunk-life'
import { sessionTitle } from '../view/session-title'
import { transcriptsOf } from './cold-chunk'
import { getColdFolders } from './cold-library'
import { getDatabase } from './database'
import { getInspected } from './inspected-session'

/** Lines that tell of one chunk. */
const MOST_LINES = 1000

/** The audit tells of an undo when it begins, the log when it has ended. Milliseconds. */
const SAME_UNDO_MS = 60_000

/**
 * The life of a chunk from birth to expiry, joined by its id across transcript, drops, cold storage and recoveries. The
 * same id in several sessions are several chunks. @param session null: in all of them
 */
export async function getChunkLives(chunkId: string, session: string | null): Promise<LifeView[]> {
  const lives = new ChunkLives()
  const database = await getDatabase()
  const page = { skip: 0, limit: MOST_LINES }
  const noted: number[] = []
  for (const { record } of findLogLines(database, { ...ANY_LINE, chunk: chunkId }, page)) {
    lives.logged(record)
    if (record.kind === 'recovery' && isUndoing(record) && record.at !== null) noted.push(record.at)
  }
  const coldAt = new Map<string, number | null>()
  const entries = new Map<string, readonly string[]>()
  for (const { index } of await getColdFolders()) {
    for (const { sessionId, at, tokens, reason, until, place } of (await index?.cold.named(chunkId)) ?? []) {
      lives.stored({ chunkId, sessionId, at, tokens, reason, recoverableUntil: until })
      coldAt.set(sessionId, at)
      entries.set(sessionId, place?.entryIds ?? [])
    }
  }
  const views: LifeView[] = []
  for (const { session: sessionId, at } of findUndoneRecoveries(database, chunkId)) {
    const isNoted = noted.some((when) => Math.abs(when - at) < SAME_UNDO_MS)
    if (!isNoted) lives.undone(chunkId, sessionId, at)
  }
  const known = lives.lives(Date.now())
  for (const { sessionId } of known)
    await addBirth(lives, chunkId, sessionId, entries.get(sessionId ?? '') ?? [])
  for (const life of lives.lives(Date.now())) {
    if (session !== null && life.sessionId !== session) continue
    const [found] = life.sessionId === null ? [] : await transcriptsOf({ sessionId: life.sessionId })
    const named = found === undefined ? null : { id: found.id, title: sessionTitle(found) }
    views.push(lifeView(life, named, coldAt.get(life.sessionId ?? '')))
  }
  return views
}

/** The entry that the chunk was made of, where its id or its record names it. */
async function addBirth(
  lives: ChunkLives,
  chunkId: string,
  sessionId: string | null,
  entryIds: readonly string[],
): Promise<void> {
  const [session] = sessionId === null ? [] : await transcriptsOf({ sessionId })
  if (session === undefined) return
  // A transcript that cannot be read leaves the birth unknown.
  const inspected = await getInspected(session).catch(() => null)
  const fact = inspected?.facts.find(({ id }) => id !== null && (id === chunkId || entryIds.includes(id)))
  if (fact !== undefined) lives.born({ chunkId, sessionId, at: fact.at, tokens: null })
}
