import type { OwnPrices } from '../tokens/own-prices'
import type { ReplayPolicy } from './replay-policy'
import type { SessionReplay } from './replay-result'
import type { ReplaySession } from './replay-session'
import { runWalk } from './walk/run-walk'

/**
 * What a policy would have made of a session, assuming that the agent had done the same: its tokens and its price, misses
 * paid, and which later needs it left unmet. Deterministic.
 * @param own the operator's prices, which beat the list's
 */
export function replaySession(session: ReplaySession, policy: ReplayPolicy, own: OwnPrices): SessionReplay {
  return runWalk(session, policy, own, null)
}
