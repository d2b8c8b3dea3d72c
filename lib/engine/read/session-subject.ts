import { type LoadSubject, overrideSubject, windowFacts } from '../../core/budget/session-loads'
import type { PolicySubject } from '../../core/policy/effective'
import type { SessionStatus } from './session-status'

type ReadSession = Pick<SessionStatus, 'store' | 'transcript'> & {
  readonly totals: Pick<SessionStatus['totals'], 'provider' | 'model' | 'updatedAt' | 'window'>
}

/** What a policy is looked for by in a session that was read from its store. */
export function loadSubjectOf({ store, transcript, totals }: ReadSession): LoadSubject {
  const { sessionId, key, agent, index } = transcript
  const { provider, model, updatedAt, window } = totals
  return {
    ...{ storeId: store.id, storeRoot: store.root, sessionId, key, agent },
    channel: index?.channel ?? null,
    ...{ provider, model, ...windowFacts(window), updatedAt },
  }
}

/** The session as overrides name it. */
export function policySubjectOf(session: ReadSession): PolicySubject {
  return overrideSubject(loadSubjectOf(session))
}
