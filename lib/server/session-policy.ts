import 'server-only'
import type { SessionDetail } from '../db/queries/session-detail'
import type { SessionPolicy } from '../view/policy-trial'
import { getPoliciesInForce } from './policies-in-force'
import { loadSubjectOf } from './policy-session'
import { getSession } from './session-record'

/**
 * The policy in force for a session; null when there is no such session. A page is not lost because a configuration
 * cannot be read: then it is the default policy, and says why.
 */
export async function getSessionPolicy(id: string): Promise<SessionPolicy | null> {
  const session = await getSession(id)
  return session === null ? null : policyOf(session)
}

/** The policy in force for a session that was looked up already. */
export async function policyOf(session: SessionDetail): Promise<SessionPolicy> {
  const { loads, problem } = await getPoliciesInForce()
  const { policy, origin } = loads.policyOf(loadSubjectOf(session))
  return { policy, origin, problem }
}
