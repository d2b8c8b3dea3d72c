import 'server-only'
import { setImmediate as rest } from 'node:timers/promises'
import { Branches } from '../core/transcript/branches'
import type { SessionDetail } from '../db/queries/session-detail'
import { factAt, readFacts, revisionOf } from '../db/queries/session-facts'
import { getDatabase } from './database'
import { oncePerProcess } from './process-memory'
import { RecentlyUsed } from './recently-used'

type Kept = { readonly revision: number; readonly branches: Promise<Branches> }

/** 50,000 entries are about 30 MB as facts. */
const kept = oncePerProcess('branches', () => new RecentlyUsed<number, Kept>(4))

/**
 * The tree of a session. A session that only grew is read on from where it was: what an open page costs is
 * proportional to what was appended. Requests that come while it is read wait for the same reading, and others have
 * their turn in between.
 */
export function getBranches(session: SessionDetail): Promise<Branches> {
  const known = kept.get(session.row)
  if (known?.revision === session.revision) return known.branches
  const branches = read(session, known)
  const fresh = { revision: session.revision, branches }
  kept.set(session.row, fresh)
  branches.catch(() => {
    if (kept.get(session.row) === fresh) kept.delete(session.row)
  })
  return branches
}

async function read({ row, revision }: SessionDetail, known: Kept | undefined): Promise<Branches> {
  const database = await getDatabase()
  const before = await known?.branches.catch(() => undefined)
  const branches = before && stillBegins(before) ? before : new Branches()
  let parts = 0
  for (const facts of readFacts(database, row, branches.facts.length)) {
    if (parts++ > 0) await rest()
    for (const fact of facts) branches.add(fact)
  }
  if (parts < 2 || revisionOf(database, row) === revision) return branches
  // It was written to between two parts, which may not belong together.
  const whole = new Branches()
  for (const facts of readFacts(database, row)) for (const fact of facts) whole.add(fact)
  return whole

  /** Whether the last entry we know still stands where it stood: the transcript was not replaced or cut. */
  function stillBegins(branches: Branches): boolean {
    const last = branches.facts.at(-1)
    if (!last) return false
    const now = factAt(database, row, last.seq)
    return now !== null && now.offset === last.offset && now.bytes === last.bytes && now.id === last.id
  }
}
