import 'server-only'
import { peekPorts } from '../../compose/transcript-peek'
import type { UnreadableEntry } from '../../db/queries/store-problems'
import type { findStoreSummaries } from '../../db/queries/store-summaries'
import { importLossOf } from '../../engine/repair/import-losses'

/** Damaged transcripts that are searched for the page; the page is read often, and a few tell enough. */
const MOST = 20

type Stores = Awaited<ReturnType<typeof findStoreSummaries>>

/** What OpenClaw's move into its database would lose of the transcripts that hold unreadable lines. */
export async function readImportLosses(stores: Stores, unreadable: readonly UnreadableEntry[]) {
  const toMove = new Set(
    stores.filter(({ kind, era }) => kind === 'openclaw' && era === 'jsonl').map(({ id }) => id),
  )
  const damaged = [
    ...new Map(
      unreadable.filter(({ storeId }) => toMove.has(storeId)).map((entry) => [entry.id, entry]),
    ).values(),
  ].filter(({ path }) => path.endsWith('.jsonl'))
  const found = await Promise.all(
    damaged.slice(0, MOST).map(async (entry) => {
      const loss = await importLossOf(peekPorts, entry.path)
      return loss === null || loss === 'refused' ? [] : [{ ...entry, ...loss }]
    }),
  )
  return found.flat()
}
