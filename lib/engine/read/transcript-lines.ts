import type { EntryFact } from '../../core/transcript/entry'
import type { FoundStore, FoundTranscript, StoreReader } from './ports'
import { readSources } from './read-sources'
import { SourceProblem } from './source-problem'

/**
 * The lines of any transcript as bytes, each with a newline: for those that are not in their own plain file
 * (rows of a database, compressed archives). Slower than reading a file. Where a row has no text, the reason is, so
 * that the line is there and is found to be none.
 */
export async function* transcriptLines(
  reader: StoreReader,
  store: FoundStore,
  transcript: FoundTranscript,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  const ignoreStart = () => undefined
  for await (const { facts } of reader.read(store, transcript, null, ignoreStart)) {
    const places = facts.filter(({ type }) => type !== 'unreadable').map(placeOf)
    const texts = readSources(reader, store, transcript, places)[Symbol.asyncIterator]()
    for (const fact of facts) {
      if (fact.type === 'unreadable') {
        yield encoder.encode(`${await textOrReason(reader, store, transcript, fact)}\n`)
        continue
      }
      const text = await texts.next()
      if (text.done) break
      yield encoder.encode(`${text.value}\n`)
    }
  }
}

async function textOrReason(
  reader: StoreReader,
  store: FoundStore,
  transcript: FoundTranscript,
  fact: EntryFact,
): Promise<string> {
  try {
    return await reader.source(store, transcript, placeOf(fact))
  } catch (error) {
    if (error instanceof SourceProblem && fact.problem !== undefined) return fact.problem
    throw error
  }
}

/** Without its id: what is damaged is wanted as it is. */
function placeOf({ offset, bytes, seq, piece }: EntryFact) {
  return { offset, bytes, seq, ...(piece !== undefined && { piece }) }
}
