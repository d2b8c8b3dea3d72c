import type { Encoding, Pause } from '../../core/tokens/bpe-vocabulary'
import { countExact } from '../../core/tokens/exact'
import type { EntryFact } from '../../core/transcript/entry'
import { readLine } from '../../core/transcript/reading/read-line'
import type { Tokens } from '../../core/units/units'

/** The text of an entry, counted. Images have no text and are not in it. */
export type EntryCount = {
  readonly tokens: Tokens
  /** Places where the text had to be cut to be counted; 0: to the token. */
  readonly cuts: number
  readonly images: number
}

/** Entries counted one after the other. */
export type ContextCount = {
  /** By sequence number; those that were not reached, or could not be read, are missing. */
  readonly entries: ReadonlyMap<number, EntryCount>
  readonly total: EntryCount
  /** Entries whose source could not be read. */
  readonly unreadable: number
  /** Entries that were left when the limit was reached; 0: all were counted. */
  readonly left: number
}

export type CountPorts<Place> = {
  /** Reads the line of an entry. @throws when its source cannot be read */
  readonly read: (place: Place) => Promise<string>
  readonly pause: Pause
  /** Asked before each entry: whether enough has been done, by the characters read so far. */
  readonly isEnough: (characters: number) => boolean
}

/** What of a fact a count needs. */
export type CountedPlace = Pick<EntryFact, 'seq' | 'line' | 'offset' | 'bytes'>

/** Counts the texts of entries in an encoding, in order, one line in memory at a time. */
export async function countContext<Place extends CountedPlace>(
  places: readonly Place[],
  encoding: Encoding,
  { read, pause, isEnough }: CountPorts<Place>,
): Promise<ContextCount> {
  const entries = new Map<number, EntryCount>()
  let total: EntryCount = { tokens: 0, cuts: 0, images: 0 }
  let unreadable = 0
  let characters = 0
  let done = 0
  for (const place of places) {
    if (isEnough(characters)) break
    done += 1
    let line: string
    try {
      line = await read(place)
    } catch {
      // Its file has changed or gone; how many such there are is said with the result.
      unreadable += 1
      continue
    }
    characters += line.length
    const count = await countEntry(line, place, encoding, pause)
    entries.set(place.seq, count)
    total = {
      tokens: total.tokens + count.tokens,
      cuts: total.cuts + count.cuts,
      images: total.images + count.images,
    }
    await pause()
  }
  return { entries, total, unreadable, left: places.length - done }
}

/** Counts the same texts of an entry that its estimate sizes. */
export async function countEntry(
  line: string,
  place: CountedPlace,
  encoding: Encoding,
  pause?: Pause,
): Promise<EntryCount> {
  const texts: string[] = []
  const { fact } = readLine(line, place, (text) => texts.push(text))
  let tokens = 0
  let cuts = 0
  for (const text of texts) {
    const count = await countExact(text, encoding, pause)
    tokens += count.tokens
    cuts += count.cuts
  }
  return { tokens, cuts, images: fact.images ?? 0 }
}
