import type { ChunkMessage } from '../../core/pruning/context-chunks'
import type { TrialChunk } from '../../core/replay/drop-trial'
import { trialChunks } from '../../core/replay/trial-chunks'
import { Branches } from '../../core/transcript/branches'
import type { EntryFact } from '../../core/transcript/entry'
import type { InspectedSession } from '../read/inspect-session'
import type { StoreReader } from '../read/ports'
import { readMessages } from './summary-material'

/** Longer sessions are examined from their end. Entries of the path. */
const MOST_ENTRIES = 4000

/**
 * The chunks of a session's path, from its beginning on and as if nothing had ever been compacted or dropped: what
 * trials and needs are reckoned with.
 * @throws SourceProblem when entries are not where they were read
 */
export async function chunksOfSession(
  reader: StoreReader,
  session: InspectedSession,
): Promise<{ readonly chunks: TrialChunk[]; readonly passedOver: number }> {
  const branches = Branches.of(session.facts)
  const path = branches.path(branches.leaf)
  const facts = path.flatMap((seq) => branches.facts[seq] ?? []).filter(({ type }) => TYPES.has(type))
  const wanted = facts.slice(-MOST_ENTRIES)
  const messages = await readMessages(reader, { session }, wanted)
  const read = wanted.flatMap((fact): ChunkMessage[] => {
    const message = messages.get(fact.seq)
    return message === undefined ? [] : [{ ...message, tokens: tokensOf(fact), at: fact.at }]
  })
  return { chunks: trialChunks(read), passedOver: facts.length - wanted.length }
}

const TYPES = new Set(['message', 'custom_message'])

/** Estimated, as the entry counts in a context. */
function tokensOf({ units }: EntryFact): number {
  return Object.values(units ?? {}).reduce((sum, value) => sum + value, 0)
}
