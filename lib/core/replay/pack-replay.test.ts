import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyReplay } from '../../testing/builders/any-replay'
import { packReplay, unpackReplay } from './pack-replay'
import type { ReplaySession } from './replay-session'

describe('a packed session', () => {
  it('comes back as it was, and the same session gives the same bytes', () => {
    fc.assert(
      fc.property(anyReplay(), (session) => {
        const bytes = packReplay(session)
        expect(unpackReplay(bytes)).toEqual(session)
        expect(packReplay(session)).toEqual(bytes)
      }),
      { numRuns: 25 },
    )
  })

  it('is nothing, and no fault, when it is of something else, cut short or longer than it should be', () => {
    fc.assert(
      fc.property(anyReplay(), fc.double({ min: 0, max: 1, noNaN: true }), (session, share) => {
        const bytes = packReplay(session)
        expect(unpackReplay(bytes.subarray(0, Math.floor(share * (bytes.length - 1))))).toBeNull()
        expect(unpackReplay(Uint8Array.from([...bytes, 0]))).toBeNull()
      }),
      { numRuns: 12 },
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(unpackReplay(bytes)).toBeNull()
      }),
      { numRuns: 50 },
    )
    const other = packReplay(fc.sample(anyReplay(), { numRuns: 1, seed: 1 })[0] as never)
    other[3] = 99
    expect(unpackReplay(other)).toBeNull()
  })

  it('is nothing when a number in it is of something that is not there', () => {
    const [session] = fc.sample(
      anyReplay().filter(({ needs, compactions }) => needs.source.length > 0 && compactions.length > 0),
      { numRuns: 1, seed: 4 },
    )
    if (session === undefined) throw new Error('there is one')
    const { needs, chunks, calls, spans, compactions } = session
    const first = (values: Int32Array, value: number) => values.with(0, value)
    const broken: ReplaySession[] = [
      { ...session, needs: { ...needs, source: first(needs.source, chunks.count) } },
      { ...session, needs: { ...needs, at: first(needs.at, calls.count) } },
      { ...session, needs: { ...needs, span: first(needs.span, spans.texts.length) } },
      { ...session, chunks: { ...chunks, tool: first(chunks.tool, 2) } },
      { ...session, chunks: { ...chunks, tokens: first(chunks.tokens, -1) } },
      { ...session, calls: { ...calls, model: first(calls.model, 1) } },
      { ...session, compactions: compactions.map((one) => ({ ...one, holds: [spans.texts.length] })) },
      { ...session, compactions: compactions.map((one) => ({ ...one, firstKept: chunks.count + 1 })) },
    ]
    expect(unpackReplay(packReplay(session))).not.toBeNull()
    expect(broken.map((one) => unpackReplay(packReplay(one)))).toEqual(broken.map(() => null))
  })

  it('holds no number of anything that is not there, whatever became of its bytes', () => {
    fc.assert(
      fc.property(anyReplay(), fc.nat(), fc.nat({ max: 255 }), (session, place, byte) => {
        const bytes = packReplay(session)
        bytes[place % bytes.length] = byte
        const back = unpackReplay(bytes)
        if (back === null) return
        const { needs, chunks, calls, spans, compactions } = back
        const isWithin = (values: Iterable<number>, below: number) => [...values].every((one) => one < below)
        expect(isWithin(needs.source, chunks.count)).toBe(true)
        expect(isWithin(needs.at, calls.count)).toBe(true)
        expect(isWithin(needs.span, spans.texts.length)).toBe(true)
        expect(needs.offset.at(-1)).toBe(needs.source.length)
        expect(compactions.every((one) => isWithin(one.holds, spans.texts.length))).toBe(true)
      }),
      { numRuns: 60 },
    )
  })
})
