import { describe, expect, it } from 'vitest'
import { lockedChanges } from './web-lock'

const hooks = (value: unknown) => ({ hooks: value })

describe('two versions of a settings file say the same', () => {
  it.each([
    [
      { a: 1, b: [2] },
      { b: [2], a: 1 },
    ],
    [{ a: 1, b: '' }, { a: 1 }],
    [{ a: 1, b: {}, c: [], d: null }, { a: 1 }],
    [{ a: '' }, null],
    [{ a: [null, 1] }, { a: ['', 1] }],
  ])('%j and %j', (before, after) => {
    expect(lockedChanges(hooks(before), hooks(after))).toEqual([])
    expect(lockedChanges(hooks(after), hooks(before))).toEqual([])
  })

  it.each([
    [{ a: 1 }, { a: '1' }],
    [{ a: [1, 2] }, { a: [2, 1] }],
    [{ a: [null, 1] }, { a: [1] }],
    [{ a: false }, {}],
    [{ a: 0 }, { a: null }],
    [{ a: [''] }, { a: [] }],
    [{ a: 1 }, JSON.parse('{ "a": 1, "__proto__": { "b": 2 } }')],
  ])('not %j and %j', (before, after) => {
    expect(lockedChanges(hooks(before), hooks(after))).toEqual([{ keys: ['hooks'], wanted: after }])
  })
})
