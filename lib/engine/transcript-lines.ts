import type { FoundStore, FoundTranscript, StoreReader } from './ports'

/**
 * The lines of any transcript as bytes, each with a newline: for those that do not stand in a plain file of their own
 * (rows of a database, compressed archives). Slower than reading a file.
 */
export async function* transcriptLines(
  reader: StoreReader,
  store: FoundStore,
  transcript: FoundTranscript,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  const ignoreStart = () => undefined
  for await (const { facts } of reader.read(store, transcript, null, ignoreStart)) {
    for (const { offset, bytes, seq } of facts) {
      yield encoder.encode(`${await reader.source(store, transcript, { offset, bytes, seq })}\n`)
    }
  }
}
