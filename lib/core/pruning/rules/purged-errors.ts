import { argumentGuard } from '../prune-context'
import { clearArguments, type PruneDecision, type PruneRule } from '../prune-decision'

/** Arguments of calls that failed go when so many turns of the user have gone by; what the error said stays. */
export const prunePurgedErrors: PruneRule = (context) => {
  const { messages, pairs, policy } = context
  const users = messages.flatMap(({ role }, at) => (role === 'user' ? at : []))
  const { errorTurns } = policy.pruning
  const before = errorTurns === 0 ? messages.length : (users.at(-errorTurns) ?? 0)
  const decisions: PruneDecision[] = []
  for (const pair of pairs) {
    if (pair.result === null || pair.result >= before || messages[pair.result]?.failed !== true) continue
    if (argumentGuard(context, pair) !== null) continue
    const decision = clearArguments(context, pair, 'errors', 'failed')
    if (decision !== null) decisions.push(decision)
  }
  return { decisions, idle: null }
}
