import type { Policy } from '../../policy/policy'
import type { Tokens } from '../../units/units'
import type { PolicyStep } from '../replay-policy'
import { CHUNK_FLAGS } from '../replay-session'
import type { HeldBy, ReplayedRequest, ReplayWalk } from '../walk/replay-walk'
import { KIND } from '../walk/session-shape'
import { planCut } from './plan-cut'

/** How a policy compacts: from where on, what it cuts by, and what its summary is. */
export type CompactAt = {
  /** Tokens of the prompt from which on it compacts in a window; null: not in this one. */
  readonly line: (window: Tokens) => Tokens | null
  /** What the cut goes by. */
  readonly policy: Policy
  readonly summary: HeldBy
  readonly request: ReplayedRequest
  readonly summaryTokens: (gone: Tokens) => Tokens
  /** What the summary carries word for word of what is before the cut. */
  readonly carries: 'nothing' | 'ask' | 'ask and important' | { readonly usersOf: Tokens }
  /** A cut that frees less than this share of the prompt is not made, unless the prompt does not fit. */
  readonly worth: number
}

/** A prompt is compacted when the call before it, and what came in since, reach the line. */
export function compactStep(walk: ReplayWalk, how: CompactAt): PolicyStep {
  const lineOf = byWindow(how.line)
  return () => {
    const line = lineOf(walk.window)
    if (line === null || walk.prompt < line) return
    compactNow(walk, how)
  }
}

/** Compacts the prompt as it is; answers whether there was anything to do. */
export function compactNow(walk: ReplayWalk, how: CompactAt): boolean {
  const pressing = walk.prompt > walk.window
  const cut = planCut(walk, { policy: how.policy, summaryTokens: how.summaryTokens, pressing })
  if (cut === null) return false
  if (!pressing && walk.live - cut.after < walk.prompt * how.worth) return false
  walk.summarise(cut.to, cut.summaryTokens, {
    kind: how.summary,
    request: how.request,
    ...(how.carries === 'nothing' ? {} : { stays: staysInSummary(walk, how.carries, cut.to) }),
  })
  return true
}

/** Lines by window: windows of a session are few, and a line takes some work. */
export function byWindow<T>(work: (window: Tokens) => T): (window: Tokens) => T {
  let [known, found] = [Number.NaN, null as T]
  return (window) => {
    if (window !== known) [known, found] = [window, work(window)]
    return found
  }
}

/** What of the part before a cut its summary carries word for word. */
export function staysInSummary(
  walk: ReplayWalk,
  carries: Exclude<CompactAt['carries'], 'nothing'>,
  to: number,
): (chunk: number) => boolean {
  const { kind, turn, flags, tokens } = walk.session.chunks
  if (typeof carries === 'object') {
    let [left, from] = [carries.usersOf, to]
    for (let c = to - 1; c >= 0 && left > 0; c--) {
      if (kind[c] !== KIND.user || !walk.isWhole(c)) continue
      left -= tokens[c] as number
      if (left >= 0) from = c
    }
    return (chunk) => chunk >= from && kind[chunk] === KIND.user
  }
  const newest = turn[walk.end - 1] ?? 0
  const important = carries === 'ask' ? 0 : CHUNK_FLAGS.important
  return (chunk) =>
    (kind[chunk] === KIND.user && turn[chunk] === newest) || ((flags[chunk] as number) & important) !== 0
}
