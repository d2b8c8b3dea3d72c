import type { EntryPlace, FoundStore, FoundTranscript, StoreReader } from './ports'

/** The raw texts of many entries, in the order given. @throws SourceProblem at the first that is not there any more */
export async function* readSources(
  reader: StoreReader,
  store: FoundStore,
  transcript: FoundTranscript,
  places: readonly EntryPlace[],
): AsyncGenerator<string> {
  if (reader.texts !== undefined) yield* reader.texts(store, transcript, places)
  else for (const place of places) yield await reader.source(store, transcript, place)
}
