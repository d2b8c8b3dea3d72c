import { closeSync, lstatSync, realpathSync, type Stats, statSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { lineOfColdRecord } from '../../core/transcript/formats/cold-record'
import type { TranscriptName } from '../../core/transcript/formats/transcript-name'
import type {
  Cursor,
  EntryPlace,
  FoundStore,
  FoundTranscript,
  ReadBatch,
  ReadStart,
  SourceStamp,
} from '../../engine/read/ports'
import { SourceProblem } from '../../engine/read/source-problem'
import { asSourceProblem, isInside, kindOf, openInside, type RegularFile } from '../files/regular-file'
import { FileBytes } from '../jsonl/byte-source'
import { entered, type LineOrigin } from '../jsonl/line-origin'
import { readJsonl } from '../jsonl/read-jsonl'
import type { ReadLimits, ReadOptions } from '../jsonl/read-limits'
import type { LineTranslator } from '../jsonl/translate-line'
import { ZstdBytes } from '../jsonl/zstd'
import { sourceNamed } from '../sources/sources'
import { entryTextAt, manyEntryTextAt } from './entry-text'
import type { CachedListing } from './listing-cache'
import { transcriptId } from './transcript-id'

/** What is known of a transcript file besides its stat. */
export type FileFacts = Pick<FoundTranscript, 'key' | 'agent' | 'index' | 'windows'> &
  Pick<TranscriptName, 'sessionId' | 'state'>

const NO_STAMP: SourceStamp = { dev: 0, ino: 0, size: 0, mtimeMs: 0 }

/**
 * One transcript file, after one stat. Null when it has gone since the folder was listed.
 *
 * @param context identity of all that `describe` draws on: as long as it is the same, an unchanged file is not
 *   described anew.
 */
export function findTranscriptFile(
  store: FoundStore,
  file: string,
  seen: CachedListing,
  context: object,
  describe: () => FileFacts,
): FoundTranscript | null {
  let stamp = NO_STAMP
  let problem: string | undefined
  try {
    const stat = statInside(store.root, file)
    if (stat === null) return null
    const known = seen.get(file, context, stat)
    if (known !== null) return known
    if (stat.isFile()) stamp = stampOf(stat)
    else problem = `${file} is ${kindOf(stat)}, not a regular file; it is left alone.`
  } catch (error) {
    problem = asSourceProblem(error, file).message
  }
  const id = transcriptId(store.id, file)
  const found = { id, storeId: store.id, path: file, ...describe(), stamp, ...(problem && { problem }) }
  return seen.add(file, context, found)
}

function statInside(root: string, file: string): Stats | null {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (stat === undefined || !stat.isSymbolicLink()) return stat ?? null
  const real = realpathSync(file)
  if (isInside(root, real)) return statSync(real)
  throw new SourceProblem(
    'outside',
    file,
    `${file} is a link that leads out of the store, to ${real}; it is not followed. Name that place as a separate store to read it.`,
  )
}

function stampOf(stat: Stats): SourceStamp {
  return { dev: stat.dev, ino: stat.ino, size: stat.size, mtimeMs: stat.mtimeMs }
}

/** Reads a transcript file, compressed or not. See `StoreReader.read`. */
export async function* readTranscriptFile(
  store: FoundStore,
  transcript: FoundTranscript,
  cursor: Cursor | null,
  onStart: (start: ReadStart) => void,
  options: ReadOptions,
): AsyncGenerator<ReadBatch> {
  const file = openInside(store.root, transcript.path)
  try {
    // What is archived has no writer any more who would end its last line.
    const lastLine = transcript.state === 'live' ? options.lastLine : 'take'
    yield* readJsonl(fileOrigin(store, transcript.path, file), cursor, onStart, lastLine, options.limits)
  } finally {
    closeSync(file.fd)
  }
}

function translatorOf({ kind, root }: FoundStore, path: string): LineTranslator | undefined {
  const reading = sourceNamed(kind)?.reading
  if (reading?.era !== 'jsonl') return undefined
  return { translate: reading.translate, ofAgent: reading.describe(root, path)?.ofAgent ?? false }
}

const COLD_ARCHIVE = /[\\/]cold[\\/][0-9a-f]{64}\.jsonl\.zst$/

function fileOrigin(store: FoundStore, path: string, { fd, stat }: RegularFile): LineOrigin {
  const stamp = stampOf(stat)
  const translate = translatorOf(store, path)
  if (!path.endsWith('.zst')) {
    return {
      path,
      stamp,
      length: stat.size,
      bytesFrom: (offset) => new FileBytes(fd, offset, stat.size),
      ...(translate !== undefined && { translate }),
    }
  }
  return {
    path,
    stamp,
    length: null,
    bytesFrom: (offset) => entered(new ZstdBytes(new FileBytes(fd, 0, stat.size), stat.size), offset),
    unwrap: COLD_ARCHIVE.test(path) ? lineOfColdRecord : undefined,
  }
}

/** One read, in bytes; and so many are taken before others get their turn. */
const PIECE = 1024 * 1024
const IN_A_ROW = 8

/** The bytes of a transcript file, unpacked. See `StoreReader.bytes`. */
export async function* bytesOfFile(
  store: FoundStore,
  { path }: FoundTranscript,
  from = 0,
  to = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array> {
  const file = openInside(store.root, path)
  try {
    const source = fileOrigin(store, path, file).bytesFrom(from)
    const buffer = Buffer.allocUnsafe(Math.min(PIECE, Math.max(1, to - from)))
    let left = to - from
    for (let piece = 1; left > 0; piece++) {
      const read = source.read(buffer, 0, Math.min(buffer.length, left))
      if (read === 0) return
      left -= read
      yield buffer.subarray(0, read)
      if (piece % IN_A_ROW === 0) await setImmediate()
    }
  } catch (error) {
    throw asSourceProblem(error, path)
  } finally {
    closeSync(file.fd)
  }
}

/** The raw text of one entry of a transcript file. */
export function sourceOfFile(
  store: FoundStore,
  { path }: FoundTranscript,
  place: EntryPlace,
  limits: ReadLimits,
): string {
  const file = openInside(store.root, path)
  try {
    return entryTextAt(fileOrigin(store, path, file), place, limits.maxLine)
  } catch (error) {
    throw asSourceProblem(error, path)
  } finally {
    closeSync(file.fd)
  }
}

/** The raw texts of many entries of a transcript file that is not compressed, with one opening of it. */
export function* sourcesOfFile(
  store: FoundStore,
  { path }: FoundTranscript,
  places: readonly EntryPlace[],
  limits: ReadLimits,
): Generator<string> {
  const file = openInside(store.root, path)
  try {
    const origin = fileOrigin(store, path, file)
    for (const place of places) yield manyEntryTextAt(origin, place, limits.maxLine)
  } catch (error) {
    throw asSourceProblem(error, path)
  } finally {
    closeSync(file.fd)
  }
}
