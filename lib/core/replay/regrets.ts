import type { OwnPrices } from '../tokens/own-prices'
import { DROP_RULE_NAMES } from './drop-rules'
import type { ReplayPolicy } from './replay-policy'
import type { Regret, SessionReplay } from './replay-result'
import { NEED_KINDS, type ReplaySession } from './replay-session'
import { VERDICT } from './walk/need-judge'
import type { ReplayWalk } from './walk/replay-walk'
import { runWalk } from './walk/run-walk'

/**
 * A replay of a session under a policy, with all needs that it leaves unmet, the heaviest first, each with the drop that
 * caused it: evidence, not a verdict on what would have come of it. Of equal weight the earlier one first.
 * @param own the operator's prices, which beat the list's
 */
export function replayWithRegrets(
  session: ReplaySession,
  policy: ReplayPolicy,
  own: OwnPrices,
): { readonly replay: SessionReplay; readonly regrets: readonly Regret[] } {
  const regrets: Regret[] = []
  const replay = runWalk(session, policy, own, (walk, need, verdict) => {
    regrets.push(regretOf(walk, need, verdict))
  })
  return { replay, regrets: regrets.sort((a, b) => b.weight - a.weight || a.need - b.need) }
}

function regretOf(walk: ReplayWalk, need: number, verdict: number): Regret {
  const { needs, spans, chunks, calls, transcriptId } = walk.session
  const chunk = needs.source[(needs.offset[need + 1] as number) - 1] as number
  const call = needs.at[need] as number
  return {
    transcriptId,
    need,
    call,
    text: spans.texts[needs.span[need] as number] ?? '',
    kind: NEED_KINDS[needs.kind[need] as number] ?? '',
    weight: needs.weight[need] as number,
    verdict: verdict === VERDICT.pointer ? 'pointer' : 'lost',
    chunk,
    droppedBefore: walk.leftAt(chunk),
    rule: DROP_RULE_NAMES[walk.ruleOf(chunk)] ?? '',
    entry: chunks.entry[chunk] as number,
    from: chunks.from[chunk] as number,
    to: chunks.to[chunk] as number,
    callEntry: calls.entry[call] as number,
  }
}
