import { describe, expect, it } from 'vitest'
import { AskedLikeness } from './asked-likeness'

const long = (words: string) => `${words} `.repeat(Math.ceil(200 / words.length))

describe('likeness to what a user asked', () => {
  it('is of all that came up to the next message, each with its number and none before the first', () => {
    const likeness = new AskedLikeness()
    likeness.add(0, long('colours of the footer'))
    likeness.ask('make the footer blue')
    likeness.add(1, 'footer')
    likeness.add(2, long('an unrelated listing'))
    likeness.add(3, long('the footer is blue now'))
    likeness.ask('what about the listing')
    const { offset, chunk, value } = likeness.finish()
    expect(Array.from(offset)).toHaveLength(4)
    expect([offset[0], offset[1]]).toEqual([0, 0])
    const alike = (message: number) => Array.from(chunk.subarray(offset[message], offset[message + 1]))
    expect(alike(1)).toEqual([0, 3])
    expect(alike(2)).toContain(2)
    const blue = value[1] as number
    expect(blue).toBeGreaterThan(value[0] as number)
  })

  it('is unknown in a session with very many messages', () => {
    const likeness = new AskedLikeness()
    for (let i = 0; i < 601; i++) likeness.ask(`message ${i}`)
    likeness.add(0, long('message'))
    const { offset, chunk } = likeness.finish()
    expect([offset.length, chunk.length]).toEqual([603, 0])
  })
})
