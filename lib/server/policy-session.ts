import 'server-only'
import { join } from 'node:path'
import type { WindowSource } from '../core/budget/window'
import type { SessionDetail } from '../db/queries/session-detail'
import type { PolicySession } from '../view/policy-effective'
import type { PolicyDocumentView } from '../view/policy-reading'
import { sessionPlace, sessionTitle } from '../view/session-title'
import { getPolicyDocumentsOfSessions } from './policies'
import { getSession } from './session-record'

/** What decides about the policy of a session; null when there is no such session. */
export async function getPolicySession(id: string): Promise<PolicySession | null> {
  const session = await getSession(id)
  return session === null ? null : policySessionOf(session, await getPolicyDocumentsOfSessions())
}

export function policySessionOf(
  session: SessionDetail,
  documents: readonly PolicyDocumentView[],
): PolicySession {
  const { id, store, sessionId, key, agent, channel, model, window, windowSource } = session
  return {
    id,
    title: sessionTitle(session),
    place: sessionPlace(session),
    key,
    subject: {
      store: [store.id, store.root],
      agent,
      channel,
      model,
      session: key === null ? [sessionId] : [sessionId, key],
    },
    storeLabel: store.label,
    storeFiles: documents
      .filter((document) => document.role === 'store' && document.path.startsWith(join(store.root, '/')))
      .map((document) => document.path),
    window: window === null ? null : { tokens: window, source: (windowSource ?? 'default') as WindowSource },
  }
}
