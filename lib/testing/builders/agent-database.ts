import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'libsql'

/** A transcript row: its text, or a Zstandard frame with the length of the text in it. */
export type Row = string | { readonly zstd: Uint8Array; readonly bytes: number }

export type DatabaseSession = {
  readonly id: string
  readonly key: string
  readonly rows: readonly Row[]
  /** The value of `entry_json`; absent: the key names another session. */
  readonly entry?: unknown
  readonly generation?: string
  readonly changedAt?: number
}

/**
 * The tables of OpenClaw's agent database (schema 23) that hold transcripts, without the constraints that need a whole
 * database around them.
 */
const SCHEMA = `
  CREATE TABLE schema_meta (meta_key TEXT NOT NULL PRIMARY KEY, role TEXT NOT NULL, agent_id TEXT) STRICT;
  CREATE TABLE session_nodes (session_key TEXT NOT NULL PRIMARY KEY, current_session_id TEXT NOT NULL,
    entry_json TEXT NOT NULL, updated_at INTEGER NOT NULL) STRICT;
  CREATE TABLE session_windows (session_id TEXT NOT NULL PRIMARY KEY, session_key TEXT NOT NULL,
    transcript_updated_at INTEGER) STRICT;
  CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT,
    created_at INTEGER NOT NULL, event_zstd BLOB, event_utf8_bytes INTEGER, navigation_json TEXT,
    PRIMARY KEY (session_id, seq)) STRICT;
  CREATE TABLE transcript_rewrite_watermarks (session_id TEXT NOT NULL PRIMARY KEY, generation TEXT NOT NULL,
    updated_at INTEGER NOT NULL) STRICT;
  CREATE TABLE session_transcript_archives (session_id TEXT NOT NULL, generation TEXT NOT NULL,
    session_key TEXT NOT NULL, reason TEXT NOT NULL, encoding TEXT NOT NULL, archive_blob BLOB NOT NULL,
    archive_name TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL, PRIMARY KEY (session_id, generation)) STRICT;
  CREATE TABLE session_transcript_cold_archives (session_id TEXT NOT NULL PRIMARY KEY, archive_name TEXT NOT NULL UNIQUE,
    archived_at INTEGER NOT NULL, storage TEXT NOT NULL, archive_blob BLOB) STRICT;
  INSERT INTO schema_meta VALUES ('primary', 'agent', 'main');
`

/** The tables of the first releases on SQLite (schema 4). */
const EARLY_SCHEMA = `
  CREATE TABLE sessions (session_id TEXT NOT NULL PRIMARY KEY, session_key TEXT NOT NULL, updated_at INTEGER NOT NULL);
  CREATE TABLE session_entries (session_key TEXT NOT NULL PRIMARY KEY, session_id TEXT NOT NULL,
    entry_json TEXT NOT NULL, updated_at INTEGER NOT NULL);
  CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT NOT NULL,
    created_at INTEGER NOT NULL, PRIMARY KEY (session_id, seq));
`

/** An agent database as OpenClaw writes it, kept open as by a running gateway. */
export class AgentDatabaseBuilder {
  readonly connection: Database.Database
  private readonly early: boolean

  /** @param options.wal keep a write-ahead log, as the gateway does. */
  constructor(file: string, options: { wal?: boolean; schema?: number } = {}) {
    const schema = options.schema ?? 23
    this.early = schema < 14
    mkdirSync(dirname(file), { recursive: true })
    this.connection = new Database(file)
    this.connection.exec(`PRAGMA journal_mode = ${options.wal ? 'WAL' : 'DELETE'}`)
    // Tests lose processes, not power: to wait for the disk at each row takes longer than all else that they do.
    this.connection.exec('PRAGMA synchronous = OFF')
    this.connection.exec(this.early ? EARLY_SCHEMA : SCHEMA)
    this.connection.exec(`PRAGMA user_version = ${schema}`)
  }

  session(session: DatabaseSession): this {
    const { id, key, rows, entry, generation, changedAt = 1 } = session
    if (this.early) {
      this.run('INSERT INTO session_entries VALUES (?, ?, ?, 1)', key, id, JSON.stringify(entry ?? {}))
    } else {
      this.run('INSERT INTO session_windows VALUES (?, ?, ?)', id, key, changedAt)
      if (entry !== undefined) {
        this.run('INSERT INTO session_nodes VALUES (?, ?, ?, 1)', key, id, JSON.stringify(entry))
      }
      if (generation !== undefined) {
        this.run('INSERT INTO transcript_rewrite_watermarks VALUES (?, ?, 1)', id, generation)
      }
    }
    this.append(id, 0, rows)
    return this
  }

  /** Moves the rows of two sessions, `filed` and `kept`, into OpenClaw's cold storage: of one to a file, of the other beside it. */
  coldArchives(name: string, archive: Uint8Array): this {
    return this.run(
      "INSERT INTO session_transcript_cold_archives VALUES ('filed', ?, 5, 'file', NULL)",
      name,
    ).run(
      "INSERT INTO session_transcript_cold_archives VALUES ('kept', ?, 5, 'sqlite', ?)",
      `${'cd'.repeat(32)}.jsonl.zst`,
      archive,
    )
  }

  /** Adds rows from `seq` on. */
  append(id: string, seq: number, rows: readonly Row[]): this {
    rows.forEach((row, i) => {
      if (this.early) this.run('INSERT INTO transcript_events VALUES (?, ?, ?, 1)', id, seq + i, textOf(row))
      else if (typeof row === 'string') {
        this.run(
          'INSERT INTO transcript_events VALUES (?, ?, ?, 1, NULL, ?, NULL)',
          id,
          seq + i,
          row,
          Buffer.byteLength(row),
        )
      } else {
        this.run(
          `INSERT INTO transcript_events VALUES (?, ?, NULL, 1, ?, ?, '{}')`,
          id,
          seq + i,
          row.zstd,
          row.bytes,
        )
      }
    })
    return this
  }

  /** Runs a statement with `?` for values. Nothing is prepared: that would keep the file open after `close`. */
  run(sql: string, ...values: (string | number | Uint8Array)[]): this {
    const rest = [...values]
    this.connection.exec(sql.replaceAll('?', () => literal(rest.shift())))
    return this
  }

  close(): void {
    this.connection.close()
  }
}

function textOf(row: Row): string {
  if (typeof row === 'string') return row
  throw new Error('early schemas have no compressed rows')
}

function literal(value: string | number | Uint8Array | undefined): string {
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  return `x'${Buffer.from(value ?? []).toString('hex')}'`
}
