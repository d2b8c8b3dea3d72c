import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { openCodeEntries } from '../../../core/sources/opencode/entries'
import { isObject } from '../../../core/transcript/json'
import { type ReadLine, unreadable } from '../../../core/transcript/reading/read-line'
import type {
  Cursor,
  EntryPlace,
  FoundTranscript,
  ReadBatch,
  ReadStart,
  SourceStamp,
} from '../../../engine/read/ports'
import type { ReadLimits, ReadOptions } from '../../jsonl/read-limits'
import { readTranslation } from '../../jsonl/translate-line'
import type { SqliteFiles, SqliteSnapshot } from '../../sqlite/read-only'
import { changed } from '../../stores/entry-text'
import type { SourceReading } from '../source'
import { databasesIn } from './discovery'
import { listSessions } from './listing'
import { type MessageKey, messageKeys, messageRecords, type OpenCodeRecord, sessionRecord } from './records'

/**
 * A session is read as records: itself, then each message with its parts. `offset` of a place is the number of its
 * record, `bytes` what its rows hold. Messages are not appended only: a part that was written anew starts the reading
 * over, and an answer that is not finished is left for the next time, as a torn line is.
 */
export const openCodeReading: SourceReading = {
  era: 'sqlite',
  translate: openCodeEntries,
  emptyWords,
  list: listSessions,
  read: readSession,
  source: entryOf,
}

function emptyWords(root: string): string {
  return databasesIn(root).length > 0
    ? `${root} holds no sessions of OpenCode yet.`
    : `${root} holds no opencode.db. Releases before 1.2 kept sessions in files, which are not read: start a newer OpenCode once, and it takes them over.`
}

const MIB = 1024 * 1024

async function* readSession(
  sqlite: SqliteFiles,
  transcript: FoundTranscript,
  cursor: Cursor | null,
  onStart: (start: ReadStart) => void,
  { lastLine, limits }: ReadOptions,
): AsyncGenerator<ReadBatch> {
  const { path: database, sessionId } = transcript
  const keys = await sqlite.read(database, (snapshot) => messageKeys(snapshot, sessionId))
  const { dev, ino } = statSync(database)
  const stamp = { ...transcript.stamp, dev, ino }
  const moved = cursor === null || cursor.offset === 0 ? null : movedSince(cursor, stamp, keys)
  onStart(moved === null ? { restarted: false } : { restarted: true, reason: moved })
  const isFresh = cursor === null || moved !== null
  let at = isFresh ? 0 : cursor.offset
  let seq = isFresh ? 0 : cursor.seq
  let previous = isFresh ? null : cursor
  for (;;) {
    const to = endOfBatch(keys, at, limits)
    const batch = await sqlite.read(database, (snapshot) =>
      recordsFrom(snapshot, sessionId, keys, at, to, limits),
    )
    const facts: ReadLine['fact'][] = []
    const texts: string[] = []
    let bytesRead = 0
    for (const record of batch) {
      const isLast = at === keys.length
      if (isLast && lastLine === 'leave' && isUnfinished(record)) break
      const bytes = keys[at - 1]?.bytes ?? 0
      for (const { fact, searchText } of entriesOf(record, { seq: seq + facts.length, at, bytes }, limits)) {
        facts.push(fact)
        texts.push(limits.texts === false ? '' : searchText)
      }
      bytesRead += bytes
      at++
    }
    seq += facts.length
    const next: Cursor = { ...stamp, offset: at, line: at, seq, tailHash: hashOf(keys, at) }
    if (facts.length > 0 || !isSame(previous, next)) yield { facts, texts, cursor: next, bytesRead }
    previous = next
    if (at < to || to > keys.length) return
    await setImmediate()
  }
}

