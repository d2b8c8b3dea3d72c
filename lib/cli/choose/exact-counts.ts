import { encodingOf } from '../../core/tokens/model-encoding'
import type { EntryFact } from '../../core/transcript/entry'
import { type ContextCount, countContext } from '../../engine/read/count-context'
import type { ExplainedCall, InspectedSession } from '../../engine/read/inspect-session'
import type { StoreReader } from '../../engine/read/ports'
import { type ExactReport, exactBasis } from '../../view/session/exact-count'

/** The entries of a call that were sent, counted with a tokenizer. */
export type ExactCounts = {
  readonly report: ExactReport
  readonly entries: ContextCount['entries']
}

/** Counts the texts that a call was sent, straight from their store. */
export async function countCall(
  reader: StoreReader,
  { store, transcript }: InspectedSession,
  { frame, entries }: ExplainedCall,
): Promise<ExactCounts> {
  const encoding = encodingOf(frame.provider, frame.model)
  // Of a message that is sent with a checkpoint only a part is sent.
  const sent = entries.filter(({ entry }) => (entry.sent && !entry.replayed) || entry.why === 'merged')
  const counted = await countContext<EntryFact>(
    sent.map(({ entry }) => entry.fact),
    encoding.encoding,
    {
      read: (fact) => reader.source(store, transcript, fact),
      pause: () => undefined,
      isEnough: () => false,
    },
  )
  const estimated = sent.reduce(
    (sum, { entry, tokens }) => sum + (counted.entries.has(entry.fact.seq) ? tokens : 0),
    0,
  )
  const { total, unreadable, left } = counted
  return {
    entries: counted.entries,
    report: {
      ...encoding,
      ...total,
      model: frame.model,
      estimated,
      entries: counted.entries.size,
      unreadable,
      left,
    },
  }
}

/** A count of one entry in a document for programs; null when it was not sent or could not be read. */
export function exactJson({ report, entries }: ExactCounts, seq: number) {
  const count = entries.get(seq)
  return count === undefined
    ? null
    : { tokens: count.tokens, basis: exactBasis({ ...report, cuts: count.cuts }) }
}
