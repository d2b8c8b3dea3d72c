import { statSync } from 'node:fs'
import type { FoundStore, FoundTranscript } from '../../../engine/read/ports'
import { SourceProblem } from '../../../engine/read/source-problem'
import { asSourceProblem } from '../../files/regular-file'
import {
  numberColumn,
  numberIn,
  type SqliteFiles,
  type SqliteRow,
  type SqliteSnapshot,
  sqliteStamp,
  textColumn,
} from '../../sqlite/read-only'
import { checkInside } from '../../stores/openclaw-layout'
import { transcriptId } from '../../stores/transcript-id'
import { databasesIn } from './discovery'

type Remembered = { readonly stamp: string; readonly found: readonly FoundTranscript[] }

/** Listings of databases that have not been written to since. */
const remembered = new Map<string, Remembered>()

/**
 * The sessions in the databases of a store.
 *
 * @throws SourceProblem after the last session when some database could not be listed.
 */
export async function* listSessions(sqlite: SqliteFiles, store: FoundStore): AsyncGenerator<FoundTranscript> {
  const problems: SourceProblem[] = []
  for (const database of databasesIn(store.root)) {
    try {
      yield* await sessionsOf(sqlite, store, database)
    } catch (error) {
      problems.push(asSourceProblem(error, database))
    }
  }
  if (problems[0] !== undefined) throw problems[0]
}

async function sessionsOf(
  sqlite: SqliteFiles,
  store: FoundStore,
  database: string,
): Promise<readonly FoundTranscript[]> {
  const outside = checkInside(store.root, database)
  if (outside !== null) throw outside
  const key = `${store.id} ${database}`
  const stamp = sqliteStamp(database)
  const known = remembered.get(key)
  if (known?.stamp === stamp) return known.found
  const rows = await sqlite.read(database, sessionRows)
  if (rows === null) throw notOpenCode(database)
  const { dev, ino } = statSync(database)
  const found = rows.map((row): FoundTranscript => {
    const sessionId = textColumn(row.id)
    const parent = textColumn(row.parent)
    return {
      id: transcriptId(store.id, database, sessionId),
      storeId: store.id,
      sessionId,
      key: parent === '' ? null : `${parent}/${sessionId}`,
      agent: parent === '' ? null : textColumn(row.agent) || null,
      path: database,
      state: 'live',
      stamp: {
        dev,
        ino,
        size: (numberColumn(row.messages) ?? 0) + (numberColumn(row.parts) ?? 0),
        mtimeMs: Math.max(numberColumn(row.updated) ?? 0, numberColumn(row.last) ?? 0),
      },
      index: null,
    }
  })
  remembered.set(key, { stamp, found })
  return found
}

/** What is in the table of sessions; null: the database is none of OpenCode's, or of a release that we do not know. */
async function sessionRows(snapshot: SqliteSnapshot): Promise<SqliteRow[] | null> {
  const session = await snapshot.columns('session')
  const message = await snapshot.columns('message')
  const part = await snapshot.columns('part')
  const has = (columns: ReadonlySet<string>, names: readonly string[]) =>
    names.every((name) => columns.has(name))
  const isKnown =
    has(session, ['id', 'parent_id', 'directory', 'title', 'time_created', 'time_updated']) &&
    has(message, ['id', 'session_id', 'time_created', 'time_updated', 'data']) &&
    has(part, ['id', 'message_id', 'session_id', 'time_updated', 'data'])
  if (!isKnown) return null
  return snapshot.all(
    `SELECT CAST(s.id AS BLOB) AS id, CAST(s.parent_id AS BLOB) AS parent,
            ${session.has('agent') ? 'CAST(s.agent AS BLOB)' : 'NULL'} AS agent,
            ${numberIn('s.time_updated')} AS updated,
            (SELECT count(*) FROM message m WHERE m.session_id = s.id) AS messages,
            (SELECT count(*) FROM part p WHERE p.session_id = s.id) AS parts,
            (SELECT max(${numberIn('m.time_updated')}) FROM message m WHERE m.session_id = s.id) AS last
     FROM session s ORDER BY s.id`,
  )
}

function notOpenCode(database: string): SourceProblem {
  return new SourceProblem(
    'newer',
    database,
    `${database} has not the tables of OpenCode that are known (up to 1.18). If it is OpenCode's, look for a newer Plimsoll.`,
  )
}
