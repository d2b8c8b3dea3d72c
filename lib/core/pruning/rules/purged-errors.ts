import { argumentGuard } from '../prune-context'
import { clearArguments, type PruneRule } from '../prune-decision'

/** Arguments of calls that failed go when so many turns of the user have gone by; what the error said stays (J3). */
export const prunePurgedErrors: PruneRule = (context) => {
  const { messages, pairs, policy } = context
  const users = messages.flatMap(({ role }, at) => (role === 'user' ? at : []))
  const { errorTurns } = policy.pruning
  const before = errorTurns === 0 ? messages.length : (users.at(-errorTurns) ?? 0)
  const decisions = pairs.flatMap((pair) => {
    if (pair.result === null || pair.result >= before || messages[pair.result]?.failed !== true) return []
    return argumentGuard(context, pair) === null ? (clearArguments(context, pair, 'failed') ?? []) : []
  })
  return { decisions, idle: null }
}
