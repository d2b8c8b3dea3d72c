import { policyWindow } from '../core/budget/guard'
import type { PolicySubject } from '../core/policy/effective'
import type { Policy } from '../core/policy/policy'
import { frameSetupOf } from '../engine/frame-setup'
import type { SessionStatus } from '../engine/session-status'

/** What a policy is asked for by this session. */
export function subjectOf({
  store,
  transcript,
  totals,
}: Pick<SessionStatus, 'store' | 'transcript' | 'totals'>): PolicySubject {
  const { sessionId, key, agent, index } = transcript
  return {
    store: [store.id, store.root],
    agent,
    channel: index?.channel ?? null,
    model: totals.model,
    session: key === null ? [sessionId] : [sessionId, key],
  }
}

/** The policy's own word on the window counts more than what a prompt happened to show. */
export function windowOf({ store, transcript, totals }: SessionStatus, policy: Policy) {
  const named = policyWindow(policy, frameSetupOf(store, transcript).hints, totals.model)
  return named.source === 'policy' || named.source === 'cap' ? named : totals.window
}
