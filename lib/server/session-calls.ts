import 'server-only'
import { readCalls } from '../db/queries/session-calls'
import type { SessionDetail } from '../db/queries/session-detail'
import type { CallColumns } from '../view/call-columns'
import { columnsOfCalls } from '../view/call-records'
import { getDatabase } from './database'
import { oncePerProcess } from './process-memory'
import { RecentlyUsed } from './recently-used'

type Kept = { readonly revision: number; readonly columns: CallColumns }

/** 20,000 calls are about 5 MB as columns. */
const kept = oncePerProcess('calls', () => new RecentlyUsed<number, Kept>(12))

/** All calls of a session as columns; read again only when the session has changed. */
export async function getCalls(session: SessionDetail): Promise<CallColumns> {
  const known = kept.get(session.row)
  if (known?.revision === session.revision) return known.columns
  const columns = columnsOfCalls(readCalls(await getDatabase(), session.row))
  kept.set(session.row, { revision: session.revision, columns })
  return columns
}
