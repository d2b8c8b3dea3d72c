import { NO_PRICES } from '../tokens/own-prices'
import { DROP_RULE_NAMES } from './drop-rules'
import type { ReplayPolicy } from './replay-policy'
import type { Regret } from './replay-result'
import { NEED_KINDS, type ReplaySession } from './replay-session'
import { VERDICT } from './walk/need-judge'
import type { ReplayWalk } from './walk/replay-walk'
import { runWalk } from './walk/run-walk'

/** So many regrets of one session are kept: the heaviest. */
const MOST_REGRETS = 200

/**
 * The heaviest needs that a policy leaves unmet in a session, each with the drop that caused it: evidence, not a verdict on
 * what would have come of it. Of equal weight the earlier one first.
 */
export function regretsOf(session: ReplaySession, policy: ReplayPolicy, most = MOST_REGRETS): Regret[] {
  const found: Regret[] = []
  runWalk(session, policy, NO_PRICES, (walk, need, verdict) => {
    found.push(regretOf(walk, need, verdict))
  })
  return found.sort((a, b) => b.weight - a.weight || a.need - b.need).slice(0, most)
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
