import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { adviseCutoff, cutoffCurve } from './advise-cutoff'
import { changedActions, cutoffAction, type JudgedDrop, whatIf } from './what-if'

const drop = (score: number | null, more: Partial<JudgedDrop> = {}): JudgedDrop => ({
  ...{ chunkId: 'c', sessionId: 's', at: 1, score, threshold: 0.3, reason: 'low_relevance', tokens: 100 },
  ...{ recovered: null, needed: null },
  ...more,
})
const SEED = { cutoff: 0.3, keep: 0.7 }

describe('W4 the cut-off explorer', () => {
  test('what .25 would have kept of what .30 dropped, and what spoke against it', () => {
    const drops = [
      drop(0.1),
      drop(0.25),
      drop(0.28, { recovered: 'manual', tokens: 400 }),
      drop(0.3, { needed: 0.6, tokens: null }),
      drop(null, { reason: 'hard_limit', needed: 0.4 }),
    ]
    const logged = whatIf(drops, SEED)
    expect(logged.parts.drop).toEqual({
      ...{ chunks: 4, tokens: 600, unknownTokens: 1, against: 2, againstTokens: 400 },
    })
    const lower = whatIf(drops, { cutoff: 0.25, keep: 0.7 })
    expect(lower.parts.drop).toMatchObject({ chunks: 2, tokens: 200, against: 0 })
    expect(lower.parts.summarise).toMatchObject({ chunks: 2, tokens: 400, unknownTokens: 1, against: 2 })
    expect(lower.parts.keep.chunks).toBe(0)
    expect(whatIf(drops, { cutoff: 0.1, keep: 0.28 }).parts.keep.chunks).toBe(2)
    // Another rule than the cut-off dropped it: no setting keeps it.
    expect(lower.unscored).toMatchObject({ chunks: 1, against: 0 })
    expect(
      changedActions(drops, SEED, { cutoff: 0.25, keep: 0.7 }).map(({ drop, after }) => [drop.score, after]),
    ).toEqual([
      [0.28, 'summarise'],
      [0.3, 'summarise'],
    ])
  })

  test('a cut-off above the logged one is said to be beyond what logs can tell', () => {
    expect(whatIf([drop(0.1)], { cutoff: 0.31, keep: 0.7 }).isAboveLogged).toBe(true)
    expect(whatIf([drop(0.1)], SEED).isAboveLogged).toBe(false)
    expect(whatIf([drop(0.1, { threshold: null })], { cutoff: 0.9, keep: 1 }).isAboveLogged).toBe(false)
  })

  test('each drop has one action, and a higher cut-off never drops less', () => {
    const unit = fc.double({ min: 0, max: 1, noNaN: true })
    const drops = fc.array(fc.record({ score: fc.option(unit), against: fc.boolean() }), { maxLength: 60 })
    fc.assert(
      fc.property(drops, unit, unit, (some, one, two) => {
        const all = some.map(({ score, against }) => drop(score, { recovered: against ? 'manual' : null }))
        const [low, high] = [Math.min(one, two), Math.max(one, two)]
        const [a, b] = [low, high].map((cutoff) => whatIf(all, { cutoff, keep: 2 }))
        for (const result of [a, b]) {
          const { parts, unscored } = result as NonNullable<typeof a>
          expect(parts.drop.chunks + parts.summarise.chunks + parts.keep.chunks + unscored.chunks).toBe(
            all.length,
          )
        }
        expect(b?.parts.drop.chunks).toBeGreaterThanOrEqual(a?.parts.drop.chunks ?? 0)
        const curve = cutoffCurve(all, 1, 10)
        for (const point of curve) {
          const { parts } = whatIf(all, { cutoff: point.cutoff + 1e-9, keep: 2 })
          expect(point).toMatchObject({ dropped: parts.drop.chunks, against: parts.drop.against })
        }
      }),
    )
  })

  test('thresholds count as the pass counts them: at the cut-off it goes, at keep it stays', () => {
    expect([0.3, 0.31, 0.7].map((score) => cutoffAction(score, SEED))).toEqual(['drop', 'summarise', 'keep'])
  })
})

describe('W5 the advice', () => {
  const many = (count: number, score: number, recovered = false) =>
    Array.from({ length: count }, () => drop(score, { recovered: recovered ? 'relevance' : null }))

  test('names the key to change, in both spellings, and the highest cut-off that holds', () => {
    const drops = [...many(60, 0.1), ...many(20, 0.2), ...many(20, 0.27, true)]
    expect(adviseCutoff(drops, SEED)).toEqual({
      kind: 'lower',
      drops: 100,
      against: 0.2,
      change: { key: 'relevance.cutoff', seedKey: 'RELEVANCE_CUTOFF', from: 0.3, to: 0.26 },
      thenAgainst: 0,
    })
  })

  test('says nothing of a few drops, and to stay where little was wanted', () => {
    expect(adviseCutoff(many(19, 0.1, true), SEED)).toEqual({ kind: 'too-few', drops: 19, wanted: 20 })
    expect(adviseCutoff([...many(96, 0.1), ...many(4, 0.2, true)], SEED)).toMatchObject({
      kind: 'stay',
      against: 0.04,
    })
    // A share is one of the drops at the cut-off that it is about, not of all that were logged.
    const more = [...many(20, 0.1), ...many(10, 0.1, true), ...many(30, 0.35)]
    expect(adviseCutoff(more, SEED)).toMatchObject({ kind: 'stay', drops: 30, against: 1 / 3 })
    expect(adviseCutoff(many(20, 0.35), SEED)).toEqual({ kind: 'stay', drops: 0, against: 0 })
    // All that speaks against it lies at the bottom: a cut-off of almost nothing would drop almost nothing.
    const low = [...many(5, 0.01, true), ...many(50, 0.2)]
    expect(adviseCutoff(low, SEED)).toMatchObject({ kind: 'stay' })
    expect(adviseCutoff(many(50, 0, true), SEED)).toMatchObject({ kind: 'stay', against: 1 })
  })
})
