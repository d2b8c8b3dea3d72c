import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { leftLock } from '../adapters/locks/left-locks'
import type { StoreFacts, StoreSession } from '../core/findings/stores/store-facts'
import type { Milliseconds } from '../core/units/units'
import type { StoredTranscript } from '../engine/read/sessions-once'
import { deletionOf } from './archive'
import type { Setup } from './setup'

/** What is judged of each store as a whole, from its listing and the folders that its transcripts are in. */
export function storeFacts(
  { environment, settings }: Pick<Setup, 'environment' | 'settings'>,
  listed: readonly StoredTranscript[],
  now: Milliseconds,
): StoreFacts[] {
  const stores = new Map(listed.map(({ store }) => [store.id, store]))
  const locks = lockNames()
  return [...stores.values()].map((store) => {
    const deletion = deletionOf(environment, store)
    const sessions = listed
      .filter((one) => one.store.id === store.id && one.transcript.problem === undefined)
      .map(({ transcript }): StoreSession => {
        const { id, sessionId, agent, path, state, stamp, index } = transcript
        const isIndexed = index !== null
        const isFile = store.era === 'jsonl'
        return {
          ...{ transcriptId: id, sessionId, agent, path },
          deletion:
            isFile && state !== 'gone'
              ? (deletion?.({ path, state, mtimeMs: stamp.mtimeMs, isIndexed }) ?? null)
              : null,
          lock: isFile && locks(path) ? lockBeside(path, now) : null,
        }
      })
    return { storeId: store.id, runtime: store.kind, now, sessions, isArchived: settings.archive.enabled }
  })
}

/** Whether a lock file is beside a transcript; each folder is looked into once. */
function lockNames(): (path: string) => boolean {
  const folders = new Map<string, ReadonlySet<string>>()
  return (path) => {
    const folder = dirname(path)
    const known = folders.get(folder) ?? namesIn(folder)
    folders.set(folder, known)
    return known.has(`${basename(path)}.lock`)
  }
}

function namesIn(folder: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(folder).filter((name) => name.endsWith('.lock')))
  } catch {
    return new Set()
  }
}

/** What is no lock file, whatever its name, is none that could be left behind. */
function lockBeside(path: string, now: Milliseconds): StoreSession['lock'] {
  try {
    return leftLock(join(dirname(path), `${basename(path)}.lock`), now)
  } catch {
    return null
  }
}
