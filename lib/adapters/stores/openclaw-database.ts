import { readIndexEntry } from '../../core/transcript/formats/openclaw-index'
import type { IndexEntry } from '../../core/transcript/session-index'
import { numberOf, type SqliteRow, type SqliteSnapshot, textOf } from '../sqlite-read-only'

/** Highest `PRAGMA user_version` of an agent database that we know (OpenClaw 2026.9.6). */
export const KNOWN_SCHEMA = 23

/** A transcript in an agent database, before any of it is read. */
export type DatabaseTranscript = {
  readonly sessionId: string
  readonly key: string | null
  /** The key's current one. */
  readonly current: boolean
  /** Rows, counted by the last sequence number. */
  readonly rows: number
  /** When it last changed, in milliseconds. */
  readonly changedAt: number
}

/** A transcript that was taken out of the tables and kept as a compressed or plain JSONL blob, or as a file. */
export type ArchivedTranscript = {
  readonly name: string
  readonly sessionId: string
  readonly key: string | null
  readonly state: 'reset' | 'deleted'
  /** In cold storage: taken out to save room, not because the session ended. */
  readonly cold: boolean
  readonly at: number
  /** null: it stands in a file of that name. */
  readonly blobBytes: number | null
}

/** A node of the index: one session key. */
type IndexNode = {
  readonly key: string
  readonly sessionId: string
  readonly updatedAt: number
  readonly bytes: number
}

/** Everything a listing needs from one agent database. */
export type AgentDatabase = {
  readonly schema: number
  readonly agent: string | null
  /** null: the database holds no transcripts (releases before 2026.7.2 kept other things in it). */
  readonly transcripts: readonly DatabaseTranscript[] | null
  readonly archives: readonly ArchivedTranscript[]
  readonly index: ReadonlyMap<string, IndexEntry>
}

/** Index entries as last read, so that only those that changed are read again. */
export type IndexMemory = Map<
  string,
  { readonly updatedAt: number; readonly bytes: number; readonly entry: IndexEntry | null }
>

/** Reads what a listing needs. Tables that this schema does not have yet, or no more, count as empty. */
export function readAgentDatabase(snapshot: SqliteSnapshot, memory: IndexMemory): AgentDatabase {
  const schema = snapshot.version()
  const events = snapshot.columns('transcript_events')
  const empty = { schema, agent: agentOf(snapshot), archives: [], index: new Map() }
  if (!['session_id', 'seq', 'event_json'].every((column) => events.has(column))) {
    return { ...empty, transcripts: null }
  }
  const nodes = readNodes(snapshot)
  return {
    ...empty,
    transcripts: readTranscripts(snapshot, nodes),
    archives: [...readArchives(snapshot), ...readColdArchives(snapshot)],
    index: readIndex(snapshot, nodes, memory),
  }
}

function agentOf(snapshot: SqliteSnapshot): string | null {
  if (!snapshot.columns('schema_meta').has('agent_id')) return null
  const [row] = snapshot.all('SELECT CAST(agent_id AS BLOB) AS agent FROM schema_meta LIMIT 1')
  return textOf(row?.agent) || null
}

/** The table of session keys: `session_nodes` since schema 14, `session_entries` before. */
function nodeTable(snapshot: SqliteSnapshot): { table: string; session: string } | null {
  if (snapshot.columns('session_nodes').has('entry_json')) {
    return { table: 'session_nodes', session: 'current_session_id' }
  }
  const early = snapshot.columns('session_entries')
  return early.has('entry_json') && early.has('session_id')
    ? { table: 'session_entries', session: 'session_id' }
    : null
}

/** The session keys of the index. */
export function readSessionKeys(snapshot: SqliteSnapshot): readonly string[] {
  return readNodes(snapshot).map(({ key }) => key)
}

function readNodes(snapshot: SqliteSnapshot): IndexNode[] {
  const source = nodeTable(snapshot)
  if (source === null) return []
  return snapshot
    .all(
      `SELECT CAST(session_key AS BLOB) AS key, CAST(${source.session} AS BLOB) AS session,
              updated_at AS updated, octet_length(entry_json) AS bytes FROM ${source.table}`,
    )
    .map((row) => ({
      key: textOf(row.key),
      sessionId: textOf(row.session),
      updatedAt: numberOf(row.updated) ?? 0,
      bytes: numberOf(row.bytes) ?? 0,
    }))
}

