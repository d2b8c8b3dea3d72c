import { describe, expect, it } from 'vitest'
import { treemapTiles } from './treemap'

describe('X3 treemap', () => {
  const groups = [
    { category: 'user', items: [{ label: 'a', short: 'a', tokens: 100, seq: 1 }] },
    {
      category: 'tool-result',
      items: [
        { label: 'b', short: 'b', tokens: 250, seq: 2 },
        { label: 'c', short: 'c', tokens: 50, seq: 3 },
        { label: 'empty', short: 'empty', tokens: 0, seq: 4 },
      ],
    },
  ] as const
  const tiles = treemapTiles(groups, { width: 400, height: 200 })

  it('gives every item that holds something an area in proportion to its tokens', () => {
    expect(tiles.map((tile) => tile.label).sort()).toEqual(['a', 'b', 'c'])
    const area = (label: string) => {
      const tile = tiles.find((t) => t.label === label)
      return tile ? tile.width * tile.height : 0
    }
    expect(area('b') / area('a')).toBeCloseTo(2.5, 0)
    expect(area('a') + area('b') + area('c')).toBeGreaterThan(400 * 200 * 0.97)
  })

  it('stays inside the box and never overlaps', () => {
    for (const one of tiles) {
      expect(one.x + one.width).toBeLessThanOrEqual(400)
      expect(one.y + one.height).toBeLessThanOrEqual(200)
      for (const two of tiles) if (one !== two) expect(overlap(one, two)).toBe(false)
    }
  })

  it('is empty when nothing holds anything', () => {
    expect(treemapTiles([{ category: 'user', items: [] }], { width: 10, height: 10 })).toEqual([])
  })
})

type Box = { x: number; y: number; width: number; height: number }

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}
