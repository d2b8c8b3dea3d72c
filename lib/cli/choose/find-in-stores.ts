import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Io } from '../io'
import type { ListedTranscript } from './choose-session'
import { findSession } from './find-session'
import type { Sources } from './sources'

/**
 * The transcript that SESSION means, as its store lists it: for verbs that write, which keep the store's index in step
 * also when a session is named by its file. A file outside of every store has its own entry.
 */
export async function findInStores(io: Io, sources: Sources, wanted: string): Promise<ListedTranscript> {
  const file = realPath(resolve(io.cwd, wanted))
  if (file !== null)
    for (const listed of await sources.listAll()) if (realPath(listed.transcript.path) === file) return listed
  return findSession(io, sources, wanted)
}

/** null where nothing is. */
function realPath(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}
