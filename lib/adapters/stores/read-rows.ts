import { statSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { ReadLine } from '../../core/transcript/reading/read-line'
import type {
  Cursor,
  EntryPlace,
  FoundTranscript,
  ReadBatch,
  ReadStart,
  SourceStamp,
} from '../../engine/read/ports'
import type { ReadLimits } from '../jsonl/read-limits'
import { numberColumn, type SqliteFiles, type SqliteSnapshot } from '../sqlite/read-only'
import {
  hashRow,
  type Page,
  readPage,
  readRow,
  readRowAt,
  rewriteWatermark,
  textOfRow,
} from './database-rows'
import { changed, checkEntry } from './entry-text'

/**
 * Reads the rows of one session after `cursor` in batches; see `StoreReader.read`. Each batch is one short read into
 * the database, so a writer is never held up. When history is rewritten between two checks, the reading ends there and
 * the next one starts over.
 *
 * @throws SourceProblem
 */
export async function* readRows(
  sqlite: SqliteFiles,
  transcript: FoundTranscript,
  cursor: Cursor | null,
  onStart: (start: ReadStart) => void,
  limits: ReadLimits,
): AsyncGenerator<ReadBatch> {
  const { path: database, sessionId } = transcript
  const { begun, first } = await sqlite.read(database, async (snapshot) => {
    const begun = await begin(snapshot, transcript, cursor, limits)
    return { begun, first: await readPage(snapshot, sessionId, begun.at, begun.stamp.size, limits) }
  })
  onStart(begun.start)
  let previous: Cursor | null = begun.start.restarted ? null : cursor
  let { at, seq, line, tail } = begun
  const end = begun.stamp.size
  let page = first
  for (;;) {
    const facts: ReadLine['fact'][] = []
    const texts: string[] = []
    for (const row of page.rows) {
      const read = readRow(row, seq + facts.length, limits)
      facts.push(read.fact)
      texts.push(read.searchText)
    }
    seq += facts.length
    at = page.next
    const last = page.rows.at(-1)
    if (last !== undefined) {
      line = last.seq + 1
      tail = hashRow(page.generation, last)
    }
    const next: Cursor = { ...begun.stamp, offset: at, line, seq, tailHash: tail }
    if (facts.length > 0 || !same(previous, next)) {
      yield { facts, texts, cursor: next, bytesRead: page.bytes }
      previous = next
    }
    if (page.rows.length === 0 || at >= end) return
    await setImmediate()
    page = await sqlite.read(database, (snapshot) => readPage(snapshot, sessionId, at, end, limits))
    if (page.generation !== begun.generation) return
  }
}

type Begun = {
  readonly start: ReadStart
  readonly stamp: SourceStamp
  readonly generation: string
  readonly at: number
  readonly seq: number
  readonly line: number
  readonly tail: string
}

async function begin(
  snapshot: SqliteSnapshot,
  transcript: FoundTranscript,
  cursor: Cursor | null,
  limits: ReadLimits,
): Promise<Begun> {
  const { path: database, sessionId } = transcript
  const { dev, ino } = statSync(database)
  const generation = await rewriteWatermark(snapshot, sessionId)
  const [row] = await snapshot.all(
    `SELECT seq AS last FROM transcript_events WHERE session_id = ? AND typeof(seq) = 'integer'
     ORDER BY seq DESC LIMIT 1`,
    sessionId,
  )
  const rows = (numberColumn(row?.last) ?? -1) + 1
  const stamp = { dev, ino, size: rows, mtimeMs: transcript.stamp.mtimeMs }
  const fresh = { stamp, generation, at: 0, seq: 0, line: 0, tail: hashRow(generation, undefined) }
  if (cursor === null || cursor.offset === 0) return { ...fresh, start: { restarted: false } }
  const moved = await movedSince(snapshot, sessionId, cursor, stamp, generation, limits)
  if (moved !== null) return { ...fresh, start: { restarted: true, reason: moved } }
  const { offset: at, seq, line, tailHash: tail } = cursor
  return { stamp, generation, at, seq, line, tail, start: { restarted: false } }
}

/** Why the rows cannot be those that the cursor was made for; null when they are. */
async function movedSince(
  snapshot: SqliteSnapshot,
  sessionId: string,
  cursor: Cursor,
  stamp: SourceStamp,
  generation: string,
  limits: ReadLimits,
): Promise<string | null> {
  if (cursor.dev !== stamp.dev || cursor.ino !== stamp.ino) return 'replaced'
  if (stamp.size < cursor.offset) return 'truncated'
  const last = await readRowAt(snapshot, sessionId, cursor.offset - 1, limits)
  return last !== undefined && hashRow(generation, last) === cursor.tailHash ? null : 'rewritten'
}

function same(a: Cursor | null, b: Cursor): boolean {
  return (
    a !== null && a.offset === b.offset && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino
  )
}

/** The raw text of one entry: `place.seq` counts the rows of the session from 0. */
export async function sourceOfRow(
  sqlite: SqliteFiles,
  { path: database, sessionId }: FoundTranscript,
  place: EntryPlace,
  limits: ReadLimits,
): Promise<string> {
  const row = await sqlite.read(database, async (snapshot) => {
    const seq = await numberOfRow(snapshot, sessionId, place.seq)
    return seq === null ? undefined : readRowAt(snapshot, sessionId, seq, limits)
  })
  const text = row === undefined ? undefined : textOfRow(row, limits)
  if (typeof text !== 'string') throw changed(database)
  return checkEntry(text, place, database)
}

/** Rows that are passed over rather than looked for anew. */
const NEAR = 64

/**
 * The same of many entries, in the order given. Entries that follow one another, as they mostly do, cost one pass for
 * each page of rows.
 */
export async function* sourcesOfRows(
  sqlite: SqliteFiles,
  transcript: FoundTranscript,
  places: readonly EntryPlace[],
  limits: ReadLimits,
): AsyncGenerator<string> {
  const { path: database, sessionId } = transcript
  let rows: Page['rows'] = []
  /** Ordinal of the first of these rows, and the number that the row behind them has at least. */
  let from = 0
  let next = 0
  for (const place of places) {
    const isNear = rows.length > 0 && place.seq >= from && place.seq < from + rows.length + NEAR
    if (!isNear) {
      rows = []
      from = place.seq
      next = await sqlite.read(
        database,
        async (snapshot) => (await numberOfRow(snapshot, sessionId, from)) ?? -1,
      )
    }
    while (place.seq >= from + rows.length && next >= 0) {
      const page = await sqlite.read(database, (snapshot) =>
        readPage(snapshot, sessionId, next, Number.MAX_SAFE_INTEGER, limits),
      )
      from += rows.length
      rows = page.rows
      next = rows.length === 0 ? -1 : page.next
      await setImmediate()
    }
    const row = rows[place.seq - from]
    const text = row === undefined ? undefined : textOfRow(row, limits)
    if (typeof text !== 'string') throw changed(database)
    yield checkEntry(text, place, database)
  }
}

/** The number of the row that is the session's `ordinal`th; null when there are not so many. */
async function numberOfRow(
  snapshot: SqliteSnapshot,
  sessionId: string,
  ordinal: number,
): Promise<number | null> {
  const [found] = await snapshot.all(
    `SELECT seq FROM transcript_events WHERE session_id = ? AND typeof(seq) = 'integer'
     ORDER BY seq LIMIT 1 OFFSET ?`,
    sessionId,
    ordinal,
  )
  return numberColumn(found?.seq)
}
