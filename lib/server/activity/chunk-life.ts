import 'server-only'
import { isUndoing } from '../../core/logs/recovery-events'
import { ANY_LINE, findLogLines } from '../../db/queries/log-lines'
import { findUndoneRecoveries } from '../../db/queries/undone-recoveries'
import { chunkLives } from '../../engine/cold/chunk-lives'
import { type LifeView, lifeView } from '../../view/activity/chunk-life'
import { sessionTitle } from '../../view/session/session-title'
import { transcriptsOf } from '../cold/cold-chunk'
import { findNamed, getColdFolders } from '../cold/cold-library'
import { getDatabase } from '../process/database'
import { getInspected } from '../session/inspected-session'

/** Lines about one chunk. */
const MOST_LINES = 1000

/** The audit has an undo from its beginning, the log from its end. Milliseconds. */
const SAME_UNDO_MS = 60_000

/** The lives of the chunks with an id (`chunkLives`), as they may be shown. @param session null: in all of them */
export async function getChunkLives(chunkId: string, session: string | null): Promise<LifeView[]> {
  const database = await getDatabase()
  const page = { skip: 0, limit: MOST_LINES }
  const lines = findLogLines(database, { ...ANY_LINE, chunk: chunkId }, page)
  const records = lines.map(({ record }) => record)
  const noted = records.flatMap((record) =>
    record.kind === 'recovery' && isUndoing(record) && record.at !== null ? record.at : [],
  )
  const undone = findUndoneRecoveries(database, chunkId).filter(
    ({ at }) => !noted.some((when) => Math.abs(when - at) < SAME_UNDO_MS),
  )
  const stored = await findNamed(await getColdFolders(), chunkId)
  const coldAt = new Map(stored.map(({ sessionId, at }) => [sessionId, at]))
  const views: LifeView[] = []
  for (const life of await chunkLives(chunkId, { records, stored, undone, birthOf }, Date.now())) {
    if (session !== null && life.sessionId !== session) continue
    const [found] = life.sessionId === null ? [] : await transcriptsOf({ sessionId: life.sessionId })
    const named = found === undefined ? null : { id: found.id, title: sessionTitle(found) }
    views.push(lifeView(life, named, coldAt.get(life.sessionId ?? '')))
  }
  return views
}

async function birthOf(sessionId: string, entryIds: readonly string[]) {
  const [session] = await transcriptsOf({ sessionId })
  // A transcript that cannot be read leaves the birth unknown.
  const inspected = session === undefined ? null : await getInspected(session).catch(() => null)
  return inspected?.facts.find(({ id }) => id !== null && entryIds.includes(id))
}
