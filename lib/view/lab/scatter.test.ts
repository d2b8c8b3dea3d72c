import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ScatterPoint } from './scatter'
import { scatterPlot } from './scatter'

const share = fc.double({ min: -0.3, max: 1, noNaN: true })
const interval = fc.tuple(share, share, share).map((three) => {
  const [low = 0, value = 0, high = 0] = three.toSorted((a, b) => a - b)
  return { low, value, high }
})
const points = fc
  .array(fc.tuple(interval, interval, fc.string({ minLength: 1, maxLength: 28 })), { maxLength: 24 })
  .map((all) =>
    all.map(
      ([x, y, label], i): ScatterPoint => ({
        ...{ key: `${i}`, number: i + 1, label, role: i === 0 ? 'oracle' : 'policy', x, y },
      }),
    ),
  )

const [WIDTH, HEIGHT] = [640, 360]

function boxes(all: readonly ScatterPoint[]) {
  return scatterPlot(all, WIDTH, HEIGHT).points.flatMap(({ name, text }) => {
    if (name === null) return []
    const width = text.length * 6.3
    const left =
      name.anchor === 'start' ? name.x : name.anchor === 'end' ? name.x - width : name.x - width / 2
    return [{ left, right: left + width, top: name.y - 7, bottom: name.y + 7 }]
  })
}

describe('policies as points', () => {
  it('have names that cover neither each other nor the edge of the drawing', () => {
    fc.assert(
      fc.property(points, (all) => {
        const placed = boxes(all)
        for (const [i, a] of placed.entries()) {
          expect(a.left).toBeGreaterThanOrEqual(0)
          expect(a.right).toBeLessThanOrEqual(WIDTH)
          for (const b of placed.slice(i + 1)) {
            const isApart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top
            expect(isApart).toBe(true)
          }
        }
      }),
    )
  })

  it('lie within the drawing with their intervals, each once', () => {
    fc.assert(
      fc.property(points, (all) => {
        const { points: placed } = scatterPlot(all, WIDTH, HEIGHT)
        expect(placed.map(({ key }) => key).toSorted()).toEqual(all.map(({ key }) => key).toSorted())
        for (const { cx, cy, left, right, top, bottom } of placed) {
          for (const x of [cx, left, right]) expect(x >= 0 && x <= WIDTH).toBe(true)
          for (const y of [cy, top, bottom]) expect(y >= 0 && y <= HEIGHT).toBe(true)
          expect(left <= cx && cx <= right && top <= cy && cy <= bottom).toBe(true)
        }
      }),
    )
  })

  const at = (value: number) => ({ value, low: value, high: value })
  const point = (over: Partial<ScatterPoint>): ScatterPoint => ({
    ...{ key: 'a', number: 1, label: 'keep 10', role: 'policy', x: at(0.2), y: at(0.9) },
    ...over,
  })

  it('that cost far more are drawn at the edge with their figure, and do not press the others together', () => {
    const { points: placed } = scatterPlot(
      [
        point({ x: at(-3), label: 'sliding' }),
        point({ key: 'b', number: 2 }),
        point({ key: 'c', x: at(0.4) }),
      ],
      WIDTH,
      HEIGHT,
    )
    const far = placed.find(({ label }) => label === 'sliding')
    expect(far).toMatchObject({ isBeyond: true, cx: 0 })
    expect(far?.text).toContain('−300')
  })

  it('have numbers for names where there is little room', () => {
    expect(scatterPlot([point({})], 260, 300).points[0]?.text).toBe('1')
    expect(scatterPlot([point({})], WIDTH, 300).points[0]?.text).toBe('1 keep 10')
  })
})
