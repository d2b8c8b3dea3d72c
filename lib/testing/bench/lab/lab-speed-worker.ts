import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { replaySession } from '../../../core/replay/replay'
import { NO_PRICES } from '../../../core/tokens/own-prices'
import { type PolicyChoice, replayPolicyOf } from '../../../engine/replay/policy-choice'
import { madeSession } from '../../builders/replay-sessions'
import { speedPolicies } from '../speed-policies'

/** The part of the sessions that one thread replays: every `of`th, from `from` on. */
const SHARE = z.object({
  ...{ from: z.number(), of: z.number(), sessions: z.number(), chunks: z.number(), policies: z.number() },
})

/**
 * What a thread of the bench does: it makes its sessions, says so, and replays them each time it is asked to, under all
 * policies or only one, as the threads of the product do it: one session after another, each under all of them. It
 * answers what each replay came to, session by session.
 */
export function replayShare(): void {
  const { from, of, sessions: count, chunks, policies: most } = SHARE.parse(workerData)
  const sessions = Array.from({ length: Math.ceil((count - from) / of) }, (_, i) =>
    madeSession(from + i * of, { chunks }),
  )
  const policies = speedPolicies(most)
  const replays = (own: readonly PolicyChoice[]) => {
    const sums = new Float64Array(own.length * sessions.length * FIGURES)
    let at = 0
    for (const session of sessions)
      for (const choice of own) {
        const replay = replaySession(session, replayPolicyOf(choice), NO_PRICES)
        const { costSent, tokensSent, needs, rules, rewrites } = replay
        for (const figure of [costSent, tokensSent, needs.met, needs.lost, rules.met, rewrites])
          sums[at++] = figure
      }
    return sums
  }
  parentPort?.on('message', (policy: unknown) => {
    const own = typeof policy === 'number' ? policies.slice(policy, policy + 1) : policies
    parentPort?.postMessage(replays(own))
  })
  parentPort?.postMessage('ready')
}

/** Figures of each replay that are compared. */
export const FIGURES = 6
