import { describe, expect, it } from 'vitest'
import { callColumns } from '../../testing/builders/call-columns'
import { framesGeometry } from './frames-geometry'
import { reduceFrames } from './frames-series'

const SIZE = { width: 100, height: 100, top: 100 }

function geometryOf(calls: Parameters<typeof callColumns>[0], columns = 100) {
  return framesGeometry(reduceFrames(callColumns(calls), { from: 1, to: calls.length }, columns), SIZE)
}

describe('X3 the stacked area as paths', () => {
  it('stacks categories in their order, the first one at the bottom and painted last', () => {
    const { layers } = geometryOf([{ tokens: { user: 30, 'system-prompt': 20 } }])
    expect(layers.map((layer) => layer.category)).toEqual(['user', 'system-prompt'])
    expect(layers[1]?.area).toBe('M0 100V80H100V100Z')
    expect(layers[0]?.area).toBe('M0 100V50H100V100Z')
  })

  it('draws a call as a column of constant height', () => {
    const { measured } = geometryOf([{ tokens: { user: 10 } }, { tokens: { user: 60 } }])
    expect(measured).toBe('M0 90H50V40H100')
  })

  it('breaks every path at an unknown total instead of falling to zero', () => {
    const geometry = geometryOf([
      { tokens: { user: 10 } },
      { total: null },
      { tokens: { user: 10 } },
      { total: null },
    ])
    expect(geometry.layers[0]?.area).toBe('M0 100V90H25V100ZM50 100V90H75V100Z')
    expect(geometry.gaps).toEqual([
      [25, 25],
      [75, 25],
    ])
  })

  it('does not draw estimated tokens of a call whose total is unknown', () => {
    expect(geometryOf([{ total: null, tokens: { user: 10 } }]).layers).toEqual([])
  })

  it('tells measured totals from estimated ones', () => {
    const geometry = geometryOf([{ tokens: { user: 10 } }, { tokens: { user: 20 }, basis: 'e' }])
    expect(geometry.measured).toBe('M0 90H50')
    expect(geometry.estimated).toBe('M50 80H100')
  })

  it('shows how far reduced calls went, and nothing when no call was left out', () => {
    expect(geometryOf([{ total: 20 }, { total: 70 }, { total: 40 }], 1).range).toBe('M50 80V30')
    expect(geometryOf([{ total: 20 }, { total: 70 }]).range).toBe('')
  })

  it('parts layers along their level edges only', () => {
    const { layers } = geometryOf([{ tokens: { user: 10 } }, { tokens: { user: 60 } }])
    expect(layers[0]?.edge).toBe('M0 90H50M50 40H100')
  })

  it('B5 marks what was sent above what the provider saw, call by call', () => {
    const geometry = geometryOf([
      { total: 30 },
      { total: 60, basis: 'e', seenTokens: 40 },
      { total: 60, basis: 'e', seenTokens: 40 },
      { total: 90, basis: 'e', seenTokens: 40 },
    ])
    expect(geometry.unseen).toBe('M25 60V40H75V60ZM75 60V10H100V60Z')
  })

  it('B5 marks nothing where no prompt was cut, nothing was lost, or the total is unknown', () => {
    expect(
      geometryOf([{ total: 30 }, { total: 30, seenTokens: 30 }, { total: null, seenTokens: 30 }]).unseen,
    ).toBe('')
  })

  it('keeps what is above the upper edge inside the plot', () => {
    expect(geometryOf([{ tokens: { user: 250 } }]).measured).toBe('M0 0H100')
  })
})
