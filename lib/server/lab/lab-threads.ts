import 'server-only'
import { openReplays } from '../../compose/replay/lab'
import { databasePath } from '../../db/database-url'
import type { ReplayExecutor } from '../../engine/replay/replay-executor'
import { getDatabase } from '../process/database'
import { getSetup } from '../process/setup'

/**
 * Threads that replay beside the dashboard, and keep what they make ready. While it is developed, the threads that were
 * built may be those of another version: then its own thread does the work.
 * @param threads undefined: as many as the machine bears
 */
export async function labThreads(threads?: number): Promise<ReplayExecutor> {
  const where = process.env.NODE_ENV === 'production' ? 'package' : 'beside'
  return openReplays(getSetup(), databasePath((await getDatabase()).url), where, threads)
}
