import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UsageAnchor } from './anchor'

/** A provider that counts at its own rate, with tools that are not shown, give or take some percent. */
const providers = fc.record({
  tools: fc.integer({ min: 0, max: 15_000 }),
  rate: fc.double({ min: 0.85, max: 1.35, noNaN: true }),
  scatter: fc.array(fc.double({ min: -0.03, max: 0.03, noNaN: true }), { minLength: 30, maxLength: 30 }),
})

const offBy = (estimate: number, truth: number) => Math.abs(estimate - truth) / truth

describe('B2 estimates that go on from what a provider reports', () => {
  it('are within their band after a compaction, and nearer than those without it', () => {
    const misses: { anchored: number; plain: number }[] = []
    fc.assert(
      fc.property(providers, fc.integer({ min: 3, max: 25 }), ({ tools, rate, scatter }, turns) => {
        const anchor = new UsageAnchor()
        const counted = (messages: number, turn: number) =>
          3_000 + tools + messages * rate * (1 + (scatter[turn] ?? 0))
        for (let turn = 0; turn < turns; turn += 1) {
          const messages = 2_000 + turn * 5_000
          anchor.add({ measured: counted(messages, turn), fixed: 3_000, messages })
        }
        // What a compaction leaves is mostly newer than what went.
        const left = 9_000
        const truth = counted(left, turns)
        const anchored = anchor.estimate({ fixed: 3_000, messages: left }) ?? 0
        misses.push({ anchored: offBy(anchored, truth), plain: offBy(3_000 + left, truth) })
      }),
      { numRuns: 300 },
    )
    const sorted = (values: number[]) => values.sort((a, b) => a - b)
    const anchored = sorted(misses.map((miss) => miss.anchored))
    const plain = sorted(misses.map((miss) => miss.plain))
    const at = (values: number[], share: number) => values[Math.floor((values.length - 1) * share)] ?? 1
    expect(at(anchored, 0.5)).toBeLessThan(at(plain, 0.5) / 4)
    expect(at(anchored, 0.9)).toBeLessThan(0.08)
  })

  it('are the report itself where nothing has changed, and nothing before there is one', () => {
    const anchor = new UsageAnchor()
    const now = { fixed: 500, messages: 2_000 }
    expect([anchor.estimate(now), anchor.slope]).toEqual([null, 1])
    anchor.add({ measured: 4_200, ...now })
    expect(anchor.estimate(now)).toBe(4_200)
    // Tools that are shown from now on.
    expect(anchor.estimate({ ...now, fixed: 900 })).toBe(4_600)
  })

  it('do not follow a report that cannot be of these messages', () => {
    const anchor = new UsageAnchor()
    anchor.add({ measured: 10, fixed: 0, messages: 90_000 })
    expect(anchor.slope).toBe(0.7)
    expect(anchor.estimate({ fixed: 0, messages: 80_000 })).toBe(40_000)
    const other = new UsageAnchor()
    other.add({ measured: 900_000, fixed: 0, messages: 90_000 })
    expect(other.slope).toBe(1.6)
  })
})
