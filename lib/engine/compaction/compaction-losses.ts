import type { InspectedCompaction } from '../../core/compaction/inspect'
import { type Losses, lossesOf } from '../../core/compaction/lost'
import type { EntryFact } from '../../core/transcript/entry'
import { isObject, stringOf } from '../../core/transcript/json'
import { isProviderCompaction } from '../../core/transcript/provider-checkpoint'
import type { InspectedSession } from '../read/inspect-session'
import type { StoreReader } from '../read/ports'
import { readMessages } from './summary-material'

/**
 * What follows a compaction is examined up to so many entries: what comes back comes back soon
 * (lib/docs/relevance.md#needs).
 */
const MOST_LATER = 2_000

export type CompactionLosses = {
  /** null: the provider made it and keeps it encrypted. */
  readonly summary: string | null
  /** null: what it kept is unknown, and so is what it lost. */
  readonly losses: Losses | null
  /** Entries after it that were examined, and whether that is all there is up to the next boundary. */
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
  compaction: Pick<InspectedCompaction, 'seq' | 'summarised' | 'kept' | 'provider'>,
): Promise<CompactionLosses> {
  const { provider } = compaction
  if (provider !== undefined && !provider.readable)
    return { summary: null, losses: null, lookedAt: 0, complete: true }
  const { facts } = session
  const next = facts.findIndex((fact) => fact.seq > compaction.seq && beginsAnew(fact))
  const after = facts.slice(compaction.seq + 1, next < 0 ? undefined : next)
  const later = after.slice(0, MOST_LATER)
  const pick = (seqs: readonly number[]) => seqs.flatMap((seq) => facts[seq] ?? [])
  const read = async (wanted: readonly EntryFact[]) => [
    ...(await readMessages(reader, { session }, wanted)).values(),
  ]
  const [record] = await read(pick([compaction.seq]))
  const isProviders = provider !== undefined
  const summary = isProviders
    ? await summaryOfProvider(reader, session, compaction.seq)
    : (record?.text ?? '')
  // Of its message the provider's summary is one part, and the answer another.
  const answer = isProviders && record !== undefined ? [record] : []
  const losses = lossesOf({
    summarised: await read(pick(compaction.summarised)),
    summary,
    kept: [...answer, ...(await read(pick(compaction.kept)))],
    later: await read(later),
  })
  return {
    summary,
    losses,
    lookedAt: later.length,
    complete: later.length === after.length,
  }
}

function beginsAnew(fact: EntryFact): boolean {
  return fact.type === 'compaction' || fact.type === 'reset' || isProviderCompaction(fact)
}

/** So much of a provider's summary is shown. UTF-16 units. */
const MOST_SUMMARY = 200_000

/** The summary that Anthropic left on an answer. */
async function summaryOfProvider(
  reader: StoreReader,
  { facts, store, transcript }: InspectedSession,
  seq: number,
): Promise<string> {
  const fact = facts[seq]
  if (fact === undefined) return ''
  const value: unknown = JSON.parse(await reader.source(store, transcript, fact))
  const message = isObject(value) && isObject(value.message) ? value.message : {}
  const replay = isObject(message.providerReplay) ? message.providerReplay : {}
  return (stringOf(replay.data) ?? '').slice(0, MOST_SUMMARY)
}
