import { describe, expect, it } from 'vitest'
import { sessionOfPath } from '../../../testing/builders/replay-sessions'
import { DEFAULT_POLICY } from '../../policy/default-policy'
import { NO_PRICES } from '../../tokens/own-prices'
import { replaySession } from '../replay'
import type { ReplayPolicy } from '../replay-policy'
import type { ReplaySession } from '../replay-session'
import { ANTHROPIC_CLEAR, CLAUDE_CODE_MICRO } from './clear-results'
import { keepCalls, keepTurns } from './keep-newest'
import { maskInBatches, maskOlder, WORDS_ONLY } from './mask-results'
import { policyReplay } from './of-policy'

/** Which chunks are still whole before the last call. */
function left(session: ReplaySession, policy: ReplayPolicy): number[] {
  let whole: number[] = []
  replaySession(
    session,
    {
      ...policy,
      start: (walk) => {
        const step = policy.start(walk)
        return (call) => {
          step(call)
          whole = Array.from({ length: walk.end }, (_, c) => c).filter((c) => walk.isWhole(c))
        }
      },
    },
    NO_PRICES,
  )
  return whole
}

/** Five calls with a result each; calls are chunks 1, 3, 5 …, results 2, 4, 6 … */
const FIVE = 'u=50 | a:1 r:1=400 | a:2 r:2=400 | a:3 r:3=400 | a:4 r:4=400 | a:5 r:5=400'
const LAST = `${FIVE} |`

describe('policies that take out old results', () => {
  it('mask what is so many calls old, and nothing else', () => {
    expect(left(sessionOfPath(FIVE), maskOlder(2))).toEqual([0, 1, 3, 5, 7, 8, 9, 10])
  })

  it('mask in one go what is behind the protected tokens, once it is enough', () => {
    const batch = (protect: number, least: number) =>
      left(sessionOfPath(FIVE), maskInBatches('b', 'b', { protect, least }, 'a test'))
    expect(batch(800, 1200)).toEqual([0, 1, 3, 5, 7, 8, 9, 10])
    expect(batch(800, 1201)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(batch(801, 400)).toEqual([0, 1, 3, 5, 6, 7, 8, 9, 10])
  })

  it('keep the words of turns that are over', () => {
    const turns = 'u=50 | a:1 r:1=400 | a=20 u=50 | a:2 r:2=400'
    expect(left(sessionOfPath(turns), WORDS_ONLY)).toEqual([0, 1, 3, 4, 5, 6])
  })

  it('clear all but five after an hour, and all but three above 100,000 tokens', () => {
    const six = `${FIVE} | a:6 r:6=400`
    expect(left(sessionOfPath(`${six} |3600`), CLAUDE_CODE_MICRO)).toEqual([
      0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
    ])
    expect(left(sessionOfPath(`${six} |3599`), CLAUDE_CODE_MICRO)).toHaveLength(13)
    const big = (user: number) => left(sessionOfPath(LAST.replace('u=50', `u=${user}`)), ANTHROPIC_CLEAR)
    expect(big(97_900)).toEqual([0, 1, 3, 5, 6, 7, 8, 9, 10])
    expect(big(97_800)).toHaveLength(11)
  })
})

describe('policies that keep the newest part', () => {
  it('let a result go with its call', () => {
    expect(left(sessionOfPath(FIVE), keepCalls(2))).toEqual([7, 8, 9, 10])
    const turns = 'u=5 | a=5 u=5 | a:1 r:1=5 | a=5 u=5 | a=5'
    expect(left(sessionOfPath(turns), keepTurns(2))).toEqual([2, 3, 4, 5, 6, 7])
  })
})

describe('a policy of ours', () => {
  const { pruning, lines, summary } = DEFAULT_POLICY
  const off = { enabled: false } as const
  const quiet = {
    ...DEFAULT_POLICY,
    lines: { ...lines, curate: { ...lines.curate, ...off }, slide: { ...lines.slide, ...off } },
    summary: { ...summary, sliding: { ...summary.sliding, ...off, everyIterations: 1 } },
    pruning: { ...pruning, keepLastMessages: 2, toolResultsAfterMs: 15_000, keepTools: [], alwaysKeep: [] },
  }
  const wide = (text: string): ReplaySession => {
    const session = sessionOfPath(text)
    return { ...session, calls: { ...session.calls, window: session.calls.window.fill(200_000) } }
  }
  const replayed = (over: Partial<typeof quiet.pruning>, session = wide(LAST)) =>
    left(
      session,
      policyReplay(
        { ...quiet, pruning: { ...quiet.pruning, ...over } },
        { id: 'p', label: 'p', about: '', source: '', family: 'draft' },
      ),
    )

  it('lets results go by their age, but for those that are protected', () => {
    // Results came in with the calls at 10, 20, 30, 40 and 50 seconds; the last call is at 60.
    expect(replayed({})).toEqual([0, 1, 3, 5, 7, 9, 10])
    expect(replayed({ keepLastMessages: 6 })).toEqual([0, 1, 3, 5, 6, 7, 8, 9, 10])
    expect(replayed({ byAge: false })).toHaveLength(11)
  })

  it('takes out repeated calls and old readings once they are repeated', () => {
    // They are looked for when the cache has gone cold: before the last call.
    const session = wide(`${FIVE} |900`)
    const chunks = {
      ...session.chunks,
      repeated: session.chunks.repeated.fill(4, 2, 3),
      superseded: session.chunks.superseded.fill(6, 4, 5).fill(7, 6, 7),
    }
    expect(replayed({ byAge: false }, { ...session, chunks })).toEqual([0, 1, 3, 5, 6, 7, 8, 9, 10])
  })
})
