import 'server-only'
import { setImmediate as rest } from 'node:timers/promises'
import { Branches } from '../../core/transcript/branches'
import type { SessionDetail } from '../../db/queries/session-detail'
import { factAt, readEntryFacts, revisionOf } from '../../db/queries/session-facts'
import { getDatabase } from '../process/database'
import { remember } from '../process/remember'

/** 50,000 entries are about 30 MB as facts. */
const trees = remember<number, Promise<Branches>>('branches', 4)

/**
 * The tree of a session. A session that only grew is read on from where it was: what an open page costs is
 * proportional to what was appended. Requests that come while it is read wait for the same reading, and others have
 * their turn in between.
 */
export function getBranches(session: SessionDetail): Promise<Branches> {
  return trees(session.row, session.revision, (earlier) => read(session, earlier))
}

async function read(
  { row, revision }: SessionDetail,
  earlier: Promise<Branches> | undefined,
): Promise<Branches> {
  const database = await getDatabase()
  const before = await earlier?.catch(() => undefined)
  const branches = before && stillBegins(before) ? before : new Branches()
  let parts = 0
  for (const facts of readEntryFacts(database, row, branches.facts.length)) {
    if (parts++ > 0) await rest()
    for (const fact of facts) branches.add(fact)
  }
  if (parts < 2 || revisionOf(database, row) === revision) return branches
  // It was written to between two parts, which may not belong together.
  const whole = new Branches()
  for (const facts of readEntryFacts(database, row)) for (const fact of facts) whole.add(fact)
  return whole

  /** Whether the last entry we know still is where it was: the transcript was not replaced or cut. */
  function stillBegins(branches: Branches): boolean {
    const last = branches.facts.at(-1)
    if (!last) return false
    const now = factAt(database, row, last.seq)
    return now !== null && now.offset === last.offset && now.bytes === last.bytes && now.id === last.id
  }
}