/** Why what was read is not what is there any more; null when it is. */
function movedSince(cursor: Cursor, stamp: SourceStamp, keys: readonly MessageKey[]): string | null {
  if (cursor.dev !== stamp.dev || cursor.ino !== stamp.ino) return 'replaced'
  if (keys.length + 1 < cursor.offset) return 'truncated'
  return hashOf(keys, cursor.offset) === cursor.tailHash ? null : 'rewritten'
}

/** Of all messages before a record: which they are, and when their parts were written. */
function hashOf(keys: readonly MessageKey[], end: number): string {
  const hash = createHash('sha256')
  for (const { id, parts, changedAt } of keys.slice(0, Math.max(0, end - 1)))
    hash.update(`${id} ${parts} ${changedAt}\n`)
  return hash.digest('hex').slice(0, 32)
}

/** The record behind the last one of a batch. Record 0 is the session, record n the nth message. */
function endOfBatch(
  keys: readonly MessageKey[],
  from: number,
  { batchBytes, batchFacts }: ReadLimits,
): number {
  let bytes = 0
  let to = from
  while (to <= keys.length && to - from < batchFacts) {
    bytes += keys[to - 1]?.bytes ?? 0
    if (to > from && bytes > batchBytes) break
    to++
  }
  return to
}

async function recordsFrom(
  snapshot: SqliteSnapshot,
  sessionId: string,
  keys: readonly MessageKey[],
  from: number,
  to: number,
  { maxLine }: ReadLimits,
): Promise<OpenCodeRecord[]> {
  const wanted = keys.slice(Math.max(0, from - 1), Math.max(0, to - 1))
  const records = await messageRecords(
    snapshot,
    sessionId,
    wanted.filter(({ bytes }) => bytes <= maxLine),
  )
  let next = 0
  const messages = wanted.map(({ id, bytes }): OpenCodeRecord => {
    if (bytes <= maxLine) return records[next++] ?? { problem: `message ${id} is not there` }
    const size = (bytes / MIB).toFixed(1)
    return { problem: `message ${id} has ${size} MiB; messages over ${maxLine / MIB} MiB are passed over` }
  })
  if (from > 0) return messages
  const session = await sessionRecord(snapshot, sessionId)
  return [session ?? { problem: `session ${sessionId} is not there` }, ...messages]
}

type RecordPlace = { readonly seq: number; readonly at: number; readonly bytes: number }

function entriesOf(record: OpenCodeRecord, { seq, at, bytes }: RecordPlace, limits: ReadLimits) {
  const place = { seq, line: at + 1, offset: at, bytes }
  return typeof record.problem === 'string'
    ? [unreadable(place, record.problem)]
    : readTranslation({ translate: openCodeEntries, ofAgent: false }, record, place, limits)
}

/** An answer that OpenCode is in the middle of. */
function isUnfinished(record: OpenCodeRecord): boolean {
  const info = 'info' in record ? record.info : null
  if (!isObject(info) || info.role !== 'assistant' || isObject(info.error)) return false
  return !isObject(info.time) || typeof info.time.completed !== 'number'
}

function isSame(a: Cursor | null, b: Cursor): boolean {
  return (
    a !== null && a.offset === b.offset && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino
  )
}

/** One entry in our form, as text. */
async function entryOf(
  sqlite: SqliteFiles,
  { path: database, sessionId }: FoundTranscript,
  { offset, seq, piece = 0, id }: EntryPlace,
  limits: ReadLimits,
): Promise<string> {
  const [record] = await sqlite.read(database, async (snapshot) => {
    const keys = await messageKeys(snapshot, sessionId)
    return offset > keys.length ? [] : recordsFrom(snapshot, sessionId, keys, offset, offset + 1, limits)
  })
  if (record === undefined) throw changed(database)
  if (typeof record.problem === 'string') return record.problem
  const entry = openCodeEntries(record, { first: seq - piece === 0, ofAgent: false })[piece]
  if (entry === undefined || (id != null && !id.startsWith('#') && entry.id !== id)) throw changed(database)
  return JSON.stringify(entry)
}
