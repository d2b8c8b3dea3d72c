import { describe, expect, it } from 'vitest'
import { type MadeSession, madeSession } from '../../testing/builders/replay-sessions'
import { keepCalls, keepTokens, keepTurns } from './policies/keep-newest'
import { maskInBatches, maskOlder } from './policies/mask-results'
import { REPLAY_POLICIES } from './policies/table'
import { replayWithRegrets } from './regrets'
import { replaySession } from './replay'
import type { ReplayPolicy } from './replay-policy'
import type { ReplaySession } from './replay-session'
import { FORM, type ReplayWalk } from './walk/replay-walk'
import { KIND } from './walk/session-shape'

const crowd = (over: MadeSession = {}) =>
  [1, 2, 3, 4].map((seed) => madeSession(seed, { chunks: 60 + seed * 30, window: 30_000, ...over }))
const sessions = crowd()
const replay = (session: ReplaySession, policy: ReplayPolicy) => replaySession(session, policy, {})
const byId = (id: string) => {
  const found = REPLAY_POLICIES.find((policy) => policy.id === id)
  if (found === undefined) throw new Error(`${id}: no such policy`)
  return found
}

/** The policy, with a look at the walk after each of its steps. */
function watched(policy: ReplayPolicy, look: (walk: ReplayWalk) => void): ReplayPolicy {
  return {
    ...policy,
    start: (walk) => {
      const step = policy.start(walk)
      return (call) => {
        step(call)
        look(walk)
      }
    },
  }
}

describe('a replay of a session under a policy', () => {
  it('has a table of policies, each once, with its constants and their source in words', () => {
    const ids = REPLAY_POLICIES.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { about, source } of REPLAY_POLICIES)
      expect(Math.min(about.length, source.length)).toBeGreaterThan(10)
  })

  it('saves nothing and misses nothing where everything is sent', () => {
    for (const session of sessions) {
      const { tokensAll, tokensSent, costAll, costSent, needs, missTokens } = replay(
        session,
        byId('everything'),
      )
      expect([tokensSent, costSent, needs.met, missTokens]).toEqual([tokensAll, costAll, needs.all, 0])
    }
  })

  it.each(REPLAY_POLICIES.map(({ id }) => id))(
    '%s: tokens add up, and no result is without its call',
    (id) => {
      for (const session of sessions) {
        const look = (walk: ReplayWalk) => {
          let sum = 0
          for (let c = 0; c < walk.end; c++) {
            sum += walk.tokensNow(c)
            const call = walk.shape.callOf[c] ?? -1
            if (session.chunks.kind[c] !== KIND.result || call < 0) continue
            const isThere = (chunk: number) => [FORM.whole, FORM.stub].includes(walk.formOf(chunk) as 0 | 2)
            if (isThere(c) && !isThere(call))
              throw new Error(`${id}: result ${c} is left, its call ${call} is not`)
          }
          expect(walk.live).toBeCloseTo(sum, 6)
          expect(walk.prefix(walk.end)).toBeCloseTo(walk.prompt, 6)
        }
        const result = replay(session, watched(byId(id), look))
        expect(result.needs.met + result.needs.pointer + result.needs.lost).toBeCloseTo(result.needs.all, 6)
        expect(result.metWithoutRecovery).toBeLessThanOrEqual(result.needs.met + result.rules.met + 1e-6)
      }
    },
  )

  it('gives the same for the same, whatever was replayed in between', () => {
    const all = () => REPLAY_POLICIES.map((policy) => sessions.map((session) => replay(session, policy)))
    const backwards = () =>
      REPLAY_POLICIES.toReversed().map((policy) =>
        sessions.toReversed().map((session) => replay(session, policy)),
      )
    expect(
      JSON.stringify(
        backwards()
          .reverse()
          .map((row) => row.reverse()),
      ),
    ).toBe(JSON.stringify(all()))
  })
})

describe('the oracles', () => {
  it('meet every need; the cheap one may fetch what is cheaper to fetch', () => {
    for (const session of sessions) {
      const { needs } = replay(session, byId('oracle'))
      expect(needs.met).toBeCloseTo(needs.all, 6)
      const cheap = replay(session, byId('oracle-cost')).needs
      expect(cheap.lost).toBe(0)
    }
  })

  it('send no more than any policy that meets every need, where needs have one source', () => {
    for (const session of crowd({ mostSources: 1 })) {
      const least = replay(session, byId('oracle')).tokensSent
      for (const policy of REPLAY_POLICIES) {
        const { needs, tokensSent } = replay(session, policy)
        if (needs.met >= needs.all - 1e-6) expect(tokensSent, policy.id).toBeGreaterThanOrEqual(least)
      }
    }
  })

  it('cost no more than any policy that meets every need, and no more than sending everything', () => {
    for (const session of crowd({ mostSources: 1 })) {
      const least = replay(session, byId('oracle-cost')).costSent
      for (const policy of REPLAY_POLICIES) {
        const { needs, costSent } = replay(session, policy)
        if (needs.met >= needs.all - 1e-6) expect(costSent * 1.001, policy.id).toBeGreaterThanOrEqual(least)
      }
    }
  })
})

describe('families of which more keeps more', () => {
  it.each<[string, readonly ReplayPolicy[]]>([
    ['turns', [2, 4, 8, 16].map(keepTurns)],
    ['calls', [2, 5, 10, 40].map(keepCalls)],
    ['tokens', [5_000, 10_000, 20_000, 60_000].map(keepTokens)],
    ['masks', [1, 3, 10, 30].map(maskOlder)],
    [
      'batches',
      [1_000, 4_000, 16_000].map((protect) => maskInBatches('b', 'b', { protect, least: 1 }, 'a test of it')),
    ],
  ])('%s: a larger budget never misses more, had nothing come back', (_, family) => {
    for (const session of sessions) {
      const met = family.map((policy) => replay(session, policy).metWithoutRecovery)
      for (let i = 1; i < met.length; i++) expect(met[i]).toBeGreaterThanOrEqual((met[i - 1] ?? 0) - 1e-6)
    }
  })
})

describe('regrets', () => {
  it('are the needs that were left unmet, heaviest first, each after the drop that caused it', () => {
    const session = sessions[3] as ReplaySession
    const { replay: own, regrets } = replayWithRegrets(session, byId('keep-calls-10'), {})
    const { needs } = own
    expect(own).toEqual(replay(session, byId('keep-calls-10')))
    expect(regrets.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(needs.pointer + needs.lost, 4)
    for (const { rule, droppedBefore, call, chunk, need } of regrets) {
      expect(rule).toBe('calls')
      expect(droppedBefore).toBeLessThanOrEqual(call)
      expect(session.chunks.born[chunk]).toBeLessThan(droppedBefore)
      expect(session.needs.at[need]).toBe(call)
    }
    const weights = regrets.map(({ weight }) => weight)
    expect(weights).toEqual(weights.toSorted((a, b) => b - a))
  })
})
