import { SourceProblem } from '../../engine/source-problem'
import { type SqliteFiles, sqliteStamp } from '../sqlite-read-only'
import { type AgentDatabase, type IndexMemory, KNOWN_SCHEMA, readAgentDatabase } from './openclaw-database'

type Remembered = {
  readonly stamp: string
  readonly found: AgentDatabase
  readonly sessions: ReadonlySet<string>
  readonly memory: IndexMemory
}

const NO_SESSIONS: ReadonlySet<string> = new Set()

/** Agent databases as last listed; one is queried again only after somebody wrote to it. */
export class AgentDatabases {
  private readonly remembered = new Map<string, Remembered>()
  private readonly sqlite: SqliteFiles

  constructor(sqlite: SqliteFiles) {
    this.sqlite = sqlite
  }

  /** @throws SourceProblem */
  async get(file: string): Promise<AgentDatabase> {
    const stamp = sqliteStamp(file)
    const known = this.remembered.get(file)
    if (known?.stamp === stamp) return known.found
    const memory: IndexMemory = known?.memory ?? new Map()
    const found = await this.sqlite.read(file, (snapshot) => readAgentDatabase(snapshot, memory))
    const sessions = new Set(found.transcripts?.map(({ sessionId }) => sessionId))
    this.remembered.set(file, { stamp, found, sessions, memory })
    return found
  }

  /** Ids of the sessions whose transcripts the database holds. None when there is no such database or it cannot be read. The same set while nothing changes. */
  async sessionsOf(file: string): Promise<ReadonlySet<string>> {
    try {
      await this.get(file)
      return this.remembered.get(file)?.sessions ?? NO_SESSIONS
    } catch {
      // Whoever lists the database itself reports why.
      return NO_SESSIONS
    }
  }
}

/** What to tell about a database of a release that we do not know; null for known ones. */
export function newerSchema(file: string, { schema, transcripts }: AgentDatabase): SourceProblem | null {
  if (schema <= KNOWN_SCHEMA) return null
  const seen =
    transcripts === null
      ? 'Its tables are other ones now, so its sessions cannot be shown.'
      : 'Its sessions are shown as far as its tables are still the same.'
  return new SourceProblem(
    'newer',
    file,
    `${file} was written by a newer OpenClaw (schema ${schema}; known up to ${KNOWN_SCHEMA}). ${seen} Look for a newer Plimsoll.`,
  )
}
