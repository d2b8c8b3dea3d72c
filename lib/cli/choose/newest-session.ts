import type { Cursor, FoundStore, FoundTranscript, StoreReader } from '../../engine/read/ports'
import type { StatusReaders } from '../../engine/read/session-status'
import type { ListedTranscript } from './choose-session'

/** A clock may be this far off without being taken for wrong. Milliseconds. */
const CLOCK_SLACK_MS = 2000

/**
 * The session that has the newest entry, which `sessions` lists first; null when there is none. Live ones come before
 * all others. A copy, a backup or a repair gives a file a new time, so that the time of the file says no more than that
 * none of its entries is newer: files that are older than the newest entry so far are not read.
 * @param updatedAt when the newest entry of a transcript was written, in milliseconds; null when that is unknown
 */
export async function newestSession(
  all: readonly ListedTranscript[],
  updatedAt: (listed: ListedTranscript) => Promise<number | null>,
): Promise<ListedTranscript | null> {
  const readable = all.filter(({ transcript }) => transcript.problem === undefined)
  const live = readable.filter(({ transcript }) => transcript.state === 'live')
  const written = ({ transcript }: ListedTranscript) => transcript.stamp.mtimeMs + CLOCK_SLACK_MS
  let newest: { readonly listed: ListedTranscript; readonly at: number } | null = null
  for (const listed of (live.length > 0 ? live : readable).toSorted((a, b) => written(b) - written(a))) {
    // An entry that is newer than its own file comes from another clock, and bounds nothing.
    if (newest !== null && newest.at > written(listed) && newest.at <= written(newest.listed)) break
    const at = (await updatedAt(listed)) ?? 0
    if (newest === null || at > newest.at) newest = { listed, at }
  }
  return newest?.listed ?? null
}

/**
 * When the newest entry of a transcript was written; what its index says where no entry has a time, or where it cannot
 * be read. Entries are read closely in the last part of a transcript alone, since they are added at its end.
 */
export async function newestEntryAt(
  { outline, full }: StatusReaders,
  store: FoundStore,
  transcript: FoundTranscript,
): Promise<number | null> {
  try {
    let before: Cursor | null = null
    let last: Cursor | null = null
    for await (const { cursor } of outline.read(store, transcript, null, () => undefined)) {
      before = last
      last = cursor
    }
    const at = await newestFrom(full, store, transcript, before)
    return at ?? (await newestFrom(full, store, transcript, null)) ?? transcript.index?.updatedAt ?? null
  } catch {
    // Asked for by name, it says why.
    return transcript.index?.updatedAt ?? null
  }
}

async function newestFrom(
  reader: StoreReader,
  store: FoundStore,
  transcript: FoundTranscript,
  cursor: Cursor | null,
): Promise<number | null> {
  let newest: number | null = null
  for await (const { facts } of reader.read(store, transcript, cursor, () => undefined))
    for (const { at } of facts) if (at !== null && (newest === null || at > newest)) newest = at
  return newest
}
