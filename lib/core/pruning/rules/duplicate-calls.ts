import { clearResult, type PruneDecision, type PruneRule } from '../prune-decision'

/** Tools whose next answer goes on where the last one ended, so that none is taken for another. */
const CONTINUING = /poll|process|wait|write_stdin|next|sleep|random/i

/** Of calls made several times in the same words only the last result that is no error stays. */
export const pruneDuplicateCalls: PruneRule = (context) => {
  const { messages, pairs, wordsOf, words, resultGuard } = context
  const madeLater = new Uint8Array(words)
  const decisions: PruneDecision[] = []
  // From the newest back, so that what comes later is known.
  for (let i = pairs.length - 1; i >= 0; i--) {
    const pair = pairs[i]
    const word = wordsOf[i] ?? -1
    if (pair === undefined || pair.result === null || word < 0) continue
    const { call, result } = pair
    if (madeLater[word] === 0) {
      if (messages[result]?.failed === false) madeLater[word] = 1
      continue
    }
    if (resultGuard[result] !== null || CONTINUING.test(call.name)) continue
    const decision = clearResult(context, result, 'duplicates', 'repeated')
    if (decision !== null) decisions.push(decision)
  }
  return { decisions: decisions.reverse(), idle: null }
}
