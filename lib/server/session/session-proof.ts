import 'server-only'
import { proofOf } from '../../compose/request-proof'
import { recordsRequests, type SessionProof } from '../../engine/read/prove-requests'
import { columnRow } from '../../view/session/call-columns'
import type { CallProofView } from '../../view/session/seen'
import { remember } from '../process/remember'
import { sourceOf } from './entry-source'
import { getBranches } from './session-branches'
import { getCalls } from './session-calls'
import { getSession } from './session-record'

/** Of each session that is looked at, hashes and places; some megabytes of a large one. */
const proofs = remember<number, Promise<SessionProof | null>>('request-proofs', 3)

/**
 * Which of the requests that a session records are proved, and whether that of a call is; null when there is no such
 * session or call. The transcript is read for it, once for each state of it.
 * @throws SourceProblem when it cannot be read
 */
export async function getCallProof(id: string, call: number): Promise<CallProofView | null> {
  const session = await getSession(id)
  if (!session) return null
  const calls = await getCalls(session)
  const row = columnRow(calls, call)
  if (row === null) return null
  const { facts } = await getBranches(session)
  if (!recordsRequests({ facts })) return { totals: null, request: null }
  const proof = await proofs(session.row, session.revision, () => {
    const { reader, store, transcript } = sourceOf(session)
    return proofOf(reader, store, transcript)
  })
  if (proof === null) return { totals: null, request: null }
  const line = facts[calls.seq[row] ?? -1]?.line
  const request = line === undefined ? null : await proof.requestAt(line)
  return {
    totals: proof.totals,
    request: request && { unproved: request.unproved, cacheBreaks: request.cacheBreaks.length },
  }
}
