import { setTimeout } from 'node:timers/promises'
import type { Milliseconds } from '../../core/units/units'
import { SourceProblem } from '../../engine/read/source-problem'
import { type SqliteFiles, sqliteStamp } from '../sqlite/read-only'
import { type AgentDatabase, type IndexMemory, KNOWN_SCHEMA, readAgentDatabase } from './openclaw-database'

type Remembered = {
  readonly stamp: string
  readonly found: AgentDatabase
  readonly sessions: ReadonlySet<string>
  readonly memory: IndexMemory
}

const NO_SESSIONS: ReadonlySet<string> = new Set()

/** Agent databases as last listed; one is queried again only after a write to it. */
export class AgentDatabases {
  private readonly remembered = new Map<string, Remembered>()
  private readonly coming = new Map<string, Promise<AgentDatabase>>()
  readonly sqlite: SqliteFiles
  private readonly patienceMs: Milliseconds | null

  private waitedMs = 0

  /**
   * @param patienceMs how long to wait for answers in one pass over all databases; null: until there is one. What comes
   *   later counts the next time.
   */
  constructor(sqlite: SqliteFiles, patienceMs: Milliseconds | null = null) {
    this.sqlite = sqlite
    this.patienceMs = patienceMs
  }

  /** Patience begins anew. */
  beginLook(): void {
    this.waitedMs = 0
  }

  /** @throws SourceProblem */
  get(file: string): Promise<AgentDatabase> {
    if (this.patienceMs === null) return this.listNow(file)
    const known = this.coming.get(file)
    const answer = known ?? this.listNow(file).finally(() => this.coming.delete(file))
    if (known === undefined) {
      this.coming.set(file, answer)
      // It may fail when no caller waits any more; the next caller gets the failure.
      answer.catch(() => undefined)
    }
    return this.waitFor(answer, this.patienceMs, file)
  }

  private async waitFor<T>(answer: Promise<T>, patienceMs: Milliseconds, file: string): Promise<T> {
    const from = performance.now()
    try {
      return await within(answer, Math.max(0, patienceMs - this.waitedMs), file)
    } finally {
      this.waitedMs += performance.now() - from
    }
  }

  private async listNow(file: string): Promise<AgentDatabase> {
    const stamp = sqliteStamp(file)
    const known = this.remembered.get(file)
    if (known?.stamp === stamp) return known.found
    const memory: IndexMemory = known?.memory ?? new Map()
    const found = await this.sqlite.read(file, (snapshot) => readAgentDatabase(snapshot, memory))
    const sessions = new Set(found.transcripts?.map(({ sessionId }) => sessionId))
    this.remembered.set(file, { stamp, found, sessions, memory })
    return found
  }

  /**
   * Ids of the sessions whose transcripts the database holds. None when there is no such database or it cannot be read.
   * The same set while nothing changes.
   */
  async sessionsOf(file: string): Promise<ReadonlySet<string>> {
    try {
      await this.get(file)
      return this.remembered.get(file)?.sessions ?? NO_SESSIONS
    } catch {
      // The list of the database reports why.
      return NO_SESSIONS
    }
  }
}

/** The answer, if it comes in time. @throws SourceProblem */
async function within<T>(answer: Promise<T>, ms: number, file: string): Promise<T> {
  const late = new AbortController()
  const waited = setTimeout(ms, undefined, { signal: late.signal }).then(
    () => {
      throw new SourceProblem('locked', file, `${file} does not answer yet; it is still being asked.`)
    },
    () => answer,
  )
  try {
    return await Promise.race([answer, waited])
  } finally {
    late.abort()
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
