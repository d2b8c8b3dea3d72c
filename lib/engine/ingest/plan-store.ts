import { reasonOf } from '../../core/words/reason-of'
import type { FoundStore, FoundTranscript, StoreReader } from '../read/ports'
import { SourceProblem } from '../read/source-problem'
import type { ImportJob, IngestDatabase, KnownSession, SessionMove } from './ingest-ports'
import { stampOf } from './stamp'

/** What it takes to see what is new in a store. */
export type ImportContext = {
  readonly database: Omit<IngestDatabase, 'wantsTexts' | 'pack' | 'write'>
  readonly readerOf: (store: FoundStore) => StoreReader
  /** Called with what a store was found to contain; not `isComplete`: a part of it could not be listed. */
  readonly onListed?: (
    store: FoundStore,
    transcripts: readonly FoundTranscript[],
    isComplete: boolean,
  ) => void
  /** Whether a store has to be listed although nothing in it has changed. */
  readonly mustList?: (store: FoundStore) => boolean
}

/** What is to be done about one store. */
export type StorePlan = {
  readonly store: FoundStore
  /** Transcripts in the store; those of them that the database has no row for; those with something new. */
  readonly sessions: number
  readonly fresh: readonly FoundTranscript[]
  readonly jobs: readonly ImportJob[]
  /** Ids of sessions whose source is not there any more. */
  readonly gone: readonly string[]
  readonly problem: string | null
  readonly fingerprint: string | null
}

/**
 * Compares a store's listing with what the database knows.
 * @param seen a fingerprint that was taken just now
 */
export async function planImport(
  context: ImportContext,
  store: FoundStore,
  seen?: string,
): Promise<StorePlan> {
  const reader = context.readerOf(store)
  const fingerprint = seen ?? reader.fingerprint?.(store) ?? null
  if (fingerprint !== null && context.mustList?.(store) !== true) {
    const last = await context.database.lastFingerprint(store.id)
    if (last?.fingerprint === fingerprint) {
      return { store, sessions: last.sessions, fresh: [], jobs: [], gone: [], problem: null, fingerprint }
    }
  }
  const known = new Map<string, KnownSession>()
  for (const session of await context.database.known(store.id)) known.set(session.id, session)
  const fresh: FoundTranscript[] = []
  const jobs: ImportJob[] = []
  const all: FoundTranscript[] = []
  let problem: string | null = null
  try {
    for await (const transcript of reader.list(store)) {
      all.push(transcript)
      const before = known.get(transcript.id)
      known.delete(transcript.id)
      if (before === undefined) fresh.push(transcript)
      else if (
        before.stamp !== null &&
        before.stamp === stampOf(transcript) &&
        transcript.problem === undefined
      )
        continue
      jobs.push({ store, transcript })
    }
  } catch (error) {
    // An expected one comes after the last transcript; in any case, what was not listed cannot be called gone.
    known.clear()
    problem = reasonOf(error)
    if (!(error instanceof SourceProblem)) problem = `Listing ${store.root} failed: ${problem}`
  }
  context.onListed?.(store, all, problem === null)
  const moved = await context.database.move(findMoves(store, known, fresh))
  for (const { fromId } of moved) known.delete(fromId)
  const taken = new Set(moved.map(({ transcript }) => transcript))
  const gone = [...known.values()].filter((session) => !session.gone).map(({ id }) => id)
  return {
    store,
    sessions: all.length,
    fresh: fresh.filter((transcript) => !taken.has(transcript)),
    jobs,
    gone,
    problem,
    fingerprint,
  }
}

/** New transcripts whose file is one that had another name when it was read. */
function findMoves(
  store: FoundStore,
  left: ReadonlyMap<string, KnownSession>,
  fresh: readonly FoundTranscript[],
): SessionMove[] {
  if (store.era !== 'jsonl' || left.size === 0) return []
  const byFile = new Map([...left.values()].map(({ id, stamp }) => [fileOf(stamp ?? ''), id]))
  return fresh.flatMap((transcript) => {
    const fromId = transcript.problem === undefined ? byFile.get(fileOf(stampOf(transcript))) : undefined
    return fromId === undefined ? [] : { fromId, transcript }
  })
}

/** Device and file number from a stamp. */
function fileOf(stamp: string): string {
  return stamp.split(':', 2).join(':')
}
