import { clearResult, type PruneRule } from '../prune-decision'

/** Tools whose next answer goes on where the last one ended, so that none stands for another. */
const CONTINUING = /poll|process|wait|write_stdin|next|sleep|random/i

/** Of calls made several times in the same words only the last result that is no error stays. */
export const pruneDuplicateCalls: PruneRule = (context) => {
  const { messages, pairs, resultGuard } = context
  const last = new Map<string, number>()
  for (let i = 0; i < pairs.length; i++) {
    const pair = pairs[i]
    if (pair === undefined || pair.result === null || pair.call.key === '') continue
    if (messages[pair.result]?.failed === false) last.set(pair.call.key, i)
  }
  const decisions = pairs.flatMap(({ call, result }, i) => {
    if (result === null || resultGuard[result] !== null || CONTINUING.test(call.name)) return []
    return (last.get(call.key) ?? -1) > i ? (clearResult(context, result, 'repeated') ?? []) : []
  })
  return { decisions, idle: null }
}
