import type { ReplayPolicy } from '../../../core/replay/replay-policy'
import { CHUNK_FLAGS, type ReplaySession } from '../../../core/replay/replay-session'
import { VERDICT } from '../../../core/replay/walk/need-judge'
import type { ReplayWalk } from '../../../core/replay/walk/replay-walk'
import { runWalk } from '../../../core/replay/walk/run-walk'
import { shapeOf } from '../../../core/replay/walk/session-shape'
import { NO_PRICES } from '../../../core/tokens/own-prices'
import type { Tokens } from '../../../core/units/units'

/** What the product says of a need under a policy. */
export type CaseVerdict = 'met' | 'pointer' | 'lost'

/** What a policy left in the prompt of one call. */
export type CaseWindow = {
  /** Chunks whose words are there, in order. */
  readonly chunks: readonly number[]
  /** Chunks in whose place a marker is. */
  readonly markers: readonly number[]
  /** Everything before this chunk that is not there is in a summary of so many tokens; null: there is no summary. */
  readonly summary: { readonly to: number; readonly tokens: Tokens; readonly isEmpty: boolean } | null
}

/**
 * The verdict on every need of which a policy took a source away, by the number of the need. What rests on something that
 * was fetched for another need of the same call is left out: the prompt that a reader sees did not have it.
 */
export function caseVerdicts(session: ReplaySession, policy: ReplayPolicy): Map<number, CaseVerdict> {
  const { needEnd } = shapeOf(session)
  const { needs } = session
  const { flags } = session.chunks
  const [verdicts, before] = [new Map<number, CaseVerdict>(), new Map<number, CaseVerdict>()]
  watch(session, policy, {
    at: (walk, call) => {
      for (let need = needEnd[call - 1] ?? 0; need < (needEnd[call] as number); need++) {
        const sources = needs.source.subarray(needs.offset[need], needs.offset[need + 1])
        if (sources.every((chunk) => walk.isWhole(chunk))) continue
        if (sources.some((chunk) => walk.isVisible(chunk)) || walk.isHeld(needs.span[need] as number))
          verdicts.set(need, 'met')
        const isLocated = (chunk: number) =>
          walk.isLocated(chunk, ((flags[chunk] as number) & CHUNK_FLAGS.locator) !== 0)
        before.set(need, verdicts.get(need) ?? (sources.some(isLocated) ? 'pointer' : 'lost'))
      }
    },
    miss: (need, verdict) => verdicts.set(need, verdict === VERDICT.pointer ? 'pointer' : 'lost'),
  })
  return new Map([...verdicts].filter(([need, verdict]) => before.get(need) === verdict))
}

/** What a policy left in the prompts of some calls. */
export function caseWindows(
  session: ReplaySession,
  policy: ReplayPolicy,
  calls: ReadonlySet<number>,
): Map<number, CaseWindow> {
  const windows = new Map<number, CaseWindow>()
  watch(session, policy, {
    at: (walk, call) => {
      if (!calls.has(call)) return
      const there = Array.from({ length: walk.end }, (_, chunk) => chunk)
      windows.set(call, {
        chunks: there.filter((chunk) => walk.isVisible(chunk)),
        markers: there.filter((chunk) => !walk.isVisible(chunk) && walk.tokensNow(chunk) > 0),
        summary:
          walk.summarisedTo === 0
            ? null
            : { to: walk.summarisedTo, tokens: walk.summaryTokens, isEmpty: walk.summaryTokens === 0 },
      })
    },
    miss: () => {},
  })
  return windows
}

function watch(
  session: ReplaySession,
  policy: ReplayPolicy,
  on: {
    readonly at: (walk: ReplayWalk, call: number) => void
    readonly miss: (need: number, verdict: number) => void
  },
): void {
  const watched: ReplayPolicy = {
    ...policy,
    start: (walk) => {
      const step = policy.start(walk)
      return (call) => {
        step(call)
        on.at(walk, call)
      }
    },
  }
  runWalk(session, watched, NO_PRICES, (_, need, verdict) => on.miss(need, verdict))
}
