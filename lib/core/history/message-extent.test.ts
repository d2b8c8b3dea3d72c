import { describe, expect, it } from 'vitest'
import { extentOf, extentOfAll } from './message-extent'

/** A text so many objects deep. */
function nested(depth: number, text: string): { readonly in?: unknown } {
  let value: unknown = text
  for (let i = 0; i < depth; i += 1) value = { in: value }
  return value as { readonly in?: unknown }
}

describe('B2 how much a message holds', () => {
  it.each([
    [{}, 1],
    [{ a: 'abc' }, 5],
    [{ a: null, b: 7, c: undefined }, 7],
    [{ a: ['ab', 'c'] }, 6],
    [{ a: [] }, 3],
    [{ a: { b: 'xy' } }, 6],
    // Bytes are as long as they are, and are not looked at one by one.
    [{ a: new Uint8Array(10) }, 12],
  ])('of %j is the texts and one for each field, block and value', (message, extent) => {
    expect(extentOf(message)).toBe(extent)
  })

  it('is another when a text within a block has grown in place, or a block was added', () => {
    const block = { type: 'text', text: 'See.' }
    const message = { role: 'assistant', content: [block] }
    const before = extentOf(message)
    block.text += ' And'
    expect(extentOf(message)).toBe(before + 4)
    message.content.push({ type: 'text', text: '' })
    expect(extentOf(message)).toBeGreaterThan(before + 4)
  })

  it('looks eight levels deep and no deeper, so that one which holds itself has an end', () => {
    expect(extentOf(nested(8, 'abc'))).toBe(extentOf(nested(8, 'a')) + 2)
    expect(extentOf(nested(9, 'abc'))).toBe(extentOf(nested(9, 'a')))
    const self: { me?: unknown } = {}
    self.me = self
    expect(extentOf(self)).toBe(17)
    const list: unknown[] = []
    list.push(list)
    expect(extentOf({ list })).toBe(10)
  })

  it('of several is that of each, and none of none', () => {
    expect(extentOfAll([])).toBe(0)
    expect(extentOfAll([{ a: 'abc' }, { a: ['ab', 'c'] }])).toBe(5 + 6)
  })
})
