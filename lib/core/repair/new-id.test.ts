import { expect, it } from 'vitest'
import { newId } from './new-id'

it('an id is eight hex digits, the same for the same seed, and another one where it is taken', () => {
  const taken = new Set<string>()
  for (let seed = 0; seed < 200; seed++) {
    const id = newId(String(seed), taken)
    expect(id).toMatch(/^[0-9a-f]{8}$/)
    expect(newId(String(seed), taken)).toBe(id)
    expect(taken.has(id)).toBe(false)
    taken.add(id)
    const next = newId(String(seed), taken, 'repair-')
    expect(next).toBe(`repair-${id}`)
    expect(newId(String(seed), taken)).not.toBe(id)
  }
})
