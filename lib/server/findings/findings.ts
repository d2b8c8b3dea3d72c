import 'server-only'
import { coverFinding } from '../../core/findings/cover-finding'
import { type CausePage, findFindingGroups, type StoredCause } from '../../db/queries/finding-causes'
import { type FindingsFilter, findFindings, type StoredFinding } from '../../db/queries/findings'
import { getDatabase } from '../process/database'

/** Findings shown at once, at most. */
const MOST_ROWS = 200
/** Findings of one session: there are as many as kinds, or a few more. */
export const MOST_OF_SESSION = 500

/**
 * A page of findings over all sessions, the worst first, then the dearest. Credentials in their words are covered.
 * @param page from 0; `limit` is at most 200
 */
export async function getFindings(
  filter: FindingsFilter,
  { page, limit }: { readonly page: number; readonly limit: number },
): Promise<{ readonly rows: readonly StoredFinding[]; readonly total: number }> {
  const most = Math.min(limit, MOST_ROWS)
  const found = findFindings(await getDatabase(), filter, { skip: page * most, limit: most })
  return { ...found, rows: found.rows.map(covered) }
}

/** What is wrong or dear in one session, the worst first. @param id as addresses carry it */
export async function getSessionFindings(id: string): Promise<readonly StoredFinding[]> {
  const page = { skip: 0, limit: MOST_OF_SESSION }
  return findFindings(await getDatabase(), { session: id }, page).rows.map(covered)
}

/** Findings of all sessions by cause, the worst first, then the dearest: what the Overview leads with. */
export async function getFindingGroups(
  filter: FindingsFilter,
  page: CausePage,
): Promise<readonly StoredCause[]> {
  const most = { ...page, limit: Math.min(page.limit, MOST_ROWS) }
  return findFindingGroups(await getDatabase(), filter, most).map((group) => {
    const worst = covered(group.worst)
    return { ...group, cause: worst.finding.cause, worst }
  })
}

function covered(stored: StoredFinding): StoredFinding {
  return { ...stored, finding: coverFinding(stored.finding) }
}
