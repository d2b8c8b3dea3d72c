import { randomBytes, randomUUID } from 'node:crypto'
import type { OpenedSession, SessionEntry, SessionStore } from '../../agent/session/session-store'
import { isObject, type JsonObject, stringOf } from '../../core/transcript/json'
import { compactionLine, indexEntry, messageLine, sessionHeader } from '../../core/transcript/session-lines'
import { writeAll } from '../../engine/write/file-state'
import { readTextFile } from '../../engine/write/read-text'
import type { WriteFiles } from '../../engine/write/write-ports'
import { homePath } from '../files/home-path'
import { writeFlushed } from '../write/flushed-file'
import { nodeWriteFiles } from '../write/node-write-files'

/** What is known of the agent whose sessions are kept. */
export type OpenSessionsOptions = {
  /** As the index names them, for lists and windows. */
  readonly model?: string
  readonly provider?: string
  /** Default: the working folder of the process. */
  readonly cwd?: string
  readonly clock?: { now(): number }
}

/**
 * Sessions in a folder that belongs to the agent, as OpenClaw lays them out: `sessions.json` and a transcript of JSON
 * lines for each; `plimsoll` shows them. Every turn is flushed to the disk. One process may write to a session at a time.
 *
 * @example
 * ```ts
 * import { CONTENT_FORM, ContextManager, Conversation, DEFAULT_POLICY, openSessions } from 'plimsoll-agent'
 *
 * const talk = new Conversation()
 * const sessions = openSessions('./agents/harbour/sessions', { model: 'claude-sonnet-4-5' })
 * const agent = { ...talk, session: 'agent:harbour:main', form: CONTENT_FORM, clock: { now: Date.now }, sessions }
 * const context = new ContextManager({ policy: DEFAULT_POLICY, window: 200_000, key: null, promptCache: null, agent })
 * ```
 */
export function openSessions(folder: string, options: OpenSessionsOptions = {}): SessionStore {
  return new SessionFiles(nodeWriteFiles, homePath(folder), options)
}

/** A transcript that is open: its file, and the entry that the next one follows. */
type OpenFile = { readonly file: string; last: string | null }

class SessionFiles implements SessionStore {
  private readonly opened = new Map<string, OpenFile>()
  private readonly index: string

  constructor(
    private readonly files: WriteFiles,
    private readonly folder: string,
    private readonly options: OpenSessionsOptions,
  ) {
    this.index = files.join(folder, 'sessions.json')
  }

  async open(session: string): Promise<OpenedSession> {
    await this.files.makeFolder(this.folder)
    const index = await this.readIndex()
    const known = index[session]
    const file = isObject(known) ? this.fileOf(known) : null
    if (file !== null && (await this.files.stat(file)) !== null) return this.goOn(session, file)
    const id = isObject(known) ? (stringOf(known.sessionId) ?? randomUUID()) : randomUUID()
    const made = this.files.join(this.folder, `${id}.jsonl`)
    const { cwd = process.cwd(), model, provider } = this.options
    const at = this.now()
    await this.write(await this.files.create(made, 0o600), `${sessionHeader(id, cwd, at)}\n`)
    await this.files.syncFolder(this.folder)
    const entry = { sessionId: id, sessionFile: made, updatedAt: at, compactionCount: 0 }
    const named = { ...(model && { model }), ...(provider && { modelProvider: provider }) }
    await this.writeIndex({ ...index, [session]: { ...entry, ...named } })
    this.opened.set(session, { file: made, last: null })
    return { isNew: true, messages: [] }
  }

  async append(session: string, entries: readonly SessionEntry[]): Promise<readonly string[]> {
    const open = this.demand(session)
    const at = this.now()
    let last = open.last
    const ids: string[] = []
    const lines = entries.map((entry) => {
      const place = { id: randomBytes(4).toString('hex'), parentId: last, at }
      last = place.id
      ids.push(place.id)
      if (entry.kind === 'message') return messageLine(place, entry.json)
      const { summary, kept, tokensBefore } = entry
      return compactionLine(place, { summary, firstKeptEntryId: kept, tokensBefore })
    })
    await this.write(await this.files.openEnd(open.file), lines.map((line) => `${line}\n`).join(''))
    open.last = last
    return ids
  }

  async note(session: string, totals: Parameters<SessionStore['note']>[1]): Promise<void> {
    const index = await this.readIndex()
    const before = index[session]
    if (!isObject(before)) throw new Error(`${this.index} has no session ${session} any more`)
    await this.writeIndex({ ...index, [session]: indexEntry(before, totals, this.now()) })
  }

  /** A line that a crash cut short was never answered as written. */
  private async goOn(session: string, file: string): Promise<OpenedSession> {
    const text = await readTextFile(this.files, file)
    const messages: { id: string; json: string }[] = []
    let last: string | null = null
    for (const line of text.split('\n')) {
      const entry = readEntry(line)
      const id = stringOf(entry?.id)
      if (entry === null || id === undefined || entry.type === 'session') continue
      last = id
      if (entry.type === 'message') messages.push({ id, json: JSON.stringify(entry.message) })
    }
    this.opened.set(session, { file, last })
    if (text !== '' && !text.endsWith('\n')) await this.write(await this.files.openEnd(file), '\n')
    return { isNew: false, messages }
  }

  private demand(session: string): OpenFile {
    const open = this.opened.get(session)
    if (open === undefined) throw new Error(`the session ${session} was not opened`)
    return open
  }

  /** The file that an entry of the index names, within this folder. */
  private fileOf(entry: JsonObject): string | null {
    const name = stringOf(entry.sessionFile) ?? `${stringOf(entry.sessionId) ?? ''}.jsonl`
    const base = this.files.nameOf(name)
    return base === '.jsonl' ? null : this.files.join(this.folder, base)
  }

  private async readIndex(): Promise<JsonObject> {
    if ((await this.files.stat(this.index)) === null) return {}
    const value = readEntry(await readTextFile(this.files, this.index))
    if (value === null) throw new Error(`${this.index} is no JSON object; it is left as it is`)
    return value
  }

  private async writeIndex(index: JsonObject): Promise<void> {
    const text = `${JSON.stringify(index, null, 2)}\n`
    await writeFlushed(this.files, this.index, [new TextEncoder().encode(text)])
  }

  private async write(file: Awaited<ReturnType<WriteFiles['openEnd']>>, text: string): Promise<void> {
    const { size } = await file.stat()
    try {
      await writeAll(file, new TextEncoder().encode(text))
      await file.sync()
    } catch (error) {
      // The next line must not begin behind half of this one.
      await file.truncate(size).catch(() => undefined)
      throw error
    } finally {
      await file.close()
    }
  }

  private now(): number {
    return (this.options.clock ?? { now: Date.now }).now()
  }
}

function readEntry(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
