import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { madeSession } from '../../../testing/builders/replay-sessions'
import { DIGEST_LINES } from '../replay-session'
import { digestHolds } from './digest-holds'
import { RULE_NEED, shapeOf } from './session-shape'

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

  it('takes of the spans of a part, which are in the order of their holders, what it takes of all of them one by one', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 0, max: 3_000 }),
        (seed, share, tokens) => {
          const made = madeSession(seed, { chunks: 120 })
          // What files and lines take comes first, and only in a digest of all; rules are taken in another way there.
          const file = made.chunks.file.map(() => -1)
          const own = { ...made, chunks: { ...made.chunks, file }, lines: { ...made.lines, count: 0 } }
          const part = { to: Math.round(share * 120), call: own.calls.count - 1, tokens }
          const { count, kind } = own.spans
          const all = Int32Array.from({ length: count }, (_, s) => s).filter((s) => kind[s] !== RULE_NEED)
          const [found, expected] = [new Int32Array(count), new Int32Array(count)]
          digestHolds(shapeOf(own), { ...part, among: null }, found, 1)
          digestHolds(shapeOf(own), { ...part, among: { spans: all, count: all.length } }, expected, 1)
          expect(found).toEqual(expected)
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('lines that a digest takes over', () => {
  /** Of spans 0 … 3, a line each; lines are of chunks 10, 20, 30, 40. */
  function heldOf(
    kinds: readonly (typeof DIGEST_LINES)[number][],
    lineTokens: number,
    tokens: number,
  ): number[] {
    const lines = {
      count: kinds.length,
      kind: Uint8Array.from(kinds, (kind) => DIGEST_LINES.indexOf(kind)),
      chunk: Int32Array.from(kinds, (_, n) => 10 * (n + 1)),
      tokens: new Int32Array(kinds.length).fill(lineTokens),
      offset: Int32Array.from({ length: kinds.length + 1 }, (_, n) => n),
      span: Int32Array.from(kinds, (_, n) => n),
    }
    const empty = { ...session.spans, offset: new Int32Array(session.spans.count + 1) }
    const file = new Int32Array(session.chunks.count).fill(-1)
    const given = shapeOf({ ...session, lines, spans: empty, chunks: { ...session.chunks, file } })
    const held = new Int32Array(session.spans.count)
    digestHolds(given, { to: 35, call: 9, tokens, among: null }, held, 1)
    return [...held].flatMap((generation, span) => (generation === 1 ? [span] : []))
  }

  it('quotes the newest message of the user whatever it costs, and nothing of what comes later', () => {
    expect(heldOf(['newest', 'newest', 'newest', 'newest'], 5_000, 1_000)).toEqual([2])
  })

  it('takes decisions and rules newest first, as far as their shares go', () => {
    expect(heldOf(['decision', 'decision', 'decision'], 60, 1_000)).toEqual([1, 2])
    expect(heldOf(['rule', 'rule', 'rule'], 60, 1_000)).toEqual([2])
  })

  it('leaves to names what asks and decisions do not take', () => {
    const named = (lineTokens: number) => {
      const lines = {
        count: 1,
        kind: Uint8Array.of(DIGEST_LINES.indexOf('decision')),
        chunk: Int32Array.of(10),
        tokens: Int32Array.of(lineTokens),
        offset: new Int32Array(2),
        span: new Int32Array(0),
      }
      const held = new Int32Array(session.spans.count)
      digestHolds(shapeOf({ ...session, lines }), { to: 200, call: 9, tokens: 600, among: null }, held, 1)
      return held.filter((generation) => generation === 1).length
    }
    expect(named(1)).toBeGreaterThan(named(80))
  })
})
