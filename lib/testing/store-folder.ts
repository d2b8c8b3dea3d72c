import { createHash } from 'node:crypto'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, onTestFinished } from 'vitest'
import type { EntryFact } from '../core/transcript/entry'
import type { Cursor, FoundStore, FoundTranscript, ReadStart, StoreReader } from '../engine/read/ports'

/** A separate folder for one test, with real path; gone when the test is over. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-test-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A separate folder for the tests of one file or block, with real path; gone when the last is over. */
export function sharedFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-test-')))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Writes files below a folder, by relative path. */
export function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
}

/** A file of `lib/testing/fixtures/stores`. */
export function storeFixture(name: string): Buffer {
  return readFileSync(fileURLToPath(new URL(`fixtures/stores/${name}`, import.meta.url)))
}

/** Every path below a folder with its mode, size, modification time and, for files, a hash of the content. */
export function treeOf(folder: string): Record<string, string> {
  const tree: Record<string, string> = {}
  for (const name of ['.', ...(readdirSync(folder, { recursive: true }) as string[]).sort()]) {
    const path = join(folder, name)
    const stat = lstatSync(path)
    const content = stat.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : ''
    tree[name] = `${stat.mode} ${stat.size} ${stat.mtimeMs} ${content}`
  }
  return tree
}

/** Lists a store; a problem at the end of the listing is returned, not thrown. */
export async function listAll(
  reader: StoreReader,
  store: FoundStore,
): Promise<{ transcripts: FoundTranscript[]; problem: unknown }> {
  const transcripts: FoundTranscript[] = []
  try {
    for await (const transcript of reader.list(store)) transcripts.push(transcript)
    return { transcripts, problem: null }
  } catch (problem) {
    return { transcripts, problem }
  }
}

export type StoreReading = {
  readonly facts: EntryFact[]
  readonly cursor: Cursor | null
  readonly start: ReadStart | null
  readonly bytesRead: number
  readonly batches: number
  readonly problem: unknown
}

/** Reads a transcript to its end; a problem on the way is returned, not thrown. */
export async function readAll(
  reader: StoreReader,
  store: FoundStore,
  transcript: FoundTranscript,
  from: Cursor | null = null,
  onBatch: (batch: number) => void = () => {},
): Promise<StoreReading> {
  const facts: EntryFact[] = []
  let cursor = from
  let start: ReadStart | null = null
  let bytesRead = 0
  let batches = 0
  let problem: unknown = null
  try {
    const reading = reader.read(store, transcript, from, (begun) => {
      start = begun
    })
    for await (const batch of reading) {
      facts.push(...batch.facts)
      cursor = batch.cursor
      bytesRead += batch.bytesRead
      onBatch(++batches)
    }
  } catch (error) {
    problem = error
  }
  return { facts, cursor, start, bytesRead, batches, problem }
}
