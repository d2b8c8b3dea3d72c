import { storeFindings } from '../core/findings/stores/store-findings'
import type { Milliseconds } from '../core/units/units'
import { writeStoreFindings } from '../db/commands/store-findings'
import { openConnection } from '../db/open-connection'
import { findJudgedSessions } from '../db/queries/judged-sessions'
import { findKnownStores } from '../db/queries/known-stores'
import type { Setup } from './setup'
import { storeFacts } from './store-facts'

/** Judges the stores of a database as wholes. */
export type StoreJudge = {
  /**
   * Judges what was read of stores, with the locks and folders beside them as they are now, and keeps what it finds.
   * @param which ids of the stores that are read; null: all, and what was found in those that are missing goes
   */
  judge(which: ReadonlySet<string> | null, now: Milliseconds): Promise<void>
  close(): void
}

/** @param databaseFile of a migrated database, into which this process reads stores */
export function openStoreJudge(setup: Setup, databaseFile: string): StoreJudge {
  const connection = openConnection(databaseFile)
  return {
    judge: async (which, now) => {
      const known = findKnownStores({ connection })
      const read = known.filter(
        ({ id, state }) => (which?.has(id) ?? true) && (state === 'ok' || state === 'empty'),
      )
      const judged = read.map((store) => ({
        store,
        transcripts: findJudgedSessions({ connection }, store.id),
      }))
      for (const facts of await storeFacts(setup, judged, now))
        await writeStoreFindings(connection, facts.storeId, { findings: storeFindings(facts), at: now })
      if (which !== null) return
      for (const { id, state } of known)
        if (state === 'missing') await writeStoreFindings(connection, id, { findings: [], at: now })
    },
    close: () => connection.close(),
  }
}
