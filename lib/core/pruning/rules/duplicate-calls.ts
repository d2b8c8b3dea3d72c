import { clearResult, type PruneDecision, type PruneRule } from '../prune-decision'

/** Tools whose next answer goes on where the last one ended, so that none stands for another. */
const CONTINUING = /poll|process|wait|write_stdin|next|sleep|random/i

/** Of calls made several times in the same words only the last result that is no error stays. */
export const pruneDuplicateCalls: PruneRule = (context) => {
  const { messages, pairs, resultGuard } = context
  const madeLater = new Set<string>()
  const decisions: PruneDecision[] = []
  // From the newest back, so that what comes later is known.
  for (let i = pairs.length - 1; i >= 0; i--) {
    const pair = pairs[i]
    if (pair === undefined || pair.result === null || pair.call.key === '') continue
    const { call, result } = pair
    if (!madeLater.has(call.key)) {
      if (messages[result]?.failed === false) madeLater.add(call.key)
      continue
    }
    if (resultGuard[result] !== null || CONTINUING.test(call.name)) continue
    const decision = clearResult(context, result, 'duplicates', 'repeated')
    if (decision !== null) decisions.push(decision)
  }
  return { decisions: decisions.reverse(), idle: null }
}
