import 'server-only'
import { documentsOfStore } from '../../compose/policy/policy-sources'
import { type LoadSubject, overrideSubject, readWindow } from '../../core/budget/session-loads'
import type { PolicySubject } from '../../core/policy/effective'
import type { RuntimePolicy } from '../../core/policy/runtime/runtime-policy'
import { maskSecrets } from '../../core/redaction/secrets'
import type { SessionDetail } from '../../db/queries/session-detail'
import type { PolicySession } from '../../view/policy/policy-effective'
import type { PolicyDocumentView } from '../../view/policy/policy-reading'
import { sessionPlace, sessionTitle } from '../../view/session/session-title'
import { getSession } from '../session/session-record'
import { getPolicyDocumentsOfSessions } from './policies'
import { getPoliciesInForce } from './policies-in-force'

/** What decides about the policy of a session; null when there is no such session. */
export async function getPolicySession(id: string): Promise<PolicySession | null> {
  const session = await getSession(id)
  if (session === null) return null
  const { loads } = await getPoliciesInForce()
  const runtime = loads.policyOf(sessionLoadSubject(session))
  return policySessionOf(session, await getPolicyDocumentsOfSessions(), runtime)
}

export function sessionLoadSubject(session: SessionDetail): LoadSubject {
  const { store, sessionId, key, agent, channel, provider, model, updatedAt } = session
  const { window, windowSource, believedWindow, believedSource } = session
  return {
    ...{
      storeId: store.id,
      storeRoot: store.root,
      sessionId,
      key,
      agent,
      channel,
      provider,
      model,
      updatedAt,
    },
    ...{ window, windowSource, believedWindow, believedSource },
  }
}

function policySessionOf(
  session: SessionDetail,
  documents: readonly PolicyDocumentView[],
  runtime: RuntimePolicy,
): PolicySession {
  const { id, store, key } = session
  return {
    id,
    title: sessionTitle(session),
    place: sessionPlace(session),
    key: key === null ? null : maskSecrets(key),
    // An override that names a credential is about no session that a page can name.
    subject: coveredSubject(overrideSubject(sessionLoadSubject(session))),
    storeLabel: store.label,
    storeFiles: documentsOfStore(documents, {
      kind: store.kind,
      root: store.root,
    }).map((document) => document.path),
    window: readWindow(session),
    runtime,
  }
}

function coveredSubject({ store, agent, channel, model, session }: PolicySubject): PolicySubject {
  const cover = (name: string | null) => (name === null ? null : maskSecrets(name))
  return {
    store,
    agent: cover(agent),
    channel: cover(channel),
    model: cover(model),
    session: session.map(maskSecrets),
  }
}
