import { KeywordIndex } from '../../core/cold/search-index'
import type { EntryFact } from '../../core/transcript/entry'
import { reasonOf } from '../../core/words/reason-of'
import type { FoundStore, FoundTranscript, StoreReader } from '../read/ports'

/** An entry of a transcript that its runtime has archived. */
type ArchivedEntry = {
  readonly transcript: FoundTranscript
  readonly fact: EntryFact
  /** What is searched of it, bounded in length. */
  readonly text: string
}

type ArchiveHit = { readonly entry: ArchivedEntry; readonly rank: number }

export type ArchiveSearch = {
  /** Best first. */
  readonly hits: readonly ArchiveHit[]
  readonly transcripts: number
  /** Archives that could not be read, in sentences. */
  readonly problems: readonly string[]
}

/** Whether a transcript was archived: reset, deleted, in the runtime's own cold storage, or only in our archive. */
export function isArchive({ state, path }: Pick<FoundTranscript, 'state' | 'path'>): boolean {
  return state === 'reset' || state === 'deleted' || state === 'gone' || path.endsWith('.zst')
}

/**
 * Looks for words in what runtimes have archived, of every era, read-only. Each archive is read once, from the start.
 */
export async function searchArchives(
  reader: StoreReader,
  archives: readonly { readonly store: FoundStore; readonly transcript: FoundTranscript }[],
  words: string,
  limit: number,
): Promise<ArchiveSearch> {
  const index = new KeywordIndex<ArchivedEntry>()
  const problems: string[] = []
  for (const { store, transcript } of archives) {
    try {
      for await (const { facts, texts } of reader.read(store, transcript, null, () => undefined)) {
        for (const [i, fact] of facts.entries()) {
          const text = texts[i] ?? ''
          if (text !== '') index.add({ transcript, fact, text }, text)
        }
      }
    } catch (error) {
      problems.push(reasonOf(error))
    }
  }
  const hits = index.search(words, limit).map(({ key, score }) => ({ entry: key, rank: score }))
  return { hits, transcripts: archives.length, problems }
}
