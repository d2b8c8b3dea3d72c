import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editJson } from './json-edit'

describe('M10 changing a line in one place only', () => {
  it('leaves everything else as it was written', () => {
    const text =
      '{ "id":"a", "n":1e400, "big":12345678901234567890, "s":"\\u0041\\"}", "parentId" : "x" ,"id":"b" }\r'
    expect(editJson(text, [{ set: ['parentId'], value: 'null' }])).toBe(text.replace('"x"', 'null'))
    expect(editJson(text, [{ set: ['id'], value: '"c"' }])).toBe(text.replace('"b"', '"c"'))
  })

  it('adds a key that is not there, also to an empty object', () => {
    expect(editJson('{"a":1}', [{ set: ['b'], value: '2' }])).toBe('{"b":2,"a":1}')
    expect(editJson('{ }', [{ set: ['b'], value: '2' }])).toBe('{ "b":2}')
    expect(editJson('{"a":1}', [{ set: ['x', 'b'], value: '2' }])).toBe('{"a":1}')
  })

  it('takes elements out of lists, with their commas', () => {
    const edit = (index: number) => editJson('{"l":[1, {"x":"],"} ,3]}', [{ remove: ['l', index] }])
    expect([edit(0), edit(1), edit(2), edit(3)].map((text) => JSON.parse(text).l)).toEqual([
      [{ x: '],' }, 3],
      [1, 3],
      [1, { x: '],' }],
      [1, { x: '],' }, 3],
    ])
  })

  it('does to the text what assigning does to the value, for any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.string(), fc.nat(3), (inner, value, key, at) => {
        fc.pre(key !== '__proto__')
        const holder = { before: [inner], [key]: inner, list: [inner, inner, inner], after: { [key]: 1 } }
        for (const space of [undefined, 2]) {
          const text = JSON.stringify(holder, null, space)
          const set = JSON.parse(editJson(text, [{ set: [key], value: JSON.stringify(value) }]))
          expect(set).toEqual(JSON.parse(JSON.stringify({ ...holder, [key]: value })))
          if (key === 'list') continue
          const removed = JSON.parse(editJson(text, [{ remove: ['list', at] }]))
          expect(removed.list).toEqual(JSON.parse(text).list.toSpliced(at, 1))
        }
      }),
    )
  })

  it('follows deep nesting without using up the stack', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    expect(editJson(`{"d":${deep},"id":"a"}`, [{ set: ['id'], value: '"b"' }])).toBe(`{"d":${deep},"id":"b"}`)
  })
})
