import 'server-only'
import { openDatabase } from '../../compose/open'
import type { Database } from '../../db/client'
import { oncePerProcess } from './process-memory'
import { getSetup } from './setup'

/** The database cannot be used; the message says why and what to do, for the operator. */
export class DatabaseUnavailableError extends Error {
  readonly code = 'DATABASE_UNAVAILABLE'
}

const state = oncePerProcess('database', (): { opening: Promise<Database> | null } => ({ opening: null }))

/**
 * The database that pages read. Opened at the first request and kept; after a failure the next request tries again.
 * @throws DatabaseUnavailableError, SetupError
 */
export function getDatabase(): Promise<Database> {
  state.opening ??= open().catch((error: unknown) => {
    state.opening = null
    throw error
  })
  return state.opening
}

async function open(): Promise<Database> {
  const opened = await openDatabase(getSetup().environment)
  if (!opened.ok) throw new DatabaseUnavailableError(opened.message)
  return opened.database
}
