import { readFileState } from '../engine/write/file-state'
import type { FileState, WriteResult } from '../engine/write/receipt'
import { changeFiles, replaceFile } from '../engine/write/replace-file'
import { undoWrite } from '../engine/write/undo-write'
import type { Writer } from '../engine/write/write-ports'
import type { FileOperation, WriteIntent } from '../engine/write/write-requests'
import { MemoryDisk } from './memory-disk'
import { testWriter } from './test-writer'

/** Texts of files by path; null: no such file. */
export type Contents = Readonly<Record<string, string | null>>

/** A write from one known state of a store to another. */
export type WriteScenario = {
  readonly name: string
  /** The store before anything. */
  readonly start: Contents
  /** Writes that are done before the one in question. */
  readonly prepare?: (writer: Writer) => Promise<unknown>
  readonly before: Contents
  readonly after: Contents
  /** Carries the write out, with the files as they are. */
  readonly run: (writer: Writer) => Promise<WriteResult>
}

const STORE = '/store'
export const TRANSCRIPT = `${STORE}/agents/main/sessions/a.jsonl`
const ARCHIVE = `${TRANSCRIPT}.deleted.2026-11-01T08-00-00.000Z`
const INDEX = `${STORE}/agents/main/sessions/sessions.json`
const FRESH = `${STORE}/agents/main/sessions/b.jsonl`

export const INTENT: WriteIntent = {
  kind: 'repair',
  actor: 'test',
  reason: 'A test wanted it so.',
  session: 'agent:main:main',
  summary: { dropped: 1 },
}

export const NO_WAIT = { waitMs: 0 } as const

const HEADER = '{"type":"session","version":3,"id":"a","timestamp":"2026-11-01T08:00:00.000Z","cwd":"/w"}\n'
/** As the releases of February wrote it, and as those of July do. */
const GENERATIONS = {
  first: `${HEADER}{"type":"message","id":"m1","parentId":null,"timestamp":"2026-11-01T08:00:01.000Z","message":{"role":"user","content":"Grüße\u2028🐚"}}\nnot json\n`,
  second: `${HEADER}{"type":"custom","customType":"model-snapshot","data":{},"id":"c1","parentId":null,"timestamp":"2026-11-01T08:00:01.000Z"}\n{"type":"message","id":"m1","parentId":"c1","timestamp":"2026-11-01T08:00:02.000Z","message":{"role":"assistant","content":[{"type":"text","text":"${'long '.repeat(40)}"}]}}\n\n`,
}

/** When disks are prepared; writers that go on from there may be given a later time. Milliseconds. */
export const PREPARED_AT = Date.now()

export async function* bytesOf(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text)
}

export async function stateNow(writer: Writer, path: string): Promise<FileState> {
  const state = await readFileState(writer, path)
  if (state === null) throw new Error(`${path} is not there`)
  return state
}

function changing(
  operations: (writer: Writer) => Promise<readonly FileOperation[]>,
): (writer: Writer) => Promise<WriteResult> {
  return async (writer) =>
    changeFiles(writer, {
      intent: { ...INTENT, kind: 'maintain' },
      root: STORE,
      kind: 'openclaw',
      operations: await operations(writer),
      wait: NO_WAIT,
    })
}

function replacing(text: string): (writer: Writer) => Promise<WriteResult> {
  return async (writer) =>
    replaceFile(writer, {
      intent: INTENT,
      target: { file: TRANSCRIPT, root: STORE, kind: 'openclaw' },
      expected: await stateNow(writer, TRANSCRIPT),
      produce: () => bytesOf(text.slice(0, 100), text.slice(100)),
      wait: NO_WAIT,
    })
}

const ADDED = ['{"type":"compaction","id":"k1","summary":"short"}', '{"type":"custom","id":"k2"}']

async function appending(writer: Writer): Promise<WriteResult> {
  const expected = await stateNow(writer, TRANSCRIPT)
  const bytes = new TextEncoder().encode(`${ADDED.join('\n')}\n`)
  return changeFiles(writer, {
    intent: { ...INTENT, kind: 'compact' },
    root: STORE,
    kind: 'openclaw',
    operations: [{ op: 'append', file: TRANSCRIPT, expected, bytes }],
    wait: NO_WAIT,
  })
}

const archiving = changing(async (writer) => [
  { op: 'move', file: TRANSCRIPT, to: ARCHIVE, expected: await stateNow(writer, TRANSCRIPT) },
  {
    op: 'replace',
    file: INDEX,
    expected: await stateNow(writer, INDEX),
    produce: () => bytesOf('{}'),
  },
  { op: 'create', file: FRESH, mode: 0o600, produce: () => bytesOf(HEADER) },
])

const removing = changing(async (writer) => [
  { op: 'remove', file: TRANSCRIPT, expected: await stateNow(writer, TRANSCRIPT) },
])

/** Takes the newest write back. */
async function undoing(writer: Writer): Promise<WriteResult> {
  for (const id of await writer.receipts.ids()) {
    const receipt = await writer.receipts.get(id)
    if (receipt?.state === 'done' && receipt.kind !== 'undo') {
      return undoWrite(writer, { receipt: id, actor: 'test', wait: NO_WAIT })
    }
  }
  throw new Error('There is no write to take back')
}

/** Every kind of write, on the content of one generation. */
function scenariosOf(name: string, text: string): WriteScenario[] {
  const repaired = text.replace('not json\n', '').replace('\n\n', '\n')
  const grown = `${text}${ADDED.join('\n')}\n`
  const one = { [TRANSCRIPT]: text }
  const several = {
    [TRANSCRIPT]: text,
    [INDEX]: '{"agent:main:main":{"sessionId":"a"}}',
    [ARCHIVE]: null,
    [FRESH]: null,
  }
  const archived = { [TRANSCRIPT]: null, [INDEX]: '{}', [ARCHIVE]: text, [FRESH]: HEADER }
  const shorter = { [TRANSCRIPT]: HEADER }
  const plain = (
    what: string,
    start: Contents,
    after: Contents,
    run: WriteScenario['run'],
  ): WriteScenario[] => [
    { name: `${what} (${name})`, start, before: start, after, run },
    { name: `undo of ${what} (${name})`, start, prepare: run, before: after, after: start, run: undoing },
  ]
  return [
    ...plain('replace', one, { [TRANSCRIPT]: repaired }, replacing(repaired)),
    ...plain('cut to its beginning', one, shorter, replacing(HEADER)),
    ...plain('append', one, { [TRANSCRIPT]: grown }, appending),
    ...plain('remove', one, { [TRANSCRIPT]: null }, removing),
    ...plain('archive with index', several, archived, archiving),
  ]
}

export const WRITE_SCENARIOS: readonly WriteScenario[] = Object.entries(GENERATIONS).flatMap(([name, text]) =>
  scenariosOf(name, text),
)

/** Disks before the writes, made once. */
const prepared = new Map<WriteScenario, Promise<MemoryDisk>>()

/** A new disk in the state before the write of a scenario. */
export async function diskOf(scenario: WriteScenario): Promise<MemoryDisk> {
  const making = prepared.get(scenario) ?? prepareDisk(scenario)
  prepared.set(scenario, making)
  return (await making).copy()
}

async function prepareDisk({ start, prepare }: WriteScenario): Promise<MemoryDisk> {
  const disk = new MemoryDisk()
  await disk.makeFolder(disk.folderOf(TRANSCRIPT))
  for (const [path, text] of Object.entries(start)) if (text !== null) await disk.put(path, text)
  await prepare?.(testWriter(disk, { now: () => PREPARED_AT, countFrom: 0 }))
  return disk
}
