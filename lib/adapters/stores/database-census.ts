import { createHash, type Hash } from 'node:crypto'
import type {
  CountedTranscript,
  DatabaseCensus,
  DatabaseCensusTaker,
} from '../../engine/openclaw/database-census'
import { DEFAULT_LIMITS } from '../jsonl/read-jsonl'
import { SqliteFiles } from '../sqlite/read-only'
import { readPage, textOfRow } from './database-rows'
import { readAgentDatabase, readSessionKeys } from './openclaw-database'

/** Counts what an agent's database holds, down to every row, so that a change of any of it shows. */
export function databaseCensus(): DatabaseCensusTaker {
  const sqlite = new SqliteFiles()
  return {
    keys: (database) => sqlite.read(database, async (snapshot) => new Set(await readSessionKeys(snapshot))),
    take: async (database, earlier): Promise<DatabaseCensus> => {
      const { index, transcripts, archives } = await sqlite.read(database, (snapshot) =>
        readAgentDatabase(snapshot, new Map()),
      )
      const counted = new Map<string, CountedTranscript>()
      for (const { sessionId, key } of transcripts ?? []) {
        const before = earlier?.transcripts.get(sessionId)?.rows ?? null
        counted.set(sessionId, { key, ...(await countRows(sqlite, database, sessionId, before)) })
      }
      const keys = [...index].map(
        ([key, { sessionId = '', archivedAt = null }]) => [key, { sessionId, archivedAt }] as const,
      )
      return {
        keys: new Map(keys),
        transcripts: counted,
        archives: new Map(archives.map(({ name, sessionId }) => [name, sessionId])),
      }
    },
  }
}

/** Page by page, since a transcript may not fit into memory, nor block everything else for as long as it takes. */
async function countRows(
  sqlite: SqliteFiles,
  database: string,
  sessionId: string,
  earlier: number | null,
): Promise<Omit<CountedTranscript, 'key'>> {
  const hash = createHash('sha256')
  const rest = createHash('sha256')
  let earlierHash: string | null = null
  let rows = 0
  for (let at = 0; ; ) {
    const page = await sqlite.read(database, (snapshot) =>
      readPage(snapshot, sessionId, at, Number.MAX_SAFE_INTEGER, DEFAULT_LIMITS),
    )
    for (const row of page.rows) {
      if (rows === earlier) earlierHash = hexOf(hash)
      const text = row.tooLong ? `${row.bytes} bytes` : textOfRow(row, DEFAULT_LIMITS)
      const line = `${typeof text === 'string' ? text : text.problem}\n`
      hash.update(line)
      if (rows > 0) rest.update(line)
      rows++
    }
    if (page.rows.length === 0) break
    at = page.next
  }
  if (rows === earlier) earlierHash = hexOf(hash)
  return { rows, hash: hash.digest('hex'), restHash: rest.digest('hex'), earlierHash }
}

function hexOf(hash: Hash): string {
  return hash.copy().digest('hex')
}
