import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { aggregateFills, crossedAt, LEVELS, type SessionCrossings, sessionCrossings } from './policy-fills'
import { crossedWords, movedTo, thresholds } from './policy-lines'

const session = (fills: readonly (number | null)[], window = 1000): SessionCrossings => {
  const found = sessionCrossings(
    fills.map((fill) => (fill === null ? null : fill * window)),
    fills.map(() => window),
  )
  if (found === null) throw new Error('no known call')
  return found
}

describe('X8 thresholds over the fills of own sessions', () => {
  const fills = aggregateFills([
    session([0.2, 0.6, 0.3, 0.55, 0.7]),
    session([0.1, 0.49]),
    session([null, 0.9, null, 0.95]),
  ])

  it('a line is crossed by each rise through it; an unknown call neither crosses nor falls', () => {
    expect(crossedAt(fills, () => 0.5)).toEqual({ sessions: 2, of: 3, times: 3, exact: true })
    expect(crossedAt(fills, () => 0.49)).toEqual({ sessions: 3, of: 3, times: 4, exact: true })
    expect(crossedAt(fills, () => 0.95)).toMatchObject({ sessions: 1, times: 1 })
    expect(crossedAt(fills, () => 0.955)).toMatchObject({ sessions: 0, times: 0 })
    expect(fills).toMatchObject({ sessions: 3, calls: 11, unknownCalls: 2 })
  })

  it('agrees with counting call by call, at every level', () => {
    // A token for each level, and sizes close together: rises by a single level are common.
    const anyFills = fc.array(fc.option(fc.integer({ min: 94, max: 106 }), { nil: null }), {
      minLength: 1,
      maxLength: 40,
    })
    fc.assert(
      fc.property(
        fc.array(anyFills, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 94, max: 106 }),
        (all, level) => {
          const found = all.flatMap(
            (totals) =>
              sessionCrossings(
                totals,
                totals.map(() => LEVELS),
              ) ?? [],
          )
          let times = 0
          let sessions = 0
          for (const totals of all) {
            let before = 0
            let own = 0
            for (const total of totals) {
              if (total === null) continue
              if (total >= level && before < level) own += 1
              before = total
            }
            times += own
            if (own > 0) sessions += 1
          }
          expect(crossedAt(aggregateFills(found), () => level / LEVELS)).toMatchObject({ times, sessions })
        },
      ),
    )
  })

  it('counts by the window of each call; a bar for each per cent, and one for what is over', () => {
    const mixed = sessionCrossings([500, 500, 1200], [1000, 2000, 1000])
    expect(mixed?.bars[50]).toBe(1)
    expect(mixed?.bars[25]).toBe(1)
    expect(mixed?.bars[100]).toBe(1)
    expect(mixed?.top).toBe(LEVELS)
  })

  it('its size does not grow with the sessions; rare windows are gathered and say so', () => {
    const many = aggregateFills(
      Array.from({ length: 2000 }, (_, i) => session([0.6], i < 1000 ? 200_000 : 50_000 + i * 37)),
    )
    expect(many.sessions).toBe(2000)
    expect(many.groups.length).toBeLessThan(60)
    expect(many.groups.reduce((sum, group) => sum + group.sessions, 0)).toBe(2000)
    expect(crossedAt(many, () => 0.5, true)).toEqual({ sessions: 2000, of: 2000, times: 2000, exact: true })
    expect(crossedAt(many, () => 0.5).exact).toBe(false)
  })

  it('the hard limit acts where the reserve begins, in each window its own', () => {
    const policy = { ...DEFAULT_POLICY, lines: { ...DEFAULT_POLICY.lines, hard: { enabled: true, at: 1 } } }
    const both = aggregateFills([session([0.91], 200_000), session([0.8], 64_000), session([0.6], 64_000)])
    const hard = thresholds(policy, 200_000, both).find((line) => line.kind === 'hard')
    expect(hard).toMatchObject({
      at: 1,
      tokens: 180_000,
      acts: 0.9,
      note: 'at window − reserve, which is lower',
      // 180,000 of 200,000, and 48,000 of 64,000.
      crossed: { sessions: 2, of: 3, times: 2 },
    })
  })

  it('every line of the ladder is there, with its steps, on or off', () => {
    const all = thresholds(DEFAULT_POLICY, 200_000, fills)
    const lineOf = (id: string) => {
      const found = all.find((line) => line.id === id)
      if (!found) throw new Error(id)
      return found
    }
    expect(all.map((line) => [line.id, line.tokens, line.note])).toEqual([
      ['curate', 80_000, null],
      ['compact', 100_000, null],
      ['slide', 140_000, null],
      ['checkpoint 1', 50_000, null],
      ['checkpoint 2', 100_000, null],
      ['checkpoint 3', 150_000, null],
      ['flush 1', 100_000, null],
      ['flush 2', 150_000, null],
      ['flush 3', 180_000, 'above the hard limit: never acts'],
      ['hard', 170_000, null],
    ])
    expect(movedTo(DEFAULT_POLICY, lineOf('compact'), 0.61)).toEqual({ 'lines.compact.at': 0.61 })
    expect(movedTo(DEFAULT_POLICY, lineOf('flush 2'), 1.4)).toEqual({ 'lines.flush.at': [0.5, 1, 0.9] })
  })

  it('says it in words', () => {
    const words = (sessions: number, times: number, of = 212) =>
      crossedWords({ sessions, of, times, exact: true }).replaceAll('\u202f', ' ')
    expect(words(31, 130)).toBe('31 of 212 sessions, 4.2 times each')
    expect(words(31, 31)).toBe('31 of 212 sessions, once each')
    expect(words(0, 0)).toBe('none of 212 sessions')
    expect(words(0, 0, 0)).toBe('no session to compare with')
    expect(crossedWords({ sessions: 1, of: 1, times: 20, exact: false })).toBe(
      '1 of 1 session, 20 times each\u202f≈',
    )
  })
})
