import type { OwnPrices } from '../../tokens/own-prices'
import type { ReplayPolicy } from '../replay-policy'
import type { SessionReplay } from '../replay-result'
import { NEVER, type ReplaySession } from '../replay-session'
import { callPrices } from './call-prices'
import { type MissSink, NeedJudge } from './need-judge'
import { ReplayWalk } from './replay-walk'
import { SentSums } from './sent-sums'
import { shapeOf } from './session-shape'

const walk = new ReplayWalk()

/**
 * Replays a session under a policy: calls in order, the record held fixed. A miss is paid once and what was missed comes
 * back at the end of the prompt. Deterministic; allocates next to nothing.
 */
export function runWalk(
  session: ReplaySession,
  policy: ReplayPolicy,
  own: OwnPrices,
  onMiss: MissSink | null,
): SessionReplay {
  const shape = shapeOf(session)
  const prices = callPrices(session, own)
  walk.begin(shape, prices)
  const step = policy.start(walk)
  const sums = new SentSums(shape, prices)
  const judge = new NeedJudge(walk, shape, onMiss)
  const { calls, fixed } = session
  let [sentBefore, isChanged] = [0, false]
  for (let call = 0; call < calls.count; call++) {
    walk.arrive(call)
    step(call)
    // Until something changes, each call costs what it costs with everything kept, and every need is met.
    if (!isChanged && walk.hasAll) continue
    if (!isChanged) {
      isChanged = true
      sums.beginAt(call)
      sentBefore = call === 0 ? 0 : (shape.promptAll[call - 1] as number)
    }
    const isRewrite = call > 0 && walk.changedFrom !== NEVER
    const common = isRewrite ? walk.prefix(walk.changedFrom) : sentBefore
    if (isRewrite) sums.rewrites += 1
    const fetched = judge.judge(call)
    const prompt = fixed + walk.live
    sums.add(call, prompt, common, fetched)
    sentBefore = prompt
  }
  if (!isChanged) sums.beginAt(calls.count)
  return { ...sums.result(walk), ...judge.result(), transcriptId: session.transcriptId, owner: session.owner }
}
