import { parseLogFileName } from '../core/logs/log-files'
import type { ColdStore } from './cold-store'
import { readFileState } from './file-state'
import type { LiveOwners, SessionLocks } from './lock-ports'
import type { WriteResult } from './receipt'
import { asRefused, Refused } from './refusal'
import { changeFiles } from './replace-file'
import type { Writer } from './write-ports'
import type { FileOperation, WaitOptions } from './write-requests'

/** What a reset takes away in one place, under one receipt. Paths are absolute. */
export type ResetPlace = {
  readonly what: 'cold-storage' | 'logs'
  readonly root: string
  readonly files: readonly string[]
}

/** Folders are not nested deeper than cold storage nests them. */
const MAX_DEPTH = 4

/**
 * Everything that managing contexts has left behind: what was dropped, and the logs. Policies, transcripts, memory and
 * receipts are none of it. Reads names only.
 */
export async function planReset(
  files: Writer['files'],
  cold: string,
  logs: string,
): Promise<readonly ResetPlace[]> {
  const dropped = await filesBelow(files, cold, MAX_DEPTH)
  const logged = (await filesBelow(files, logs, 0)).filter(
    (file) => parseLogFileName(files.nameOf(file)) !== null,
  )
  const places: ResetPlace[] = [
    { what: 'cold-storage', root: cold, files: dropped },
    { what: 'logs', root: logs, files: logged },
  ]
  return places.filter((place) => place.files.length > 0)
}

export type ResetRequest = { readonly place: ResetPlace; readonly actor: string; readonly wait: WaitOptions }

/** Takes away the files of one place: all of them or none, each with a backup, so that it can be undone (R6). */
export async function resetPlace(
  writer: Writer,
  store: Pick<ColdStore, 'remove'>,
  { place, actor, wait }: ResetRequest,
): Promise<WriteResult> {
  try {
    // What was stored together waits in a journal, which would bring it back.
    if (place.what === 'cold-storage') await store.remove([])
    const operations: FileOperation[] = []
    for (const file of place.files) {
      const expected = await readFileState(writer, file)
      if (expected !== null) operations.push({ op: 'remove', file, expected })
    }
    return await changeFiles(
      { ...writer, locks: FREE, live: NOBODY },
      {
        intent: {
          kind: 'reset',
          actor,
          reason: `Took away ${operations.length} files of ${place.what === 'logs' ? 'the context logs' : 'cold storage'} (reset).`,
          session: null,
          summary: { what: place.what, files: operations.length },
        },
        root: place.root,
        // Neither runtime works in these folders; pi's is the rule that asks nothing of them.
        kind: 'pi',
        operations,
        wait,
      },
    )
  } catch (error) {
    const reason = asRefused(error, place.root)
    if (reason instanceof Refused) return { kind: 'refused', refusal: reason.refusal }
    throw reason
  }
}

/** No runtime locks these folders or works in them, and thousands of files are not to be asked about one by one. */
const NOBODY: LiveOwners = { find: async () => null }

const FREE: SessionLocks = {
  owner: async () => null,
  take: async (file) => ({
    held: true,
    hold: {
      lockFile: `${file}.lock`,
      removed: [],
      stillHeld: async () => true,
      release: async () => undefined,
    },
  }),
}

/** Regular files below a folder; links and whatever else lies there are left alone. [] where there is none. */
async function filesBelow(files: Writer['files'], folder: string, depth: number): Promise<string[]> {
  if ((await files.look(folder))?.kind !== 'folder') return []
  const found: string[] = []
  for (const name of [...(await files.list(folder))].sort()) {
    const path = files.join(folder, name)
    const seen = await files.look(path)
    if (seen?.kind === 'file') found.push(path)
    else if (seen?.kind === 'folder' && depth > 0) found.push(...(await filesBelow(files, path, depth - 1)))
  }
  return found
}
