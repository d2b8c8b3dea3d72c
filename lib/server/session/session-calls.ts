import 'server-only'
import { readCallBlocks } from '../../db/call-blocks'
import type { SessionDetail } from '../../db/queries/session-detail'
import type { CallColumns } from '../../view/session/call-columns'
import { columnsOfCalls } from '../../view/session/call-records'
import { getDatabase } from '../process/database'
import { remember } from '../process/remember'

/** 20,000 calls are about 5 MB as columns. */
const columnsOf = remember<number, Promise<CallColumns>>('calls', 12)

/** All calls of a session as columns; read again only when the session has changed. */
export function getCalls(session: SessionDetail): Promise<CallColumns> {
  return columnsOf(session.row, session.revision, async () =>
    columnsOfCalls(readCallBlocks((await getDatabase()).connection, session.row)),
  )
}
