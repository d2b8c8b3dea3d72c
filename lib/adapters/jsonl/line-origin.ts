import { createHash } from 'node:crypto'
import type { Cursor, ReadStart, SourceStamp } from '../../engine/read/ports'
import { type ByteSource, skipBytes } from './byte-source'
import { type LineLimits, LineReader, TAIL_BYTES } from './jsonl-lines'
import type { LineTranslator } from './translate-line'

/** The lines of one transcript, opened: a file, a compressed file, or a blob of a database. */
export type LineOrigin = {
  /** Names the source in messages. */
  readonly path: string
  readonly stamp: SourceStamp
  /** All bytes from `offset` on; may be called again to start over. */
  bytesFrom(offset: number): ByteSource
  /** Bytes in all, when known beforehand (compressed sources: null). */
  readonly length: number | null
  /** Takes the entry out of a line that wraps it; null when the line holds none. */
  readonly unwrap?: (line: string) => string | null
  /** Makes entries of the lines of another runtime. */
  readonly translate?: LineTranslator
}

/** Where a reading begins. */
export type OpenedAt = {
  readonly lines: LineReader
  readonly start: ReadStart
  /** Entries before. */
  readonly seq: number
  /** The cursor gone on from; null when reading from the beginning. */
  readonly previous: Cursor | null
  /** Bytes read so far, also for looking whether the cursor still holds. */
  bytesRead(): number
}

/** Opens at the cursor if the source still begins with what was read up to it, else at the beginning. */
export function openAt(origin: LineOrigin, cursor: Cursor | null, limits: LineLimits): OpenedAt {
  if (cursor === null || cursor.offset === 0) {
    return { ...openAtStart(origin, { restarted: false }, limits, null), previous: cursor }
  }
  const moved = movedSince(origin, cursor)
  if (moved !== null) return openAtStart(origin, { restarted: true, reason: moved }, limits, null)
  const tail = Math.min(TAIL_BYTES, cursor.offset)
  const source = origin.bytesFrom(cursor.offset - tail)
  const lines = new LineReader(
    source,
    { offset: cursor.offset, line: cursor.line, tail },
    fitting(origin, cursor.offset - tail, limits),
  )
  if (hashTail(lines.tail()) === cursor.tailHash && endsLine(lines)) {
    return {
      lines,
      start: { restarted: false },
      seq: cursor.seq,
      previous: cursor,
      bytesRead: () => source.bytesRead,
    }
  }
  return openAtStart(origin, { restarted: true, reason: 'rewritten' }, limits, source)
}

function openAtStart(
  origin: LineOrigin,
  start: ReadStart,
  limits: LineLimits,
  before: ByteSource | null,
): OpenedAt {
  const source = origin.bytesFrom(0)
  const lines = new LineReader(source, { offset: 0, line: 0, tail: 0 }, fitting(origin, 0, limits))
  const looked = before?.bytesRead ?? 0
  return { lines, start, seq: 0, previous: null, bytesRead: () => looked + source.bytesRead }
}

/** Why the source cannot be the one the cursor was made for; null when it may be. */
function movedSince(origin: LineOrigin, cursor: Cursor): string | null {
  const { stamp } = origin
  if (stamp.dev !== cursor.dev || stamp.ino !== cursor.ino) return 'replaced'
  if (origin.length !== null && origin.length < cursor.offset) return 'truncated'
  // Touched without growing: not appended to, so written over. Compressed sources are never appended to.
  const touched = stamp.mtimeMs !== cursor.mtimeMs
  if (touched && stamp.size === cursor.size) return 'rewritten'
  if (origin.length === null && stamp.size !== cursor.size) return 'rewritten'
  return null
}

/**
 * Whether the line before the cursor has ended. A last line that was taken before its newline came must not go on
 * with anything else than that newline.
 */
function endsLine(lines: LineReader): boolean {
  return lines.tail().at(-1) === 10 || lines.finishTornLine()
}

/** A small file needs no large buffer. */
function fitting(origin: LineOrigin, from: number, limits: LineLimits): LineLimits {
  if (origin.length === null) return limits
  const rest = Math.max(origin.length - from + 1, TAIL_BYTES * 2)
  return rest < limits.buffer ? { ...limits, buffer: rest } : limits
}

export function hashTail(tail: Uint8Array): string {
  return createHash('sha256').update(tail).digest('hex').slice(0, 32)
}

/** Passes over the first `offset` bytes of a source that cannot be entered in its middle. */
export function entered(source: ByteSource, offset: number): ByteSource {
  skipBytes(source, offset)
  return source
}
