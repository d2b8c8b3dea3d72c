import { type FileFlaw, fileFlaws } from '../../core/transcript/file-flaws'
import { TotalsTally } from '../../core/transcript/fold/fold-totals'
import { reasonOf } from '../../core/words/reason-of'
import type { Cursor, FoundStore, FoundTranscript, StoreReader } from '../read/ports'
import { unfinishedBytes } from '../read/unfinished'

/** A transcript that is damaged as a file, or in which lines cannot be read. */
type FlawedTranscript = {
  readonly file: string
  readonly flaws: readonly FileFlaw[]
  readonly unreadable: number
  /** Why it cannot be read at all; null when it can. */
  readonly problem: string | null
}

export type FoundFlaws = {
  readonly flawed: readonly FlawedTranscript[]
  /** Transcripts that were not looked through, since that would have taken too long. */
  readonly left: number
}

type Listed = { readonly store: FoundStore; readonly transcript: FoundTranscript }

/**
 * Transcripts that are damaged as files, or cannot be read, from one pass over their lines, as far as `budget` goes.
 * What their listing said already is not said again.
 * @param outline reads entries without their content
 * @param budget bytes
 */
export async function findFlaws(
  outline: StoreReader,
  all: readonly Listed[],
  budget: number,
): Promise<FoundFlaws> {
  const flawed: FlawedTranscript[] = []
  let left = 0
  let bytes = 0
  for (const { store, transcript } of all) {
    if (transcript.problem !== undefined) continue
    if (store.era === 'jsonl') bytes += transcript.stamp.size
    if (bytes > budget) {
      left++
      continue
    }
    const found = await look(outline, store, transcript)
    if (found.flaws.length > 0 || found.unreadable > 0 || found.problem !== null) flawed.push(found)
  }
  return { flawed, left }
}

async function look(
  outline: StoreReader,
  store: FoundStore,
  transcript: FoundTranscript,
): Promise<FlawedTranscript> {
  const tally = new TotalsTally()
  let reached: Cursor | null = null
  try {
    for await (const { facts, cursor } of outline.read(store, transcript, null, () => undefined)) {
      for (const fact of facts) tally.addOutline(fact)
      reached = cursor
    }
  } catch (error) {
    const problem = reasonOf(error)
    return { file: transcript.path, flaws: [], unreadable: tally.unreadable, problem }
  }
  const { entries, unreadable, version } = tally
  const unfinished = unfinishedBytes(store, transcript, reached)
  return {
    file: transcript.path,
    flaws: fileFlaws({ entries, unreadable, version, unfinished }),
    unreadable,
    problem: null,
  }
}
