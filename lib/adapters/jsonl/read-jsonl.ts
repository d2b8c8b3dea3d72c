import { setImmediate } from 'node:timers/promises'
import type { LinePlace } from '../../core/transcript/reading/empty-fact'
import { readBeginning } from '../../core/transcript/reading/read-beginning'
import {
  END_BYTES,
  GLUED,
  HEAD_BYTES,
  NOT_A_CALL,
  readLineHead,
} from '../../core/transcript/reading/read-head'
import { type ReadLine, readLine, readOutline, unreadable } from '../../core/transcript/reading/read-line'
import type { Cursor, ReadBatch, ReadStart } from '../../engine/read/ports'
import { asSourceProblem } from '../files/regular-file'
import { fastEstimate } from './fast-estimate'
import { BEGINNING_BYTES, type LineReader } from './jsonl-lines'
import { hashTail, type LineOrigin, openAt } from './line-origin'
import { readWithoutTexts } from './long-texts'
import type { LastLine, ReadLimits } from './read-limits'
import { type LineTranslator, translateLine } from './translate-line'

const MIB = 1024 * 1024

export const DEFAULT_LIMITS: ReadLimits = {
  maxLine: 32 * MIB,
  buffer: MIB,
  batchBytes: 4 * MIB,
  batchFacts: 2000,
  estimate: fastEstimate,
}

/**
 * Reads what is after `cursor` in batches; see `StoreReader.read`.
 *
 * @throws SourceProblem after the batch that goes up to the failure.
 */
export async function* readJsonl(
  origin: LineOrigin,
  cursor: Cursor | null,
  onStart: (start: ReadStart) => void,
  lastLine: LastLine,
  limits: ReadLimits,
): AsyncGenerator<ReadBatch> {
  const opened = attempt(origin, () => openAt(origin, cursor, limits))
  onStart(opened.start)
  const { lines } = opened
  let { seq, previous } = opened
  let counted = 0
  for (;;) {
    const batch = fillBatch(lines, origin, seq, lastLine, limits)
    seq += batch.facts.length
    const next: Cursor = {
      ...origin.stamp,
      offset: lines.position,
      line: lines.line,
      seq,
      tailHash: hashTail(lines.tail()),
    }
    if (batch.facts.length > 0 || !sameCursor(previous, next)) {
      const bytes = opened.bytesRead()
      yield { facts: batch.facts, texts: batch.texts, cursor: next, bytesRead: bytes - counted }
      counted = bytes
      previous = next
    }
    if (batch.failure !== undefined) throw asSourceProblem(batch.failure, origin.path)
    if (batch.ended) return
    // The pages of this process get a turn between batches.
    await setImmediate()
  }
}

type Batch = {
  readonly facts: ReadLine['fact'][]
  readonly texts: string[]
  ended: boolean
  /** What the source threw; the facts before it are valid. */
  failure?: unknown
}

function fillBatch(
  lines: LineReader,
  origin: LineOrigin,
  seq: number,
  lastLine: LastLine,
  limits: ReadLimits,
): Batch {
  const batch: Batch = { facts: [], texts: [], ended: false }
  const from = lines.position
  try {
    while (batch.facts.length < limits.batchFacts && lines.position - from < limits.batchBytes) {
      const result = lines.next()
      if (result === 'end') batch.ended = true
      else {
        const next = seq + batch.facts.length
        if (origin.translate !== undefined && result !== 'oversize') {
          takeTranslated(batch, lines, origin.translate, next, result === 'torn' ? lastLine : null, limits)
          batch.ended = result === 'torn'
          if (batch.ended) break
          continue
        }
        const head = limits.outline && result === 'line' ? takeHead(lines, origin, next) : null
        const read =
          head ??
          (result === 'torn'
            ? takeTorn(lines, origin, next, lastLine, limits)
            : takeLine(lines, origin, next, lines.line, result === 'oversize', limits))
        if (read !== null) take(batch, read, limits)
        batch.ended = result === 'torn'
      }
      if (batch.ended) break
    }
  } catch (error) {
    lines.leaveTorn()
    batch.failure = error
  }
  return batch
}

