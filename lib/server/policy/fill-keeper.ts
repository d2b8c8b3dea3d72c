import type { Database } from '../../db/client'
import { readFillSessions, readSessionFills } from '../../db/queries/fills'
import {
  aggregateFills,
  type FillAggregate,
  type SessionCrossings,
  sessionCrossings,
} from '../../view/policy/policy-fills'
import { aggregateParts, type SessionParts, sessionParts } from '../../view/policy/region-fills'

/** Sessions that are read in one go: about 15 ms, then other requests have their turn. */
const CHUNK = 200

/** What came of a session at one of its revisions; null when of none of its calls size or parts are known. */
type Folded = {
  readonly revision: number
  readonly found: SessionCrossings | null
  readonly parts: SessionParts | null
}

/**
 * Knows how full the calls of all sessions were, and reads again only the sessions that have changed. Requests that
 * come while it reads wait for the same reading.
 */
export class FillKeeper {
  readonly #folded = new Map<number, Folded>()
  #aggregate: FillAggregate | null = null
  #reading: Promise<FillAggregate> | null = null

  read(database: Pick<Database, 'connection'>): Promise<FillAggregate> {
    this.#reading ??= this.#read(database).finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  async #read(database: Pick<Database, 'connection'>): Promise<FillAggregate> {
    const sessions = readFillSessions(database)
    const changed = sessions.filter(({ row, revision }) => this.#folded.get(row)?.revision !== revision)
    const gone = this.#forgetAllBut(new Set(sessions.map(({ row }) => row)))
    for (let start = 0; start < changed.length; start += CHUNK) {
      if (start > 0) await new Promise((resolve) => setImmediate(resolve))
      this.#fold(database, changed.slice(start, start + CHUNK))
    }
    if (this.#aggregate === null || changed.length > 0 || gone > 0) {
      const folded = [...this.#folded.values()]
      const fills = aggregateFills(folded.flatMap(({ found }) => found ?? []))
      this.#aggregate = { ...fills, parts: aggregateParts(folded.flatMap(({ parts }) => parts ?? [])) }
    }
    return this.#aggregate
  }

  /** Reads a run of sessions; others between their rows are read along and passed over. */
  #fold(
    database: Pick<Database, 'connection'>,
    sessions: readonly { readonly row: number; readonly revision: number }[],
  ): void {
    const [first] = sessions
    const last = sessions.at(-1)
    if (first === undefined || last === undefined) return
    for (const { row, revision } of sessions) this.#folded.set(row, { revision, found: null, parts: null })
    const wanted = new Map(sessions.map(({ row, revision }) => [row, revision]))
    for (const fills of readSessionFills(database, { first: first.row, last: last.row })) {
      const revision = wanted.get(fills.row)
      if (revision === undefined) continue
      const found = sessionCrossings(fills.totals, fills.windows)
      this.#folded.set(fills.row, { revision, found, parts: sessionParts(fills.parts, fills.windows) })
    }
  }

  #forgetAllBut(present: ReadonlySet<number>): number {
    const gone = [...this.#folded.keys()].filter((row) => !present.has(row))
    for (const row of gone) this.#folded.delete(row)
    return gone.length
  }
}
