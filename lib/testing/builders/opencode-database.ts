import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'libsql'

type Data = { readonly [key: string]: unknown }

/** Usage as OpenCode names it. Tokens. */
type OpenCodeTokens = {
  readonly input?: number
  readonly output?: number
  readonly reasoning?: number
  readonly read?: number
  readonly write?: number
}

/** What an answer is made of besides its parts. */
type AnswerInfo = {
  readonly tokens?: OpenCodeTokens
  readonly cost?: number
  /** Not finished when false. */
  readonly done?: boolean
  readonly info?: Data
}

/** The tables of OpenCode 1.18 that hold sessions, with their indexes. */
const SCHEMA = `
  CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, slug text NOT NULL,
    directory text NOT NULL, title text NOT NULL, version text NOT NULL, agent text,
    time_created integer NOT NULL, time_updated integer NOT NULL);
  CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL,
    time_updated integer NOT NULL, data text NOT NULL);
  CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL,
    time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
  CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id);
  CREATE INDEX part_message_id_id_idx ON part (message_id, id);
  CREATE INDEX part_session_idx ON part (session_id);
`

const START = Date.UTC(2026, 10, 1, 8)

/** A database as OpenCode writes it: messages a second apart, ids in their order. */
export class OpenCodeBuilder {
  readonly connection: Database.Database
  private readonly file: string
  private count = 0
  private sessionId = ''

  constructor(file: string) {
    mkdirSync(dirname(file), { recursive: true })
    this.file = file
    this.connection = new Database(file)
    this.connection.exec('PRAGMA journal_mode = WAL')
    this.connection.exec(SCHEMA)
  }

  get path(): string {
    return this.file
  }

  /** Messages from here on are this session's. */
  session(
    id: string,
    { parent = null, agent = null }: { parent?: string | null; agent?: string | null } = {},
  ) {
    this.sessionId = id
    this.connection
      .prepare('INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
      .run(id, 'p1', parent, id, '/w', `About ${id}`, '1.18.33', agent, this.now(), this.now())
    return this
  }

  user(...parts: readonly (string | Data)[]): string {
    return this.message(
      { role: 'user', agent: 'build', model: { providerID: 'anthropic', modelID: 'claude-opus-5-5' } },
      parts.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
    )
  }

  answer(parts: readonly Data[], { tokens = {}, cost = 0, done = true, info = {} }: AnswerInfo = {}): string {
    const { input = 0, output = 0, reasoning = 0, read = 0, write = 0 } = tokens
    const used = { input, output, reasoning, cache: { read, write } }
    const created = this.now() + 1000
    const base = {
      role: 'assistant',
      agent: 'build',
      mode: 'build',
      modelID: 'claude-opus-5-5',
      providerID: 'anthropic',
      path: { cwd: '/w', root: '/w' },
      cost,
      tokens: used,
      time: { created, ...(done && { completed: created + 500 }) },
      ...(done && { finish: 'stop' }),
    }
    const finish = { type: 'step-finish', reason: 'stop', cost, tokens: used }
    const all = [{ type: 'step-start' }, ...parts, ...(done && info.error === undefined ? [finish] : [])]
    return this.message({ ...base, ...info }, all)
  }

  private message(data: Data, parts: readonly Data[]): string {
    const id = `msg_${String(++this.count).padStart(6, '0')}`
    const time = this.now()
    this.connection
      .prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)')
      .run(id, this.sessionId, time, time, JSON.stringify({ time: { created: time }, ...data }))
    for (const [i, part] of parts.entries())
      this.part(id, `prt_${id.slice(4)}_${String(i).padStart(3, '0')}`, part)
    this.touch()
    return id
  }

  /** A part, or the same one written anew. */
  part(message: string, id: string, data: Data | string): void {
    const time = this.now() + ++this.written
    this.connection
      .prepare('INSERT OR REPLACE INTO part VALUES (?, ?, ?, ?, ?, ?)')
      .run(id, message, this.sessionId, time, time, typeof data === 'string' ? data : JSON.stringify(data))
  }

  /** The session was written to, as OpenCode notes with each message. */
  touch(): void {
    this.connection
      .prepare('UPDATE session SET time_updated = ? WHERE id = ?')
      .run(this.now() + this.written, this.sessionId)
  }

  close(): void {
    this.connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    this.connection.close()
  }

  private written = 0

  private now(): number {
    return START + this.count * 1000
  }
}
