import Database from 'libsql'

/** Tables of OpenClaw's agent database (schema 23) that hold a session, and what names it there. */
const TABLES = [
  'session_nodes',
  'session_windows',
  'transcript_events',
  'transcript_event_identities',
  'session_transcript_index_state',
  'session_transcript_active_events',
  'transcript_rewrite_watermarks',
]

const TIMES =
  /^(?:(?:updated|created)_at|transcript_(?:updated|observed)_at|last_(?:interaction|activity)_at)$/

export type AgedSession = { readonly key: string; readonly id: string; readonly ageDays: number }

/** Copies the first session of a database under other keys, as if it had last been used so many days ago. */
export function addAgedSessions(file: string, sessions: readonly AgedSession[]): void {
  const database = new Database(file)
  database.exec('PRAGMA foreign_keys = OFF')
  const [first] = database.prepare('SELECT session_id FROM session_windows ORDER BY rowid LIMIT 1').all()
  const from = (first as { session_id: string }).session_id
  // The client refuses a row whose columns and entry tell two times.
  const now = Date.now()
  for (const session of sessions) {
    for (const table of TABLES) {
      const columns = database.prepare(`SELECT name FROM pragma_table_info('${table}')`).all() as {
        name: string
      }[]
      const names = columns.map(({ name }) => name)
      const values = names.map((name) => expressionFor(table, name, session, now))
      const id = table === 'session_nodes' ? 'current_session_id' : 'session_id'
      database.exec(
        `INSERT INTO ${table} (${names.join(', ')}) SELECT ${values.join(', ')} FROM ${table} WHERE ${id} = '${from}'`,
      )
    }
  }
  database.close()
}

function expressionFor(
  table: string,
  column: string,
  { key, id, ageDays }: AgedSession,
  now: number,
): string {
  const at = now - ageDays * 86_400_000
  if (column === 'session_id' || column === 'current_session_id') return `'${id}'`
  if (column === 'session_key') return `'${key}'`
  if (column === 'entry_json') {
    const times = ['updatedAt', 'lastInteractionAt', 'lastActivityAt', 'sessionStartedAt']
    const set = times.map((name) => `'$.${name}', ${at}`).join(', ')
    return `json_set(entry_json, '$.sessionId', '${id}', ${set})`
  }
  const timed = table === 'session_nodes' || table === 'session_windows'
  return timed && TIMES.test(column) ? String(at) : column
}

/** Takes away the header of a session, as if it had never been written. */
export function dropHeader(file: string, id: string): void {
  const database = new Database(file)
  for (const table of ['transcript_events', 'transcript_event_identities'])
    database.exec(`DELETE FROM ${table} WHERE session_id = '${id}' AND seq = 0`)
  database.close()
}
