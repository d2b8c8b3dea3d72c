import 'server-only'
import { ownSettingsPath } from '../../compose/setup'
import { SourceProblem } from '../../engine/read/source-problem'
import type { PendingView, PlanView } from '../../view/compaction/compact-plan'
import type { CompactionStatus } from '../../view/compaction/compaction-status'
import type { PlanKnobs } from '../../view/compaction/plan-knobs'
import type { SessionPolicy } from '../../view/policy/policy-trial'
import type { StoreAsksShown } from '../../view/policy/store-asks'
import { sessionTitle } from '../../view/session/session-title'
import { getPoliciesInForce } from '../policy/policies-in-force'
import { getSessionPolicy } from '../policy/session-policy'
import { getSetup } from '../process/setup'
import { getSession } from '../session/session-record'
import { getCompactionStatus } from './compaction-status'
import { getPendingSummary } from './pending-summary'
import { getPlan } from './session-plan'

export type CompactTab =
  | {
      readonly kind: 'tab'
      readonly name: string
      readonly plan: PlanView
      readonly policy: SessionPolicy
      readonly status: CompactionStatus
      /** What the session's store asks for and the operator decides. */
      readonly asks: StoreAsksShown
      /** The summary of its last compaction, where no model wrote it yet; else null. */
      readonly pending: PendingView | null
      /** As asked for, without a call that does not exist. */
      readonly knobs: PlanKnobs
    }
  | { readonly kind: 'unreadable'; readonly problem: string }

/** What the Compact tab first shows; null when there is no such session. */
export async function getCompactTab(id: string, asked: PlanKnobs): Promise<CompactTab | null> {
  const session = await getSession(id)
  const policy = await getSessionPolicy(id)
  const status = await getCompactionStatus(id)
  if (session === null || policy === null || status === null) return null
  try {
    const knobs = asked.call !== null && asked.call > session.calls ? { ...asked, call: null } : asked
    const plan = await getPlan(id, knobs)
    if (plan === null) return null
    const asking = (await getPoliciesInForce()).asksOf(session.store.id)
    const asks = { stores: asking === null ? [] : [asking], settingsFile: ownSettingsPath(getSetup()) }
    const pending = await getPendingSummary(id)
    return { kind: 'tab', name: sessionTitle(session), plan, policy, status, asks, pending, knobs }
  } catch (error) {
    if (error instanceof SourceProblem) return { kind: 'unreadable', problem: error.message }
    throw error
  }
}
