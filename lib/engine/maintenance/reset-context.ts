import type { ColdStore } from '../cold/cold-store'
import { readFileState } from '../write/file-state'
import type { LiveOwners, SessionLocks } from '../write/lock-ports'
import type { WriteResult } from '../write/receipt'
import { asRefused, Refused } from '../write/refusal'
import { changeFiles } from '../write/replace-file'
import type { Writer } from '../write/write-ports'
import type { FileOperation, WaitOptions } from '../write/write-requests'
import { coldFilesIn, type FilesIn, isColdFile, isLogFile, logFilesIn } from './recognise-files'

/** What a reset takes away in one place, under one receipt. Paths are absolute. */
export type ResetPlace = FilesIn & { readonly what: 'cold-storage' | 'logs'; readonly root: string }

/**
 * Everything that managing contexts has left behind: what was dropped, and the logs. Policies, transcripts, memory and
 * receipts are none of it. A folder may hold files of others, so each is read before it counts.
 */
export async function planReset(
  files: Writer['files'],
  cold: string,
  logs: string,
): Promise<readonly ResetPlace[]> {
  const places: ResetPlace[] = [
    { what: 'cold-storage', root: cold, ...(await coldFilesIn(files, cold)) },
    { what: 'logs', root: logs, ...(await logFilesIn(files, logs)) },
  ]
  return places.filter((place) => place.files.length > 0 || place.others.count > 0)
}

export type ResetRequest = { readonly place: ResetPlace; readonly actor: string; readonly wait: WaitOptions }

/** Takes away the files of one place: all of them or none, each with a backup, so that it can be undone. */
export async function resetPlace(
  writer: Writer,
  store: Pick<ColdStore, 'remove'>,
  { place, actor, wait }: ResetRequest,
): Promise<WriteResult> {
  try {
    // What was stored together waits in a journal, which would bring it back.
    if (place.what === 'cold-storage') await store.remove([])
    const isOwn = place.what === 'cold-storage' ? isColdFile : isLogFile
    const operations: FileOperation[] = []
    for (const file of place.files) {
      const expected = await readFileState(writer, file)
      // It may be another one by now. What changes after this check is refused when its turn comes.
      if (expected === null || !(await isOwn(writer.files, place.root, file))) continue
      operations.push({ op: 'remove', file, expected })
    }
    return await changeFiles(
      { ...writer, locks: FREE, live: NO_OWNERS },
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
const NO_OWNERS: LiveOwners = { find: async () => null }

const FREE: SessionLocks = {
  owner: async () => null,
  acquire: async (file) => ({
    held: true,
    lock: {
      lockFile: `${file}.lock`,
      removed: [],
      stillHeld: async () => true,
      release: async () => undefined,
    },
  }),
}
