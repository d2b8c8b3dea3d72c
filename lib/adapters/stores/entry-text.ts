import { isObject } from '../../core/transcript/json'
import type { EntryPlace } from '../../engine/read/ports'
import { SourceProblem } from '../../engine/read/source-problem'
import type { LineOrigin } from '../jsonl/line-origin'
import { translatedText } from '../jsonl/translate-line'

const NEWLINE = 10
const CARRIAGE_RETURN = 13
const BOM_END = 0xbf
const BOM_LENGTH = 3

/**
 * The raw text of the line that is exactly at `place`.
 *
 * @param limit longer lines are not returned. Bytes.
 * @throws SourceProblem when the line is not there, or is another one.
 */
export function entryTextAt(origin: LineOrigin, place: EntryPlace, limit: number): string {
  const text = lineTextAt(origin, place, limit)
  // Its id is the entry's that it makes: that it makes one is what could be checked.
  if (place.asWritten && origin.translate !== undefined) return text
  return checkEntry(text, place, origin.path)
}

function lineTextAt(origin: LineOrigin, place: EntryPlace, limit: number): string {
  const { offset, bytes } = place
  if (bytes > limit) {
    throw new SourceProblem(
      'unreadable',
      origin.path,
      `The line has ${bytes} bytes, more than the ${limit} that are shown. Open ${origin.path} at byte ${offset} to see it.`,
    )
  }
  const before = offset > 0 ? 1 : 0
  const buffer = Buffer.alloc(before + bytes + 1)
  const filled = readFully(origin, offset - before, buffer)
  const previous = before === 0 ? NEWLINE : buffer[0]
  const starts = previous === NEWLINE || (offset === BOM_LENGTH && previous === BOM_END)
  const next = filled === buffer.length ? buffer[before + bytes] : NEWLINE
  const ends = next === NEWLINE || next === CARRIAGE_RETURN
  if (filled < before + bytes || !starts || !ends) throw changed(origin.path)
  const line = buffer.toString('utf8', before, before + bytes)
  if (origin.translate !== undefined) {
    const text = translatedText(origin.translate, line, place)
    if (text === null) throw changed(origin.path)
    return place.asWritten ? line : text
  }
  return (origin.unwrap === undefined ? null : origin.unwrap(line)) ?? line
}

/**
 * The same for one of many that are all parsed behind it: where a line begins with its type and its id, as runtimes
 * write them, it is not parsed for the id as well.
 */
export function manyEntryTextAt(origin: LineOrigin, place: EntryPlace, limit: number): string {
  const text = lineTextAt(origin, place, limit)
  const id = HEAD.exec(text)?.[1]
  return id !== undefined && id === place.id ? text : checkEntry(text, place, origin.path)
}

/** Type and id without an escape in them, as the first two keys. */
const HEAD = /^\{"type":"[\w.-]{1,64}","id":"([^"\\]{1,256})"/

/** Passes the text on if it is the entry that is expected at `place`. */
export function checkEntry(text: string, place: EntryPlace, path: string): string {
  // Entries of version 1 have no id; ours is their ordinal.
  if (place.id === undefined || place.id === null || place.id.startsWith('#')) return text
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw changed(path)
  }
  if (!isObject(value) || value.id !== place.id) throw changed(path)
  return text
}

export function changed(path: string): SourceProblem {
  return new SourceProblem(
    'changed',
    path,
    `${path} has changed since this entry was read. It is read anew with the next pass; open the entry again then.`,
  )
}

function readFully(origin: LineOrigin, from: number, into: Buffer): number {
  const source = origin.bytesFrom(from)
  let filled = 0
  while (filled < into.length) {
    const got = source.read(into, filled, into.length - filled)
    if (got === 0) break
    filled += got
  }
  return filled
}
