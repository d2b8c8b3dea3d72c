import 'server-only'
import type { SessionDetail } from '../../db/queries/session-detail'
import { type LoggedSession, readLoggedSession } from '../../engine/compaction/cutoff-trial'
import { remember } from '../process/remember'
import { sourceOf } from '../session/entry-source'
import { getInspected } from '../session/inspected-session'

/** Sessions that are kept as chunks; a long one takes some megabytes. */
const sessions = remember<number, Promise<LoggedSession>>('judged-sessions', 12)

/** What drops of a session are judged by, worked out once until it changes. @throws SourceProblem */
export function getLoggedSession(session: SessionDetail): Promise<LoggedSession> {
  return sessions(session.row, session.revision, async () =>
    readLoggedSession(sourceOf(session).reader, await getInspected(session)),
  )
}
