import { readIndexEntry } from '../../core/transcript/formats/openclaw-index'
import type { IndexEntry } from '../../core/transcript/session-index'
import type { Bytes, Milliseconds } from '../../core/units/units'
import { numberColumn, numberIn, type SqliteRow, type SqliteSnapshot, textColumn } from '../sqlite/read-only'

/** Highest `PRAGMA user_version` of an agent database that we know (OpenClaw 2026.9.6). */
export const KNOWN_SCHEMA = 23

/** A transcript in an agent database, before any of it is read. */
type DatabaseTranscript = {
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
  /** null: it is in a file of that name. */
  readonly blobBytes: Bytes | null
}

/** A node of the index: one session key. */
type IndexNode = {
  readonly key: string
  readonly sessionId: string
  readonly updatedAt: Milliseconds
  readonly bytes: Bytes
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
  { readonly updatedAt: Milliseconds; readonly bytes: Bytes; readonly entry: IndexEntry | null }
>

/** Reads what a listing needs. Tables that this schema does not have yet, or no more, count as empty. */
export async function readAgentDatabase(
  snapshot: SqliteSnapshot,
  memory: IndexMemory,
): Promise<AgentDatabase> {
  const schema = await snapshot.version()
  const events = await snapshot.columns('transcript_events')
  const empty = { schema, agent: await agentOf(snapshot), archives: [], index: new Map() }
  if (!['session_id', 'seq', 'event_json'].every((column) => events.has(column))) {
    return { ...empty, transcripts: null }
  }
  const nodes = await readNodes(snapshot)
  return {
    ...empty,
    transcripts: await readTranscripts(snapshot, nodes),
    archives: [...(await readArchives(snapshot)), ...(await readColdArchives(snapshot))],
    index: await readIndex(snapshot, nodes, memory),
  }
}

async function agentOf(snapshot: SqliteSnapshot): Promise<string | null> {
  if (!(await snapshot.columns('schema_meta')).has('agent_id')) return null
  const [row] = await snapshot.all('SELECT CAST(agent_id AS BLOB) AS agent FROM schema_meta LIMIT 1')
  return textColumn(row?.agent) || null
}

/** The table of session keys: `session_nodes` since schema 14, `session_entries` before. */
async function nodeTable(snapshot: SqliteSnapshot): Promise<{ table: string; session: string } | null> {
  if ((await snapshot.columns('session_nodes')).has('entry_json')) {
    return { table: 'session_nodes', session: 'current_session_id' }
  }
  const early = await snapshot.columns('session_entries')
  return early.has('entry_json') && early.has('session_id')
    ? { table: 'session_entries', session: 'session_id' }
    : null
}

/** The session keys of the index. */
export async function readSessionKeys(snapshot: SqliteSnapshot): Promise<readonly string[]> {
  return (await readNodes(snapshot)).map(({ key }) => key)
}

async function readNodes(snapshot: SqliteSnapshot): Promise<IndexNode[]> {
  const source = await nodeTable(snapshot)
  if (source === null) return []
  const rows = await snapshot.all(
    `SELECT CAST(session_key AS BLOB) AS key, CAST(${source.session} AS BLOB) AS session,
            ${numberIn('updated_at')} AS updated, octet_length(entry_json) AS bytes FROM ${source.table}`,
  )
  return rows.map((row) => ({
    key: textColumn(row.key),
    sessionId: textColumn(row.session),
    updatedAt: numberColumn(row.updated) ?? 0,
    bytes: numberColumn(row.bytes) ?? 0,
  }))
}

/**
 * Entries that are asked for together, and the longest that is read: no session has as much to say of itself. Bytes.
 */
const ENTRIES_AT_ONCE = 200
const LONGEST_ENTRY = 4 * 1024 * 1024
const ENTRY_BYTES_AT_ONCE = 16 * 1024 * 1024

async function readIndex(
  snapshot: SqliteSnapshot,
  nodes: readonly IndexNode[],
  memory: IndexMemory,
): Promise<Map<string, IndexEntry>> {
  const table = (await nodeTable(snapshot))?.table
  let wanted: IndexNode[] = []
  let size = 0
  const read = async () => {
    const rows = await snapshot.all(
      `SELECT CAST(session_key AS BLOB) AS key, CAST(entry_json AS BLOB) AS entry FROM ${table}
       WHERE session_key IN (SELECT value FROM json_each(?))`,
      JSON.stringify(wanted.map(({ key }) => key)),
    )
    const texts = new Map(rows.map((row) => [textColumn(row.key), textColumn(row.entry)]))
    for (const { key, updatedAt, bytes } of wanted) {
      memory.set(key, { updatedAt, bytes, entry: parseEntry(key, texts.get(key) ?? '') })
    }
    wanted = []
    size = 0
  }
  for (const node of nodes) {
    const { key, updatedAt, bytes } = node
    const known = memory.get(key)
    if (known?.updatedAt === updatedAt && known.bytes === bytes) continue
    if (bytes > LONGEST_ENTRY) {
      memory.set(key, { updatedAt, bytes, entry: null })
      continue
    }
    wanted.push(node)
    size += bytes
    if (wanted.length >= ENTRIES_AT_ONCE || size >= ENTRY_BYTES_AT_ONCE) await read()
  }
  if (wanted.length > 0) await read()
  const index = new Map<string, IndexEntry>()
  for (const { key } of nodes) {
    const entry = memory.get(key)?.entry ?? null
    if (entry !== null) index.set(key, entry)
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

async function readTranscripts(
  snapshot: SqliteSnapshot,
  nodes: readonly IndexNode[],
): Promise<DatabaseTranscript[]> {
  const current = new Map(nodes.map((node) => [node.sessionId, node.key]))
  return (await sessionRows(snapshot)).flatMap((row): DatabaseTranscript[] => {
    const rows = numberColumn(row.last)
    if (rows === null) return []
    const sessionId = textColumn(row.session)
    return [
      {
        sessionId,
        key: current.get(sessionId) ?? (textColumn(row.key) || null),
        current: current.has(sessionId) || nodes.length === 0,
        rows: rows + 1,
        changedAt: Math.max(numberColumn(row.changed) ?? 0, numberColumn(row.rewritten) ?? 0),
      },
    ]
  })
}

/** One row per session: `session`, `key`, `last` (highest seq), `changed`, `rewritten`. */
async function sessionRows(snapshot: SqliteSnapshot): Promise<SqliteRow[]> {
  const windows = await snapshot.columns('session_windows')
  const rewritten = (await snapshot.columns('transcript_rewrite_watermarks')).has('updated_at')
    ? `(SELECT ${numberIn('updated_at')} FROM transcript_rewrite_watermarks r WHERE r.session_id = s.session_id LIMIT 1)`
    : 'NULL'
  if (windows.has('session_id') && windows.has('session_key')) {
    const changed = windows.has('transcript_updated_at') ? numberIn('s.transcript_updated_at') : 'NULL'
    return snapshot.all(
      `SELECT CAST(s.session_id AS BLOB) AS session, CAST(s.session_key AS BLOB) AS key,
              (SELECT e.seq FROM transcript_events e WHERE e.session_id = s.session_id
               AND typeof(e.seq) = 'integer' ORDER BY e.seq DESC LIMIT 1) AS last,
              ${changed} AS changed, ${rewritten} AS rewritten
       FROM session_windows s`,
    )
  }
  return snapshot.all(
    `SELECT CAST(s.session_id AS BLOB) AS session, NULL AS key, s.last AS last, NULL AS changed,
            ${rewritten} AS rewritten
     FROM (SELECT session_id, max(seq) AS last FROM transcript_events
           WHERE typeof(seq) = 'integer' GROUP BY session_id) s`,
  )
}

async function readArchives(snapshot: SqliteSnapshot): Promise<ArchivedTranscript[]> {
  if (!(await snapshot.columns('session_transcript_archives')).has('archive_blob')) return []
  const rows = await snapshot.all(
    `SELECT CAST(session_id AS BLOB) AS session, CAST(session_key AS BLOB) AS key, reason = 'reset' AS reset,
              CAST(archive_name AS BLOB) AS name, octet_length(archive_blob) AS bytes, ${numberIn('created_at')} AS created
       FROM session_transcript_archives ORDER BY archive_name`,
  )
  return rows.map((row) => ({
    name: textColumn(row.name),
    sessionId: textColumn(row.session),
    key: textColumn(row.key) || null,
    state: row.reset === 1 ? 'reset' : 'deleted',
    cold: false,
    at: numberColumn(row.created) ?? 0,
    blobBytes: numberColumn(row.bytes) ?? 0,
  }))
}

async function readColdArchives(snapshot: SqliteSnapshot): Promise<ArchivedTranscript[]> {
  const columns = await snapshot.columns('session_transcript_cold_archives')
  if (!columns.has('archive_name')) return []
  const keyed = (await snapshot.columns('session_windows')).has('session_key')
  const rows = await snapshot.all(
    `SELECT CAST(c.session_id AS BLOB) AS session, CAST(c.archive_name AS BLOB) AS name,
              ${keyed ? '(SELECT CAST(w.session_key AS BLOB) FROM session_windows w WHERE w.session_id = c.session_id)' : 'NULL'} AS key,
              ${columns.has('archive_blob') ? 'octet_length(c.archive_blob)' : 'NULL'} AS bytes, ${numberIn('c.archived_at')} AS archived
       FROM session_transcript_cold_archives c ORDER BY c.archive_name`,
  )
  return rows.map((row) => ({
    name: textColumn(row.name),
    sessionId: textColumn(row.session),
    key: textColumn(row.key) || null,
    state: 'reset',
    cold: true,
    at: numberColumn(row.archived) ?? 0,
    blobBytes: numberColumn(row.bytes),
  }))
}
