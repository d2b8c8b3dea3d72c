import { dirname } from 'node:path'
import { folderStamp } from '../../adapters/files/folder-stamp'
import { unreadableFolder } from '../../adapters/files/unreadable-folder'
import { storeFindings } from '../../core/findings/stores/store-findings'
import type { Milliseconds } from '../../core/units/units'
import { reasonOf } from '../../core/words/reason-of'
import { noteFindingsProblem, writeStoreFindings } from '../../db/commands/store-findings'
import { openConnection } from '../../db/open-connection'
import { findJudgedSessions, sessionsStamp } from '../../db/queries/judged-sessions'
import { findKnownStores } from '../../db/queries/known-stores'
import type { FoundStore } from '../../engine/read/ports'
import type { Setup } from '../setup'
import { openStoreFacts } from './store-facts'

/** Judges the stores of a database as wholes. */
export type StoreJudge = {
  /**
   * Judges what was read of stores, with the locks and folders beside them as they are now, and keeps what it finds. A
   * store in which nothing has changed since the last time is left alone for a while.
   * @param which ids of the stores that are read; null: all, and what was found in those that are missing goes
   * @throws StoresNotJudged when some could not be judged; the others were
   */
  judge(which: ReadonlySet<string> | null, now: Milliseconds): Promise<void>
  close(): void
}

/** Some stores could not be judged. What was found in them before stays. */
export class StoresNotJudged extends Error {
  readonly code = 'STORES_NOT_JUDGED'

  /** @param problems a store and what went wrong, each */
  constructor(readonly problems: readonly { readonly root: string; readonly problem: string }[]) {
    super(problems.map(({ root, problem }) => `${root}: ${problem}`).join('; '))
  }
}

/**
 * Transcripts come due, and settings of a runtime change, without a folder changing: after so long a store is judged
 * all the same.
 */
const LEFT_ALONE: Milliseconds = 10 * 60_000
/** What changed last only just may change again within the same tick of the file system's clock. */
const SETTLED: Milliseconds = 2_000
/** Folders that are looked at to see whether something changed; a store with more is always judged. */
const MOST_FOLDERS = 500

/** How a store was when it was judged. */
type Judged = { readonly at: Milliseconds; readonly folders: readonly string[]; readonly stamp: string }

/** @param databaseFile of a migrated database, into which this process reads stores */
export function openStoreJudge(setup: Setup, databaseFile: string): StoreJudge {
  const connection = openConnection(databaseFile)
  const judged = new Map<string, Judged>()
  /** null: it changed only just, or is too large to tell. */
  const stampOf = async ({ id }: FoundStore, folders: readonly string[], now: Milliseconds) => {
    if (folders.length > MOST_FOLDERS) return null
    const rows = sessionsStamp({ connection }, id)
    const { text, newest } = await folderStamp(folders)
    return newest > now - SETTLED ? null : `${rows} ${text}`
  }
  const isUnchanged = async (store: FoundStore, now: Milliseconds) => {
    const before = judged.get(store.id)
    if (before === undefined || Math.abs(now - before.at) >= LEFT_ALONE) return false
    return (await stampOf(store, before.folders, now)) === before.stamp
  }
  return {
    judge: async (which, now) => {
      const known = findKnownStores({ connection })
      const read = known.filter(
        ({ id, state }) => (which?.has(id) ?? true) && (state === 'ok' || state === 'empty'),
      )
      const problems: { root: string; problem: string }[] = []
      const attempt = async (store: FoundStore, work: () => Promise<void>) => {
        try {
          await work()
        } catch (error) {
          judged.delete(store.id)
          const problem = reasonOf(error)
          problems.push({ root: store.root, problem })
          // A database that takes no findings may not take this either; it is reported all the same.
          await noteFindingsProblem(connection, store.id, problem).catch(() => undefined)
        }
      }
      const examiner = await openStoreFacts(setup, read)
      for (const store of read)
        await attempt(store, async () => {
          if (await isUnchanged(store, now)) return
          judged.delete(store.id)
          const transcripts = findJudgedSessions({ connection }, store.id)
          const paths = transcripts.map(({ path }) => dirname(path))
          const folders = [...new Set([...paths, ...examiner.besides(store)])]
          // Before anything is read: what changes meanwhile is seen the next time.
          const stamp = await stampOf(store, folders, now)
          const facts = await examiner.factsOf({ store, transcripts }, now)
          await writeStoreFindings(connection, store.id, { findings: storeFindings(facts), at: now })
          // A lock grows old, and its owner ends, without any folder changing.
          const isLocked = facts.sessions.some(({ lock }) => lock !== null)
          // What cannot be looked into counts as nothing in the findings: that is said beside them.
          const problem = await unreadableFolder(folders)
          await noteFindingsProblem(connection, store.id, problem)
          if (stamp !== null && !isLocked && problem === null)
            judged.set(store.id, { at: now, folders, stamp })
        })
      if (which === null)
        for (const store of known)
          if (store.state === 'missing')
            await attempt(store, async () => {
              await writeStoreFindings(connection, store.id, { findings: [], at: now })
            })
      if (problems.length > 0) throw new StoresNotJudged(problems)
    },
    close: () => connection.close(),
  }
}
