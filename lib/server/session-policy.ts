import 'server-only'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import { effectivePolicy } from '../core/policy/effective'
import type { SessionPolicy } from '../view/policy-trial'
import { getPolicyDocumentsOfSessions } from './policies'
import { policySessionOf } from './policy-session'
import { getSession } from './session-record'

/**
 * The policy in force for a session; null when there is no such session. A page is not lost because a configuration
 * cannot be read: then it is the default policy, and says why.
 */
export async function getSessionPolicy(id: string): Promise<SessionPolicy | null> {
  const session = await getSession(id)
  if (session === null) return null
  try {
    const documents = await getPolicyDocumentsOfSessions()
    const own = documents.find((document) => document.role === 'own' && document.exists)
    const { subject, storeFiles } = policySessionOf(session, documents)
    const { policy, origin } = effectivePolicy(
      {
        own: own ?? null,
        store: documents.filter((document) => storeFiles.includes(document.path)),
        chosen: null,
      },
      subject,
    )
    return { policy, origin, problem: null }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    return { policy: DEFAULT_POLICY, origin: {}, problem }
  }
}
