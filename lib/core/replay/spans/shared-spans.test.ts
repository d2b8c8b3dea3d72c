import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rarityOf, SharedSpanCount } from './shared-spans'
import { sortedHashes, spanHash } from './span-hash'

const hashesOf = (...spans: string[]) => sortedHashes(Uint32Array.from(spans, spanHash))

describe('L2 how common spans are over sessions', () => {
  it('rarity falls with the owners that have a span, from 1 to 0; sessions of one owner count once', () => {
    const count = new SharedSpanCount()
    for (let i = 0; i < 8; i++) {
      const spans = ['everywhere', `only in ${i}`, ...(i < 3 ? ['in three'] : [])]
      count.add(`/home/me/project-${i}`, hashesOf(...spans))
      count.add(`/home/me/project-${i}`, hashesOf(`only in ${i}`))
    }
    const shared = count.finish()
    const rarity = (span: string) => rarityOf(shared, spanHash(span))
    expect([shared.owners, shared.hashes.length, shared.counted]).toEqual([8, 2, 1])
    expect([rarity('only in 4'), rarity('nowhere'), rarity('everywhere')]).toEqual([1, 1, 0])
    expect(rarity('in three')).toBeCloseTo(1 - Math.log(3) / Math.log(8), 3)
  })

  it('of one owner everything is rare', () => {
    const count = new SharedSpanCount()
    count.add('a', hashesOf('x', 'y'))
    count.add('a', hashesOf('x'))
    expect(count.finish()).toMatchObject({ owners: 1, hashes: new Uint32Array() })
  })

  it('is the same in whatever order sessions come, and how many spans there are is bounded', () => {
    const session = fc.tuple(
      fc.constantFrom('a', 'b', 'c'),
      fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 40 }),
    )
    fc.assert(
      fc.property(
        fc.array(session, { maxLength: 12 }),
        fc.integer({ min: 8, max: 400 }),
        (sessions, most) => {
          const of = (list: typeof sessions) => {
            const count = new SharedSpanCount(most)
            for (const [owner, spans] of list) count.add(owner, hashesOf(...spans.map((n) => `span ${n}`)))
            return count.finish()
          }
          const one = of(sessions)
          expect(of([...sessions.toReversed(), ...sessions])).toEqual(one)
          expect(one.hashes.length).toBeLessThanOrEqual(most / 2)
          if (one.counted === 1 && one.owners > 1) {
            const ownersOf = (n: number) =>
              new Set(sessions.flatMap(([owner, spans]) => (spans.includes(n) ? owner : []))).size
            for (let n = 0; n <= 200; n += 20)
              expect(rarityOf(one, spanHash(`span ${n}`))).toBeCloseTo(
                1 - Math.log(Math.max(1, ownersOf(n))) / Math.log(8),
                2,
              )
          }
        },
      ),
      { numRuns: 40 },
    )
  })

  it('keeps the smallest of very many hashes, each once', () => {
    expect([...sortedHashes(Uint32Array.of(9, 3, 3, 0xffffffff, 7), 3)]).toEqual([3, 7, 9])
  })
})
