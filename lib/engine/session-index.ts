import { indexText } from '../core/maintenance/read-store-index'
import { isObject, type JsonObject } from '../core/transcript/json'
import { readFileState } from './file-state'
import type { FileState } from './receipt'
import { Refused } from './refusal'
import type { Writer } from './write-ports'
import type { FileOperation } from './write-requests'

/** A `sessions.json` as it is now; `state` is null when there is none yet. */
export type SessionIndexFile = {
  readonly path: string
  readonly state: FileState | null
  readonly values: ReadonlyMap<string, unknown>
}

/** The runtimes keep indexes and transcripts to their owner. */
export const PRIVATE_MODE = 0o600

/** @throws Refused when it holds something else than an index */
export async function openSessionIndex(
  { files, sha256 }: Pick<Writer, 'files' | 'sha256'>,
  folder: string,
): Promise<SessionIndexFile> {
  const path = files.join(folder, 'sessions.json')
  const state = await readFileState({ files, sha256 }, path)
  if (state === null) return { path, state, values: new Map() }
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of files.read(path)) text += decoder.decode(bytes, { stream: true })
  return { path, state, values: readValues(path, text + decoder.decode()) }
}

function readValues(path: string, text: string): ReadonlyMap<string, unknown> {
  let why = 'it holds no object'
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return new Map(Object.entries(value))
  } catch (error) {
    why = error instanceof Error ? error.message : String(error)
  }
  throw new Refused('unsafe', `${path} cannot be understood: ${why}. Restore it from a copy first.`)
}

/** The entry of a key. @throws Refused when there is none */
export function demandEntry({ path, values }: SessionIndexFile, key: string): JsonObject {
  const value = values.get(key)
  if (isObject(value)) return value
  throw new Refused('missing', `${path} has no session ${key}.`)
}

/** Puts one entry into the index and leaves the others as they are. */
export function putEntry(
  { path, state, values }: SessionIndexFile,
  key: string,
  entry: JsonObject,
): FileOperation {
  const text = indexText(new Map([...values, [key, entry]]))
  const produce = async function* () {
    yield new TextEncoder().encode(text)
  }
  return state === null
    ? { op: 'create', file: path, mode: PRIVATE_MODE, produce }
    : { op: 'replace', file: path, expected: state, produce }
}