/** The entries of a line of another runtime. @param lastLine null: the line is finished */
function takeTranslated(
  batch: Batch,
  lines: LineReader,
  translator: LineTranslator,
  seq: number,
  lastLine: LastLine | null,
  limits: ReadLimits,
): void {
  const isTorn = lastLine !== null
  const line = isTorn ? lines.line + 1 : lines.line
  const place = { seq, line, offset: lines.offset, bytes: lines.bytes }
  const read =
    lastLine === 'leave' || (isTorn && lines.bytes > limits.maxLine)
      ? null
      : translateLine(translator, lines.text(), place, limits)
  if (isTorn) {
    if (read === null || (lastLine === 'take-whole' && read[0]?.fact.type === 'unreadable')) {
      lines.leaveTorn()
      return
    }
    lines.takeTorn()
  }
  for (const one of read ?? []) take(batch, one, limits)
}

function take(batch: Batch, { fact, searchText }: ReadLine, { texts }: ReadLimits): void {
  batch.facts.push(fact)
  batch.texts.push(texts === false ? '' : searchText)
}

function takeLine(
  lines: LineReader,
  origin: LineOrigin,
  seq: number,
  line: number,
  tooLong: boolean,
  limits: ReadLimits,
): ReadLine | null {
  const place = { seq, line, offset: lines.offset, bytes: lines.bytes }
  if (tooLong) {
    const size = (lines.bytes / MIB).toFixed(1)
    const problem = `the line has ${size} MiB; lines over ${limits.maxLine / MIB} MiB are passed over`
    const beginning = Buffer.from(lines.beginning(BEGINNING_BYTES), 'latin1').toString()
    // A line of another form around the entry says nothing about the entry at its beginning.
    return unreadable(place, problem, '', origin.unwrap === undefined ? readBeginning(beginning) : null)
  }
  if (!limits.outline && origin.unwrap === undefined) {
    const read = readWithoutTexts(lines, place, limits)
    if (read !== null) return read
  }
  const text = lines.text()
  const entry = origin.unwrap === undefined ? text : origin.unwrap(text)
  if (entry === null) return null
  return limits.outline ? readOutline(entry, place) : readLine(entry, place, limits.estimate, limits)
}

const NOT_A_CALL_BYTES = Buffer.from(NOT_A_CALL)
const GLUED_BYTES = Buffer.from(GLUED)
const NUL = Buffer.alloc(1)

/** A finished line from its first bytes; null when it must be read whole. */
function takeHead(lines: LineReader, origin: LineOrigin, seq: number): ReadLine | null {
  if (origin.unwrap !== undefined) return null
  const place: LinePlace = { seq, line: lines.line, offset: lines.offset, bytes: lines.bytes }
  const fact = readLineHead(lines.beginning(HEAD_BYTES), lines.ending(END_BYTES), place)
  if (fact === null || (fact.role === 'assistant' && lines.has(NOT_A_CALL_BYTES))) return null
  if (lines.hasRare(GLUED_BYTES, 1) || lines.hasRare(NUL)) return null
  return { fact, searchText: '' }
}

function takeTorn(
  lines: LineReader,
  origin: LineOrigin,
  seq: number,
  lastLine: LastLine,
  limits: ReadLimits,
): ReadLine | null {
  const read =
    lastLine === 'leave'
      ? null
      : takeLine(lines, origin, seq, lines.line + 1, lines.bytes > limits.maxLine, limits)
  if (read === null || (lastLine === 'take-whole' && read.fact.type === 'unreadable')) {
    lines.leaveTorn()
    return null
  }
  lines.takeTorn()
  return read
}

function sameCursor(a: Cursor | null, b: Cursor): boolean {
  return (
    a !== null &&
    a.offset === b.offset &&
    a.size === b.size &&
    a.mtimeMs === b.mtimeMs &&
    a.ino === b.ino &&
    a.dev === b.dev
  )
}

function attempt<T>(origin: LineOrigin, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw asSourceProblem(error, origin.path)
  }
}
