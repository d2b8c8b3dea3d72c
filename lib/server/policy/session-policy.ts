import 'server-only'
import type { SessionDetail } from '../../db/queries/session-detail'
import type { SessionPolicy } from '../../view/policy/policy-trial'
import { getSession } from '../session/session-record'
import { getPoliciesInForce } from './policies-in-force'
import { sessionLoadSubject } from './policy-session'

/**
 * The draft for a session, and what its runtime really does; null when there is no such session. A page is not lost
 * because a configuration cannot be read: then it is the default policy, and says why.
 */
export async function getSessionPolicy(id: string): Promise<SessionPolicy | null> {
  const session = await getSession(id)
  return session === null ? null : policyOf(session)
}

/** The same for a session that was looked up already. */
export async function policyOf(session: SessionDetail): Promise<SessionPolicy> {
  const { loads, draftOf, problem } = await getPoliciesInForce()
  const subject = sessionLoadSubject(session)
  const { policy, origin } = draftOf(subject)
  return { policy, origin, problem, runtime: loads.policyOf(subject) }
}
