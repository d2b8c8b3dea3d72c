import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RarityTable } from './rarity-table'

describe('how rare a span is', () => {
  it('falls with the workspaces that have it, from 1 to 0', () => {
    const table = new RarityTable()
    const owners = Array.from({ length: 8 }, (_, i) => `/home/me/project-${i}`)
    for (const [i, owner] of owners.entries()) {
      table.add(owner, 'everywhere')
      table.add(owner, `only in ${i}`)
      if (i < 3) table.add(owner, 'in three')
    }
    expect(table.rarity('only in 4')).toBe(1)
    expect(table.rarity('nowhere')).toBe(1)
    expect(table.rarity('everywhere')).toBeLessThan(0.05)
    expect(table.rarity('in three')).toBeGreaterThan(0.3)
    expect(table.rarity('in three')).toBeLessThan(0.7)
  })

  it('is the same in whatever order sessions come, and however often', () => {
    const pairs = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.string({ maxLength: 3 })), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(pairs, (list) => {
        const [one, other] = [new RarityTable(), new RarityTable()]
        for (const [owner, span] of list) one.add(owner, span)
        for (const [owner, span] of [...list.toReversed(), ...list]) other.add(owner, span)
        for (const [, span] of list) expect(other.rarity(span)).toBe(one.rarity(span))
      }),
      { numRuns: 25 },
    )
  })

  it('is kept for very many spans', () => {
    const table = new RarityTable()
    for (let i = 0; i < 12_000; i++) table.add('a', `span-${i}`)
    for (let i = 0; i < 12_000; i += 3) table.add('b', `span-${i}`)
    const shared = Array.from({ length: 1_000 }, (_, i) => table.rarity(`span-${3 * i}`))
    const own = Array.from({ length: 1_000 }, (_, i) => table.rarity(`span-${3 * i + 1}`))
    expect(shared.every((rarity) => rarity < 1)).toBe(true)
    expect(own.filter((rarity) => rarity === 1).length).toBeGreaterThan(995)
  })
})
