import { describe, expect, it } from 'vitest'
import { sparklinePath } from './sparkline'

const draw = (values: (number | null)[], ceiling: number | null = 100) =>
  sparklinePath({ values, ceiling, width: 90, height: 20 })

describe('sparklines', () => {
  it('spans the width and stays inside the height', () => {
    const { path, last } = draw([0, 50, 100, 900])
    expect(path).toBe('M0 19h0.01L30 10L60 1L90 1')
    expect(last).toEqual({ x: 90, y: 1 })
  })

  it('draws a gap as a gap', () => {
    const { path, last } = draw([10, null, 30, null])
    expect(path.match(/M/g)).toHaveLength(2)
    expect(path).not.toContain('L')
    expect(last).toBeNull()
  })

  it('lets the largest value set the ceiling when there is none', () => {
    expect(draw([1, 4], null).top).toBe(4)
    expect(draw([], null)).toMatchObject({ path: '', top: 0, last: null })
    expect(draw([null, null], null).path).toBe('')
  })
})
