import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callTicks, placeLabels, spacedOut, tokenTicks } from './chart-axis'

describe('X3 axes', () => {
  it('puts token ticks on round steps', () => {
    expect(tokenTicks(200_000, 4).map((tick) => tick.label)).toEqual(['0', '50k', '100k', '150k', '200k'])
    expect(tokenTicks(3, 4).map((tick) => tick.value)).toEqual([0, 1, 2, 3])
  })

  it('puts no tick on a part of a token', () => {
    for (let top = 0; top < 40; top++) {
      const values = tokenTicks(top, 4).map((tick) => tick.value)
      expect(values[0]).toBe(0)
      expect(values.every(Number.isInteger)).toBe(true)
      expect(values.length).toBeLessThanOrEqual(7)
    }
  })

  it('puts call ticks on round numbers within the range', () => {
    expect(callTicks(1, 439, 5)).toEqual([100, 200, 300, 400])
    expect(callTicks(7, 7, 5)).toEqual([7])
    expect(callTicks(1, 3, 8)).toEqual([1, 2, 3])
  })

  it('moves labels apart without changing their order or leaving the plot', () => {
    const wish = fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(wish, (wishes) => {
        const placed = placeLabels(
          wishes.map((y) => ({ y })),
          14,
          200,
        )
        for (let i = 1; i < placed.length; i++) {
          expect((placed[i]?.at ?? 0) - (placed[i - 1]?.at ?? 0)).toBeGreaterThanOrEqual(14)
        }
        expect(placed[0]?.at).toBeGreaterThanOrEqual(7)
        expect(placed.at(-1)?.at).toBeLessThanOrEqual(193)
      }),
    )
  })

  it('leaves labels where they want to be when there is room', () => {
    expect(placeLabels([{ y: 100 }, { y: 50 }], 14, 200).map((l) => l.at)).toEqual([50, 100])
  })

  it('drops labels that would overlap the one before', () => {
    const items = [0, 10, 50, 55, 100].map((x) => ({ x, width: 20 }))
    expect(spacedOut(items).map((item) => item.x)).toEqual([0, 50, 100])
  })
})
