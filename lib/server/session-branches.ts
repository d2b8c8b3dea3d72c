import 'server-only'
import { Branches } from '../core/transcript/branches'
import type { SessionDetail } from '../db/queries/session-detail'
import { factAt, readFacts } from '../db/queries/session-facts'
import { getDatabase } from './database'
import { oncePerProcess } from './process-memory'
import { RecentlyUsed } from './recently-used'

type Kept = { readonly revision: number; readonly branches: Branches }

/** 50,000 entries are about 30 MB as facts. */
const kept = oncePerProcess('branches', () => new RecentlyUsed<number, Kept>(4))

/**
 * The tree of a session. A session that only grew is read on from where it was: what an open page costs is
 * proportional to what was appended.
 */
export async function getBranches(session: SessionDetail): Promise<Branches> {
  const known = kept.get(session.row)
  if (known?.revision === session.revision) return known.branches
  const database = await getDatabase()
  const branches = known && stillBegins(known.branches) ? known.branches : new Branches()
  for (const fact of readFacts(database, session.row, branches.facts.length)) branches.add(fact)
  kept.set(session.row, { revision: session.revision, branches })
  return branches

  /** Whether the last entry we know still stands where it stood: the transcript was not replaced or cut. */
  function stillBegins(before: Branches): boolean {
    const last = before.facts.at(-1)
    if (!last) return false
    const now = factAt(database, session.row, last.seq)
    return now !== null && now.offset === last.offset && now.bytes === last.bytes && now.id === last.id
  }
}
