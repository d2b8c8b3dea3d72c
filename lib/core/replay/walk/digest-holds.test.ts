import { describe, expect, it } from 'vitest'
import { madeSession } from '../../../testing/builders/replay-sessions'
import { digestHolds } from './digest-holds'
import { shapeOf } from './session-shape'

const session = madeSession(5, { chunks: 300 })
const shape = shapeOf(session)

function heldBy(to: number, tokens: number): number[] {
  const held = new Int32Array(session.spans.count)
  digestHolds(shape, { to, call: session.calls.count - 1, tokens, among: null }, held, 1)
  return [...held].flatMap((generation, span) => (generation === 1 ? [span] : []))
}

describe('what a digest would hold', () => {
  it('holds spans of the part it replaces alone, within its budget', () => {
    for (const [to, tokens] of [
      [50, 256],
      [150, 1000],
      [300, 2000],
    ] as const) {
      const held = heldBy(to, tokens)
      expect(held.length).toBeGreaterThan(5)
      for (const span of held) expect(session.spans.holder[session.spans.offset[span] ?? 0]).toBeLessThan(to)
      const taken = held.reduce((sum, span) => sum + (session.spans.tokens[span] ?? 0) + 1, 0)
      expect(taken).toBeLessThanOrEqual(tokens)
    }
  })

  it('holds more the larger it is, and nothing of nothing', () => {
    const sizes = [0, 256, 512, 1024, 2048].map((tokens) => heldBy(200, tokens).length)
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b))
    expect(sizes[0]).toBe(0)
    expect(heldBy(0, 2000)).toEqual([])
  })
})
