import 'server-only'
import { importLoss } from '../core/repair/import-loss'
import type { UnreadableEntry } from '../db/queries/store-problems'
import type { findStoreSummaries } from '../db/queries/store-summaries'
import { lookAtTranscript } from '../engine/inspect-transcript'
import { inspectPorts } from '../wire/transcript-check'

/** Damaged transcripts that are looked through for the page; the page is read often, and a few tell enough. */
const MOST = 20

type Stores = Awaited<ReturnType<typeof findStoreSummaries>>

/** What OpenClaw's move into its database would lose of the transcripts that hold unreadable lines. */
export async function lossesOf(stores: Stores, unreadable: readonly UnreadableEntry[]) {
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
      const looked = await lookAtTranscript(inspectPorts, entry.path)
      const loss = looked.kind === 'looked' ? importLoss(looked.check) : null
      return loss === null ? [] : [{ ...entry, ...loss }]
    }),
  )
  return found.flat()
}
