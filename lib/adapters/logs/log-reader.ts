import { closeSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { LOG_FILES, parseLogFileName } from '../../core/logs/log-files'
import { readLogLine } from '../../core/logs/read-log-line'
import type { Bytes } from '../../core/units/units'
import type {
  BrokenLine,
  FoundLog,
  LogBatch,
  LogFolder,
  LoggedRecord,
  LogReader,
} from '../../engine/logs/log-ports'
import type { Cursor, SourceStamp } from '../../engine/read/ports'
import { asSourceProblem, errorCode, openInside } from '../files/regular-file'
import { FileBytes } from '../jsonl/byte-source'
import { type LineReader, TAIL_BYTES } from '../jsonl/jsonl-lines'
import { hashTail, openAt } from '../jsonl/line-origin'

/** Sizes of reading a log. Bytes. */
const LIMITS = { maxLine: 1024 * 1024, buffer: 256 * 1024 }

/** Bytes that are searched for ends of lines at once. */
const COUNT_BYTES = 4 * 1024 * 1024

const NEWLINE = 10

/** A batch ends when this much was read. Bytes. */
const BATCH_BYTES = 1024 * 1024

/**
 * The logs in these folders, straight from disk.
 * @param newestBytes of a file that is read for the first time, no more than its end; null: all of it
 */
export function logReader(folders: readonly string[], newestBytes: Bytes | null = null): LogReader {
  return {
    folders: () => folders.map(lookInto),
    read: (log, cursorOf) => readLog(log, cursorOf, newestBytes),
  }
}

function lookInto(folder: string): LogFolder {
  try {
    const logs = readdirSync(folder).flatMap((name) => lookAt(folder, name))
    return { path: folder, found: true, logs: logs.sort(byKindAndAge) }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { path: folder, found: false, logs: [] }
    return { path: folder, found: true, logs: [], problem: asSourceProblem(error, folder).message }
  }
}

function lookAt(folder: string, name: string): FoundLog[] {
  const parsed = parseLogFileName(name)
  if (parsed === null) return []
  const file = path.join(folder, name)
  try {
    const stat = statSync(file, { throwIfNoEntry: false })
    return stat === undefined ? [] : [{ ...parsed, path: file, dev: stat.dev, ino: stat.ino }]
  } catch {
    // Reading it will tell what is wrong.
    return [{ ...parsed, path: file, dev: 0, ino: 0 }]
  }
}

const KINDS = Object.keys(LOG_FILES)

function byKindAndAge(a: FoundLog, b: FoundLog): number {
  return KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || b.age - a.age || (a.path < b.path ? -1 : 1)
}

async function* readLog(
  log: FoundLog,
  cursorOf: (file: SourceStamp) => Cursor | null,
  newestBytes: Bytes | null,
): AsyncGenerator<LogBatch> {
  const { fd, stat } = openInside(realFolder(log.path), log.path)
  try {
    const { dev, ino, size, mtimeMs } = stat
    const stamp = { dev, ino, size, mtimeMs }
    const cursor = cursorOf(stamp)
    if (cursor !== null && cursor.size === size && cursor.mtimeMs === mtimeMs) return
    const origin = {
      path: log.path,
      stamp,
      length: size,
      bytesFrom: (offset: number) => new FileBytes(fd, offset, size),
    }
    const isNew = cursor === null && newestBytes !== null && size > newestBytes
    const entry = isNew ? await enterAt(fd, stamp, size - newestBytes) : cursor
    const skippedBytes = isNew ? (entry?.offset ?? 0) : 0
    const opened = openAt(origin, entry, LIMITS)
    let { seq } = opened
    for (;;) {
      const after = opened.lines.line
      const { records, broken, ended } = fillBatch(opened.lines, log)
      seq += records.length
      const { position: offset, line } = opened.lines
      yield {
        log,
        after,
        skippedBytes,
        records,
        broken,
        cursor: { ...stamp, offset, line, seq, tailHash: hashTail(opened.lines.tail()) },
      }
      if (ended) return
      // The pages of this process get a turn between batches.
      await setImmediate()
    }
  } catch (error) {
    throw asSourceProblem(error, log.path)
  } finally {
    closeSync(fd)
  }
}

/**
 * Where the first whole line at or behind an offset begins, as a cursor. The lines before it are counted, not read:
 * that takes about a second for each gigabyte.
 */
async function enterAt(fd: number, stamp: SourceStamp, from: number): Promise<Cursor> {
  const buffer = Buffer.allocUnsafeSlow(COUNT_BYTES)
  let [offset, line] = [0, 0]
  for (let at = 0; at < stamp.size; ) {
    const read = readSync(fd, buffer, 0, buffer.length, at)
    if (read === 0) break
    for (let newline = buffer.indexOf(NEWLINE); newline >= 0 && newline < read; ) {
      line += 1
      offset = at + newline + 1
      if (offset >= from) break
      newline = buffer.indexOf(NEWLINE, newline + 1)
    }
    if (offset >= from) break
    at += read
    await setImmediate()
  }
  const tail = Buffer.alloc(Math.min(TAIL_BYTES, offset))
  readSync(fd, tail, 0, tail.length, offset - tail.length)
  return { ...stamp, offset, line, seq: 0, tailHash: hashTail(tail) }
}

/** A link to a log elsewhere is not followed; one of the folder itself is the operator's own. */
function realFolder(file: string): string {
  try {
    return realpathSync.native(path.dirname(file))
  } catch (error) {
    throw asSourceProblem(error, file)
  }
}

function fillBatch(lines: LineReader, { kind, path: file }: FoundLog) {
  const records: LoggedRecord[] = []
  const broken: BrokenLine[] = []
  const from = lines.position
  while (lines.position - from < BATCH_BYTES) {
    const result = lines.next()
    if (result === 'torn') lines.leaveTorn()
    if (result === 'torn' || result === 'end') return { records, broken, ended: true }
    const { line } = lines
    if (result === 'oversize') {
      const problem = `it has ${lines.bytes} bytes; lines over ${LIMITS.maxLine} bytes are passed over`
      broken.push({ file, line, problem })
      continue
    }
    const read = readLogLine(kind, lines.text())
    if (read.ok) records.push({ record: read.record, file, line })
    else broken.push({ file, line, problem: read.problem })
  }
  return { records, broken, ended: false }
}
