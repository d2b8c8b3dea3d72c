import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { madeSession } from '../../../testing/builders/replay-sessions'
import { DEFAULT_POLICY } from '../../policy/default-policy'
import { NO_PRICES } from '../../tokens/own-prices'
import { REPLAY_POLICIES } from '../policies/table'
import { replaySession } from '../replay'
import type { ReplayPolicy } from '../replay-policy'
import type { ReplaySession } from '../replay-session'
import { frontsOf, ranked } from './pareto'
import { candidatePolicy, scoreOf } from './run-task'
import { genesOf, patchOf, TUNED_KNOBS, tunedPolicy } from './search-space'
import { sobolPoints } from './sobol'
import { splitSessions, stratifiedSample } from './split-sessions'
import type { TuneAsk, TuneState } from './tune-state'
import { beginTune, tuneNext, tuneResult, tuneTasks } from './tuner'

/** As many as there are. */
const DIMENSIONS = 19

const byId = (id: string): ReplayPolicy => {
  const found = REPLAY_POLICIES.find((policy) => policy.id === id)
  if (found === undefined) throw new Error(`${id}: no such policy`)
  return found
}

describe('points of a search', () => {
  it('fill every dimension evenly: one in each of as many parts as there are points', () => {
    for (const count of [8, 64, 256]) {
      const points = sobolPoints(count, DIMENSIONS, 's')
      for (let d = 0; d < DIMENSIONS; d++) {
        const parts = new Set(points.map((point) => Math.floor((point[d] ?? 0) * count)))
        expect(parts.size, `dimension ${d}`).toBe(count)
      }
    }
    expect(sobolPoints(4, 3, 'a')).not.toEqual(sobolPoints(4, 3, 'b'))
    expect(() => sobolPoints(1, 99, 's')).toThrow('dimensions')
  })

  it('become policies whose knobs are within their bounds, and the nearest point of one is its own', () => {
    const gene = fc.double({ min: 0, max: 0.999, noNaN: true })
    fc.assert(
      fc.property(
        fc.array(gene, { minLength: TUNED_KNOBS.length, maxLength: TUNED_KNOBS.length }),
        (genes) => {
          const policy = tunedPolicy(DEFAULT_POLICY, genes)
          expect(policy.pruning.cacheTtl.hardClearRatio).toBeGreaterThanOrEqual(
            policy.pruning.cacheTtl.softTrimRatio,
          )
          const again = patchOf(genesOf({ ...policy }))
          const { lines, compaction } = patchOf(genes)
          expect([again.lines, again.compaction]).toEqual([lines, compaction])
        },
      ),
      { numRuns: 50 },
    )
  })
})

describe('ranks', () => {
  it('have those that none dominates first, then those at the ends', () => {
    const goals = [
      [1, 1],
      [0, 3],
      [3, 0],
      [2, 2],
      [0, 0],
      [1.9, 2.1],
    ]
    expect(frontsOf(goals)).toEqual([[1, 2, 3, 5], [0], [4]])
    expect(ranked(goals).slice(0, 2)).toEqual([1, 2])
    expect(
      frontsOf([
        [1, 1],
        [1, 1],
        [1, 2],
      ]),
    ).toEqual([[2], [0, 1]])
  })
})

describe('a split of sessions', () => {
  const at = (owner: string, startedAt: number, calls = 10) => ({
    transcriptId: `${owner}${startedAt}`,
    owner,
    startedAt,
    calls,
  })
  it('keeps owners together, the older ones to learn on', () => {
    const sessions = [at('a', 1), at('b', 9), at('a', 2), at('c', 5), at('c', 6), at('b', 10)]
    expect(splitSessions(sessions)).toEqual({ train: [0, 2, 3, 4], test: [1, 5], by: 'owner' })
  })
  it('goes by time alone where one owner has nearly everything', () => {
    const sessions = Array.from({ length: 10 }, (_, i) => at('a', 10 - i))
    expect(splitSessions(sessions)).toEqual({ train: [3, 4, 5, 6, 7, 8, 9], test: [0, 1, 2], by: 'time' })
  })
  it('samples every length', () => {
    const sessions = Array.from({ length: 100 }, (_, i) => at('a', i, i))
    const sample = stratifiedSample(
      sessions,
      sessions.map((_, i) => i),
      0.2,
    )
    expect(sample).toHaveLength(20)
    expect(sample.filter((i) => i < 50)).toHaveLength(10)
  })
})

describe('a tuning', () => {
  const sessions = Array.from({ length: 24 }, (_, i) =>
    madeSession(i, {
      chunks: 40 + (i % 5) * 20,
      window: 20_000,
      startedAt: 1_790_000_000_000 + i * 3_600_000,
      owner: `o${i % 9}`,
    }),
  )
  const ask: TuneAsk = {
    seed: 't',
    base: DEFAULT_POLICY,
    current: 'preset-openclaw',
    points: 12,
    mutations: 6,
    mostLost: 0.05,
  }
  const facts = sessions.map(({ transcriptId, owner, startedAt, calls }) => ({
    transcriptId,
    owner,
    startedAt,
    calls: calls.count,
  }))

  /** Runs it as a job does; tasks in any order, and the state through JSON at each stage. */
  function run(order: <T>(tasks: readonly T[]) => readonly T[]) {
    let state: TuneState = beginTune(ask, facts)
    for (;;) {
      const tasks = tuneTasks(state)
      const replays = new Map(
        order(tasks).map((task) => {
          const policy = candidatePolicy(ask.base, task.candidate, byId)
          return [
            task,
            task.sessions.map((i) => replaySession(sessions[i] as ReplaySession, policy, NO_PRICES)),
          ] as const
        }),
      )
      const inOrder = tasks.map((task) => replays.get(task) ?? [])
      if (state.stage === 'test') return tuneResult(state, inOrder)
      state = JSON.parse(JSON.stringify(tuneNext(state, inOrder.map(scoreOf)))) as TuneState
    }
  }

  it('ends the same however its work is shared out, and proposes three policies by sessions it did not learn on', () => {
    const result = run((tasks) => tasks)
    expect(JSON.stringify(run((tasks) => tasks.toReversed()))).toBe(JSON.stringify(result))
    expect(result.picks.map(({ pick }) => pick)).toEqual(['safe', 'balanced', 'cheap'])
    const [safe, , cheap] = result.picks
    const saved = (one: typeof safe) => 1 - (one?.learned.costSent ?? 0) / (one?.learned.costAll ?? 1)
    expect(saved(cheap)).toBeGreaterThanOrEqual(saved(safe))
    expect(result.split.train + result.split.test).toBe(24)
    // Seven sessions or so say nothing of a gain.
    for (const { verdict, tested } of result.picks) {
      expect(verdict).toBe('too few sessions')
      expect(tested.sessions).toBe(result.split.test)
    }
    expect(result.knobs.map(({ sides }) => sides.length)).toEqual(TUNED_KNOBS.map(() => 2))
  })
})
