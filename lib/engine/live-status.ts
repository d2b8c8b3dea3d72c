import type { ContentMessage } from '../core/history/thinking'
import { contradictions } from '../core/policy/check'
import { chunkGroups } from '../core/pruning/chunk-groups'
import { checkHealth, type Health } from './check-health'
import { currentCheck } from './current-check'
import type { LadderParts } from './ladder-parts'
import type { LadderTools } from './ladder-tools'
import { rolledView } from './rolling-summary'

/** How a live context stands (R1). */
export type LiveStatus = Health & {
  readonly compactions: number
  /** Turns since the last one. */
  readonly turns: number
  /** Values of the policy that contradict each other, a sentence each. */
  readonly warnings: readonly string[]
}

export async function liveStatus<M extends ContentMessage>(
  parts: LadderParts<M>,
  { cold }: LadderTools<M>,
): Promise<LiveStatus> {
  const { agent, state, form, policy, window } = parts
  const { tokens } = await currentCheck(parts, [])
  const { rolling, compactions, turns } = await state.get()
  const { rest } = rolledView(await agent.getContext(), rolling, form)
  const stored = cold === null ? null : await cold.count(agent.session)
  const chunks = { held: chunkGroups(rest).length, cold: stored }
  const warnings = contradictions(policy).map(({ message }) => `The policy contradicts itself: ${message}.`)
  return { ...checkHealth(policy, agent.session, window, tokens, chunks), compactions, turns, warnings }
}
