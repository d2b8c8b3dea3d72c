import 'server-only'
import { SourceProblem } from '../engine/source-problem'
import type { PlanView } from '../view/compact-plan'
import type { CompactionStanding } from '../view/compaction-standing'
import type { PlanKnobs } from '../view/plan-knobs'
import type { SessionPolicy } from '../view/policy-trial'
import { sessionTitle } from '../view/session-title'
import { getStanding } from './compaction-standing'
import { getPlan } from './session-plan'
import { getSessionPolicy } from './session-policy'
import { getSession } from './session-record'

export type CompactTab =
  | {
      readonly kind: 'tab'
      readonly name: string
      readonly plan: PlanView
      readonly policy: SessionPolicy
      readonly standing: CompactionStanding
      /** As asked for, without a call that does not exist. */
      readonly knobs: PlanKnobs
    }
  | { readonly kind: 'unreadable'; readonly problem: string }

/** What the Compact tab first shows; null when there is no such session. */
export async function getCompactTab(id: string, asked: PlanKnobs): Promise<CompactTab | null> {
  const session = await getSession(id)
  const policy = await getSessionPolicy(id)
  const standing = await getStanding(id)
  if (session === null || policy === null || standing === null) return null
  try {
    const knobs = asked.call !== null && asked.call > session.calls ? { ...asked, call: null } : asked
    const plan = await getPlan(id, knobs)
    return plan === null ? null : { kind: 'tab', name: sessionTitle(session), plan, policy, standing, knobs }
  } catch (error) {
    if (error instanceof SourceProblem) return { kind: 'unreadable', problem: error.message }
    throw error
  }
}
