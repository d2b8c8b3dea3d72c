import { archivedName } from '../core/maintenance/store-files'
import {
  closedEntry,
  newEntry,
  type RunTotals,
  resetEntry,
  type SessionFile,
  sessionHeader,
} from '../core/session-life/index-entry'
import { readFileState } from './file-state'
import type { WriteKind, WriteResult } from './receipt'
import { asRefused, Refused } from './refusal'
import { changeFiles } from './replace-file'
import { demandEntry, openSessionIndex, PRIVATE_MODE, putEntry } from './session-index'
import type { Writer } from './write-ports'
import type { FileOperation, WaitOptions } from './write-requests'

/** A session of an OpenClaw store of files. */
export type SessionPlace = {
  /** The store's root, which nothing written may leave. */
  readonly root: string
  /** The sessions folder of its agent. */
  readonly folder: string
  /** Session key, e.g. `agent:main:main`. */
  readonly key: string
}

export type LifeRequest = {
  readonly place: SessionPlace
  readonly actor: string
  readonly wait: WaitOptions
}

export type BeginRequest = LifeRequest & {
  /** A new id, of the form that runtimes use (a UUID). */
  readonly sessionId: string
  /** The agent's working folder. */
  readonly cwd: string
}

/** Makes a session: its entry in the index and its transcript with the header, both before the first message (M23). */
export function createSession(writer: Writer, request: BeginRequest): Promise<WriteResult> {
  const { key } = request.place
  return change(writer, request, 'create', `The session ${key} begins.`, async (at) => {
    const index = await openSessionIndex(writer, request.place.folder)
    if (index.values.has(key)) {
      throw new Refused('changed', `${index.path} has a session ${key} already. Reset it for a fresh start.`)
    }
    const session = sessionFile(writer, request)
    return [transcript(request, session, at), putEntry(index, key, newEntry(session, at))]
  })
}

/** Begins the session's transcript anew; the old one stays under a name with `.reset.` and the time. */
export function resetSession(writer: Writer, request: BeginRequest): Promise<WriteResult> {
  const { key, folder } = request.place
  return change(writer, request, 'reset', `The session ${key} begins anew.`, async (at) => {
    const index = await openSessionIndex(writer, folder)
    const before = demandEntry(index, key)
    const session = sessionFile(writer, request)
    const old = writer.files.join(folder, `${transcriptName(writer, before)}`)
    const expected = await readFileState(writer, old)
    const aside: FileOperation[] =
      expected === null ? [] : [{ op: 'move', file: old, to: archivedName(old, 'reset', at), expected }]
    return [...aside, transcript(request, session, at), putEntry(index, key, resetEntry(before, session, at))]
  })
}

/** Writes into the index what the last run measured (M20). */
export function closeSession(
  writer: Writer,
  request: LifeRequest & { readonly totals: RunTotals },
): Promise<WriteResult> {
  const { key, folder } = request.place
  return change(writer, request, 'close', `The run of ${key} has ended.`, async (at) => {
    const index = await openSessionIndex(writer, folder)
    return [putEntry(index, key, closedEntry(demandEntry(index, key), request.totals, at))]
  })
}

async function change(
  writer: Writer,
  { place, actor, wait }: LifeRequest,
  kind: WriteKind,
  reason: string,
  plan: (at: number) => Promise<FileOperation[]>,
): Promise<WriteResult> {
  try {
    const operations = await plan(writer.clock.now())
    const intent = { kind, actor, reason, session: place.key, summary: {} }
    return await changeFiles(writer, { intent, root: place.root, kind: 'openclaw', operations, wait })
  } catch (error) {
    const known = asRefused(error, place.folder)
    if (known instanceof Refused) return { kind: 'refused', refusal: known.refusal }
    throw known
  }
}

function sessionFile({ files }: Writer, { place, sessionId }: BeginRequest): SessionFile {
  return { sessionId, sessionFile: files.join(place.folder, `${sessionId}.jsonl`) }
}

function transcript({ cwd }: BeginRequest, session: SessionFile, at: number): FileOperation {
  const header = `${sessionHeader(session.sessionId, cwd, at)}\n`
  const produce = async function* () {
    yield new TextEncoder().encode(header)
  }
  return { op: 'create', file: session.sessionFile, mode: PRIVATE_MODE, produce }
}

function transcriptName({ files }: Writer, entry: { readonly [name: string]: unknown }): string {
  if (typeof entry.sessionFile === 'string') return files.nameOf(entry.sessionFile)
  if (typeof entry.sessionId === 'string') return `${entry.sessionId}.jsonl`
  throw new Refused('unsafe', 'The session’s entry names no transcript.')
}
