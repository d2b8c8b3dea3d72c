import { createHash } from 'node:crypto'
import { type ReadLine, readLine, readOutline, unreadable } from '../../core/transcript/reading/read-line'
import type { Bytes } from '../../core/units/units'
import { reasonOf } from '../../core/words/reason-of'
import type { ReadLimits } from '../jsonl/read-limits'
import { decompressZstd } from '../jsonl/zstd'
import {
  numberColumn,
  numberIn,
  type SqliteSnapshot,
  type SqliteValue,
  textColumn,
} from '../sqlite/read-only'

/** A row as stored: plain text or a Zstandard frame, and the length of the text where the schema records it. */
export type StoredRow = {
  readonly seq: number
  readonly plain: SqliteValue
  readonly packed: SqliteValue
  /** Length of the text in bytes; null when only unpacking tells. */
  readonly bytes: Bytes | null
  /** Not fetched: over the limit. */
  readonly tooLong: boolean
}

/** The rewrite watermark: another value means that rows already written were changed. '' where there is none. */
export async function rewriteWatermark(snapshot: SqliteSnapshot, sessionId: string): Promise<string> {
  if (!(await snapshot.columns('transcript_rewrite_watermarks')).has('generation')) return ''
  const [row] = await snapshot.all(
    'SELECT CAST(generation AS BLOB) AS generation FROM transcript_rewrite_watermarks WHERE session_id = ?',
    sessionId,
  )
  return textColumn(row?.generation)
}

/** Rows that were fetched in one pass. */
export type Page = {
  readonly rows: readonly StoredRow[]
  readonly next: number
  readonly bytes: Bytes
  readonly generation: string
}

/** The rows from `from` up to `end`, as many as make a batch. */
export async function readPage(
  snapshot: SqliteSnapshot,
  sessionId: string,
  from: number,
  end: number,
  limits: ReadLimits,
): Promise<Page> {
  const generation = await rewriteWatermark(snapshot, sessionId)
  const columns = await snapshot.columns('transcript_events')
  // Sizes first: a row may be large, and a page must not be.
  const sizes = await snapshot.all(
    `SELECT seq, coalesce(octet_length(event_json), 0) + ${columns.has('event_zstd') ? 'coalesce(octet_length(event_zstd), 0)' : '0'} AS stored
     FROM transcript_events WHERE session_id = ? AND seq >= ? AND seq < ? AND typeof(seq) = 'integer' ORDER BY seq LIMIT ?`,
    sessionId,
    from,
    end,
    limits.batchFacts,
  )
  let bytes = 0
  let last = from - 1
  const tooLong = new Map<number, number>()
  for (const row of sizes) {
    const stored = numberColumn(row.stored) ?? 0
    if (last >= from && bytes + stored > limits.batchBytes) break
    last = numberColumn(row.seq) ?? last
    if (stored > limits.maxLine) tooLong.set(last, stored)
    else bytes += stored
  }
  const rows = await fetchRows(snapshot, sessionId, from, last, columns, limits.maxLine)
  for (const [seq, stored] of tooLong) rows.push(passedOver(seq, stored))
  rows.sort((a, b) => a.seq - b.seq)
  return { rows, next: Math.max(from, last + 1), bytes, generation }
}

function passedOver(seq: number, stored: number): StoredRow {
  return { seq, plain: null, packed: null, bytes: stored, tooLong: true }
}

/** One row; undefined when there is none of that number. */
export async function readRowAt(
  snapshot: SqliteSnapshot,
  sessionId: string,
  seq: number,
  limits: ReadLimits,
): Promise<StoredRow | undefined> {
  return (await readPage(snapshot, sessionId, seq, seq + 1, limits)).rows[0]
}

async function fetchRows(
  snapshot: SqliteSnapshot,
  sessionId: string,
  from: number,
  to: number,
  columns: ReadonlySet<string>,
  limit: number,
): Promise<StoredRow[]> {
  const packed = columns.has('event_zstd') ? 'event_zstd' : 'NULL'
  const bytes = columns.has('event_utf8_bytes') ? numberIn('event_utf8_bytes') : 'NULL'
  const rows = await snapshot.all(
    `SELECT seq, CAST(event_json AS BLOB) AS plain, CAST(${packed} AS BLOB) AS packed, ${bytes} AS bytes
       FROM transcript_events WHERE session_id = ? AND seq BETWEEN ? AND ? AND typeof(seq) = 'integer'
       AND coalesce(octet_length(event_json), 0) + coalesce(octet_length(${packed}), 0) <= ? ORDER BY seq`,
    sessionId,
    from,
    to,
    limit,
  )
  return rows.map((row) => ({
    seq: numberColumn(row.seq) ?? 0,
    plain: row.plain ?? null,
    packed: row.packed ?? null,
    bytes: numberColumn(row.bytes),
    tooLong: false,
  }))
}

const MIB = 1024 * 1024

/** Reads one row as an entry. Its text may hold newlines: a row is an entry, whatever is in it. */
export function readRow(row: StoredRow, seq: number, limits: ReadLimits): ReadLine {
  const place = { seq, line: row.seq + 1, offset: 0, bytes: row.bytes ?? 0 }
  if (row.tooLong) {
    const size = ((row.bytes ?? 0) / MIB).toFixed(1)
    return unreadable(place, `the row has ${size} MiB; rows over ${limits.maxLine / MIB} MiB are passed over`)
  }
  const text = textOfRow(row, limits)
  if (typeof text !== 'string') return unreadable(place, text.problem)
  const whole = { ...place, bytes: row.bytes ?? Buffer.byteLength(text) }
  return limits.outline ? readOutline(text, whole) : readLine(text, whole, limits.estimate, limits)
}

/** The text of a row, or why it has none. */
export function textOfRow(row: StoredRow, limits: ReadLimits): string | { readonly problem: string } {
  if (row.plain !== null) return textColumn(row.plain)
  if (!(row.packed instanceof ArrayBuffer)) return { problem: 'the row holds no text' }
  try {
    const limit = Math.min(row.bytes ?? limits.maxLine, limits.maxLine)
    return decompressZstd(new Uint8Array(row.packed), limit).toString('utf8')
  } catch (error) {
    const why = reasonOf(error)
    return { problem: `the compressed text of the row is damaged: ${why}` }
  }
}

/** Tells whether a row is still the one that was read last; rewriting history changes the generation. */
export function hashRow(generation: string, row: StoredRow | undefined): string {
  const hash = createHash('sha256').update(generation)
  for (const part of [row?.plain, row?.packed]) {
    if (part instanceof ArrayBuffer) hash.update('\n').update(new Uint8Array(part))
  }
  return hash
    .update(`\n${row?.tooLong ? row.bytes : ''}`)
    .digest('hex')
    .slice(0, 32)
}
