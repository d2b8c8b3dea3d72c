import { chooseCut } from '../../compaction/choose-cut'
import { cutWithinShare, verbatimRoom } from '../../compaction/within-share'
import type { Policy } from '../../policy/policy'
import type { Tokens } from '../../units/units'
import type { ReplayWalk } from '../walk/replay-walk'
import { sizedPath } from '../walk/session-shape'

/** A cut of the live planner, in chunks. */
export type WalkCut = {
  /** The first chunk that stays word for word. */
  readonly to: number
  readonly summaryTokens: Tokens
  /** Tokens of the conversation after it. */
  readonly after: Tokens
}

export type WalkCutOptions = {
  readonly policy: Policy
  /** Tokens of a summary of so many tokens. */
  readonly summaryTokens: (gone: Tokens) => Tokens
  /** Nothing else brings the prompt below its limit: no tail is kept rather than nothing done. */
  readonly pressing: boolean
}

/**
 * Where the live planner would cut the prompt as it is now: the same functions, over the entries since the last cut. null
 * where it would not.
 */
export function planCut(walk: ReplayWalk, options: WalkCutOptions): WalkCut | null {
  const { policy, summaryTokens, pressing } = options
  const { placeOf, firstChunk, earliestCall } = walk.shape
  if (walk.end === 0 || policy.compaction.mode === 'off') return null
  const path = sizedPath(walk.shape)
  const base = placeOf[Math.min(walk.summarisedTo, walk.end - 1)] as number
  const since = path.slice(base, (placeOf[walk.end - 1] as number) + 1)
  const { fixed } = walk.session
  // The path of a replay is as if nothing had ever been compacted.
  const known = {
    boundary: -1,
    isPaired: (at: number) => (earliestCall[base + at] as number) >= base + at,
  }
  const cut = (own: Policy): WalkCut | null => {
    const room = verbatimRoom(own, walk.window, fixed, () => Math.ceil(summaryTokens(walk.live)))
    const choice = chooseCut(since, { policy: own, keptBy: () => -1, room, manual: pressing, known })
    if (choice.kind === 'nothing') return null
    const place = base + choice.cut.firstKept
    const to = place >= path.length ? walk.end : (firstChunk[place] as number)
    const gone = walk.prefix(to) - fixed
    const taken = Math.ceil(summaryTokens(gone))
    return { to, summaryTokens: taken, after: walk.live - gone + taken }
  }
  return cutWithinShare(policy, walk.window, walk.live, { plan: cut, after: (found) => found?.after ?? null })
}