function readIndex(
  snapshot: SqliteSnapshot,
  nodes: readonly IndexNode[],
  memory: IndexMemory,
): Map<string, IndexEntry> {
  const table = nodeTable(snapshot)?.table
  const index = new Map<string, IndexEntry>()
  for (const { key, updatedAt, bytes } of nodes) {
    let known = memory.get(key)
    if (known === undefined || known.updatedAt !== updatedAt || known.bytes !== bytes) {
      const [row] = snapshot.all(
        `SELECT CAST(entry_json AS BLOB) AS entry FROM ${table} WHERE session_key = ?`,
        key,
      )
      known = { updatedAt, bytes, entry: parseEntry(key, textOf(row?.entry)) }
      memory.set(key, known)
    }
    if (known.entry !== null) index.set(key, known.entry)
  }
  return index
}

function parseEntry(key: string, text: string): IndexEntry | null {
  try {
    return readIndexEntry(key, JSON.parse(text))
  } catch {
    // An entry that is not JSON tells nothing; the transcript is listed without it.
    return null
  }
}

function readTranscripts(snapshot: SqliteSnapshot, nodes: readonly IndexNode[]): DatabaseTranscript[] {
  const current = new Map(nodes.map((node) => [node.sessionId, node.key]))
  return sessionRows(snapshot).flatMap((row): DatabaseTranscript[] => {
    const rows = numberOf(row.last)
    if (rows === null) return []
    const sessionId = textOf(row.session)
    return [
      {
        sessionId,
        key: current.get(sessionId) ?? (textOf(row.key) || null),
        current: current.has(sessionId) || nodes.length === 0,
        rows: rows + 1,
        changedAt: Math.max(numberOf(row.changed) ?? 0, numberOf(row.rewritten) ?? 0),
      },
    ]
  })
}

/** One row per session: `session`, `key`, `last` (highest seq), `changed`, `rewritten`. */
function sessionRows(snapshot: SqliteSnapshot): SqliteRow[] {
  const windows = snapshot.columns('session_windows')
  const rewritten = snapshot.columns('transcript_rewrite_watermarks').has('updated_at')
    ? '(SELECT updated_at FROM transcript_rewrite_watermarks r WHERE r.session_id = s.session_id)'
    : 'NULL'
  if (windows.has('session_id') && windows.has('session_key')) {
    const changed = windows.has('transcript_updated_at') ? 's.transcript_updated_at' : 'NULL'
    return snapshot.all(
      `SELECT CAST(s.session_id AS BLOB) AS session, CAST(s.session_key AS BLOB) AS key,
              (SELECT max(seq) FROM transcript_events e WHERE e.session_id = s.session_id) AS last,
              ${changed} AS changed, ${rewritten} AS rewritten
       FROM session_windows s`,
    )
  }
  return snapshot.all(
    `SELECT CAST(s.session_id AS BLOB) AS session, NULL AS key, s.last AS last, NULL AS changed,
            ${rewritten} AS rewritten
     FROM (SELECT session_id, max(seq) AS last FROM transcript_events GROUP BY session_id) s`,
  )
}

function readArchives(snapshot: SqliteSnapshot): ArchivedTranscript[] {
  if (!snapshot.columns('session_transcript_archives').has('archive_blob')) return []
  return snapshot
    .all(
      `SELECT CAST(session_id AS BLOB) AS session, CAST(session_key AS BLOB) AS key, reason = 'reset' AS reset,
              CAST(archive_name AS BLOB) AS name, octet_length(archive_blob) AS bytes, created_at AS created
       FROM session_transcript_archives ORDER BY archive_name`,
    )
    .map((row) => ({
      name: textOf(row.name),
      sessionId: textOf(row.session),
      key: textOf(row.key) || null,
      state: row.reset === 1 ? 'reset' : 'deleted',
      cold: false,
      at: numberOf(row.created) ?? 0,
      blobBytes: numberOf(row.bytes) ?? 0,
    }))
}

function readColdArchives(snapshot: SqliteSnapshot): ArchivedTranscript[] {
  const columns = snapshot.columns('session_transcript_cold_archives')
  if (!columns.has('archive_name')) return []
  const keyed = snapshot.columns('session_windows').has('session_key')
  return snapshot
    .all(
      `SELECT CAST(c.session_id AS BLOB) AS session, CAST(c.archive_name AS BLOB) AS name,
              ${keyed ? '(SELECT CAST(w.session_key AS BLOB) FROM session_windows w WHERE w.session_id = c.session_id)' : 'NULL'} AS key,
              ${columns.has('archive_blob') ? 'octet_length(c.archive_blob)' : 'NULL'} AS bytes, c.archived_at AS archived
       FROM session_transcript_cold_archives c ORDER BY c.archive_name`,
    )
    .map((row) => ({
      name: textOf(row.name),
      sessionId: textOf(row.session),
      key: textOf(row.key) || null,
      state: 'reset',
      cold: true,
      at: numberOf(row.archived) ?? 0,
      blobBytes: numberOf(row.bytes),
    }))
}
