import { proofOf } from '../../compose/request-proof'
import type { ProofTotals } from '../../core/sources/claude-code/requests'
import type { CallChoice, ExplainedCall, InspectedSession } from '../../engine/read/inspect-session'
import type { StoreReader } from '../../engine/read/ports'
import { type ProvedRequest, recordsRequests } from '../../engine/read/prove-requests'

/** What the client recorded of its requests: of the whole session, and of one call. */
export type CallProof = { readonly totals: ProofTotals; readonly request: ProvedRequest | null }

/** Proves the requests of a session; null where none is recorded. @throws SourceProblem */
export async function proveCall(
  reader: StoreReader,
  session: InspectedSession,
  { frame }: ExplainedCall,
  choice: CallChoice,
): Promise<CallProof | null> {
  if (!recordsRequests(session)) return null
  const { store, transcript, facts } = session
  const proof = await proofOf(reader, store, transcript)
  if (proof === null) return null
  const line = choice === 'next' ? undefined : facts[frame.seq]?.line
  return { totals: proof.totals, request: line === undefined ? null : await proof.requestAt(line) }
}

/** The same for programs; nothing where no request is recorded. */
export function proofJson(proof: CallProof | null) {
  if (proof === null) return {}
  const { totals, request } = proof
  if (request === null) return { proof: totals }
  const { id, source, place, unproved, contents, cacheBreaks } = request
  return {
    proof: totals,
    request: { id, source, line: place.line, unproved, messages: contents },
    cacheBreaks,
  }
}
