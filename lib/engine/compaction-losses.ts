import type { InspectedCompaction } from '../core/compaction/inspect'
import { type Losses, lossesOf } from '../core/compaction/lost'
import type { EntryFact } from '../core/transcript/entry'
import type { InspectedSession } from './inspect-session'
import type { StoreReader } from './ports'
import { readMessages } from './summary-material'

/** What follows a compaction is looked at up to so many entries: what comes back comes back soon (replay.md §2.4). */
const MOST_LATER = 2_000

export type CompactionDetail = {
  readonly summary: string
  readonly losses: Losses
  /** Entries after it that were looked at, and whether that is all there is up to the next boundary. */
  readonly lookedAt: number
  readonly complete: boolean
}

/**
 * Reads the messages around a compaction and names what it lost.
 * @throws SourceProblem when entries are not where they were read
 */
export async function compactionDetail(
  reader: StoreReader,
  session: InspectedSession,
  compaction: Pick<InspectedCompaction, 'seq' | 'summarised' | 'kept'>,
): Promise<CompactionDetail> {
  const { facts } = session
  const next = facts.findIndex(
    ({ seq, type }) => seq > compaction.seq && (type === 'compaction' || type === 'reset'),
  )
  const after = facts.slice(compaction.seq + 1, next < 0 ? undefined : next)
  const later = after.slice(0, MOST_LATER)
  const pick = (seqs: readonly number[]) => seqs.flatMap((seq) => facts[seq] ?? [])
  const read = async (wanted: readonly EntryFact[]) => [
    ...(await readMessages(reader, { session }, wanted)).values(),
  ]
  const [record] = await read(pick([compaction.seq]))
  const losses = lossesOf({
    summarised: await read(pick(compaction.summarised)),
    summary: record?.text ?? '',
    kept: await read(pick(compaction.kept)),
    later: await read(later),
  })
  return {
    summary: record?.text ?? '',
    losses,
    lookedAt: later.length,
    complete: later.length === after.length,
  }
}
