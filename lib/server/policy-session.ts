import 'server-only'
import { join } from 'node:path'
import { type LoadSubject, subjectOf } from '../core/budget/session-loads'
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

/** The files that speak for the sessions of a store, weakest first. */
export function storeFilesOf<D extends Pick<PolicyDocumentView, 'role' | 'path'>>(
  documents: readonly D[],
  root: string,
): D[] {
  return documents.filter(({ role, path }) => role === 'store' && path.startsWith(join(root, '/')))
}

export function loadSubjectOf(session: SessionDetail): LoadSubject {
  const { store, sessionId, key, agent, channel, model, window, windowSource } = session
  const place = { storeId: store.id, storeRoot: store.root }
  return { ...place, sessionId, key, agent, channel, model, window, windowSource }
}

export function policySessionOf(
  session: SessionDetail,
  documents: readonly PolicyDocumentView[],
): PolicySession {
  const { id, store, key, window, windowSource } = session
  return {
    id,
    title: sessionTitle(session),
    place: sessionPlace(session),
    key,
    subject: subjectOf(loadSubjectOf(session)),
    storeLabel: store.label,
    storeFiles: storeFilesOf(documents, store.root).map((document) => document.path),
    window: window === null ? null : { tokens: window, source: (windowSource ?? 'default') as WindowSource },
  }
}
