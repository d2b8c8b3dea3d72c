import { describe, expect, it } from 'vitest'
import { parseObject } from '../transcript/json'
import { editJson, type JsonEdit } from './json-edit'
import { scanObject } from './json-scan'
import { namesOfBadLine, splitJoined, withoutStrayBytes } from './salvage'

const set = (value: string, ...path: (string | number)[]): JsonEdit => ({ set: path, value })
const remove = (...path: (string | number)[]): JsonEdit => ({ remove: path })

describe('M10 one place of a JSON text', () => {
  it.each<[string, string, JsonEdit, string]>([
    ['a text', '{"a":"x","b":2}', set('"y"', 'a'), '{"a":"y","b":2}'],
    ['a text with quotes in it', String.raw`{"a":"x\"y\\","b":"}"}`, set('1', 'a'), '{"a":1,"b":"}"}'],
    ['a number before an end', '{"a":12}', set('3', 'a'), '{"a":3}'],
    ['a number before a blank', '{"a":12 }', set('3', 'a'), '{"a":3 }'],
    ['a word', '{"a":true,"b":null}', set('false', 'b'), '{"a":true,"b":false}'],
    ['a list', '{"a":[1,[2],{"x":"]"}],"b":1}', set('[]', 'a'), '{"a":[],"b":1}'],
    ['an object', '{"a":{"b":{"c":"}"}},"d":1}', set('{}', 'a', 'b'), '{"a":{"b":{}},"d":1}'],
    ['blanks of every kind', '{\t"a"\r\n:\n 1\t}', set('2', 'a'), '{\t"a"\r\n:\n 2\t}'],
    ['an element', '[1, 2 ,3]', set('9', 1), '[1, 9 ,3]'],
    ['the first element', '[1,2]', set('9', 0), '[9,2]'],
    ['deep in lists', '{"a":[[1,2],[3,4]]}', set('9', 'a', 1, 0), '{"a":[[1,2],[9,4]]}'],
    ['a key that is written with escapes', String.raw`{"\u0061":1}`, set('2', 'a'), String.raw`{"\u0061":2}`],
    ['the last of two', '{"a":1,"a":2}', set('3', 'a'), '{"a":1,"a":3}'],
    ['a new key', '{"b":1}', set('2', 'a'), '{"a":2,"b":1}'],
    ['a new key of an empty object', '{}', set('2', 'a'), '{"a":2}'],
    ['a new key within', '{"o":{ "b":1}}', set('2', 'o', 'a'), '{"o":{ "a":2,"b":1}}'],
    ['a key with quotes', '{}', set('1', 'a"b'), String.raw`{"a\"b":1}`],
    ['nothing beyond a list', '[1]', set('9', 1), '[1]'],
    ['nothing under a name in a list', '[1]', set('9', 'a'), '[1]'],
    ['nothing under a name in a list of names', '["a",2]', set('9', 'a'), '["a",2]'],
    ['nothing beyond a list within', '{"l":[1],"m":2}', set('9', 'l', 1), '{"l":[1],"m":2}'],
    [
      'a key that is only behind its object',
      '{"o":{"b":1},"a":2}',
      set('9', 'o', 'a'),
      '{"o":{"a":9,"b":1},"a":2}',
    ],
    [
      'a key before one that is written with escapes',
      String.raw`{"a":1,"\u0062":2}`,
      set('3', 'a'),
      String.raw`{"a":3,"\u0062":2}`,
    ],
    ['nothing under a number in an object', '{"0":1}', set('9', 0), '{"0":1}'],
    ['nothing within a text', '{"a":"x"}', set('9', 'a', 'b'), '{"a":"x"}'],
    ['nothing where the way ends', '{"a":{}}', set('9', 'a', 'b', 'c'), '{"a":{}}'],
    ['nothing further on', '{"a":{}}', set('9', 'a', 'b', 'c', 'd'), '{"a":{}}'],
    ['nothing without a place', '{"a":1}', { set: [], value: '9' }, '{"a":1}'],
  ])('changes: %s', (_what, text, edit, expected) => {
    expect(editJson(text, [edit])).toBe(expected)
  })

  it.each<[string, string, JsonEdit, string]>([
    ['the only element', '[1]', remove(0), '[]'],
    ['the first element with its comma', '[1, 2,3]', remove(0), '[2,3]'],
    ['one in the middle', '[1 , 2 , 3]', remove(1), '[1 , 3]'],
    ['the last one with the comma before it', '[1 , 2 ]', remove(1), '[1  ]'],
    ['an element beyond', '[1]', remove(1), '[1]'],
    ['a member', '{"a":1,"b":2}', remove('a'), '{"b":2}'],
    ['the last member', '{"a":1, "b":2}', remove('b'), '{"a":1}'],
    ['the only member', '{ "a":1 }', remove('a'), '{  }'],
    ['all members of a name', '{"a":1,"b":2,"a":3}', remove('a'), '{"b":2}'],
    ['a member deep within', '{"o":{"a":[1],"b":2}}', remove('o', 'a'), '{"o":{"b":2}}'],
    ['no member of a list', '["a"]', remove('a'), '["a"]'],
    ['no element of an object', '{"a":1}', remove(0), '{"a":1}'],
    ['nothing where the way ends', '{"a":1}', remove('b', 'c'), '{"a":1}'],
    ['nothing without a place', '{"a":1}', { remove: [] }, '{"a":1}'],
  ])('takes out: %s', (_what, text, edit, expected) => {
    expect(editJson(text, [edit])).toBe(expected)
  })

  it('several, one after the other', () => {
    const edits = [remove('l', 2), remove('l', 0), set('"n"', 'id'), set('null', 'p')]
    expect(editJson('{"l":[1,2,3],"id":"o"}', edits)).toBe('{"p":null,"l":[2],"id":"n"}')
  })
})

describe('M10 where an object ends', () => {
  it.each([
    ['{}', 2],
    ['{"a":1}rest', 7],
    ['{"a":{"b":[]}} {', 14],
    ['{"a":"x y"}', 11],
    ['{ "a" : [ 1 , 2 ] }', 19],
    [String.raw`{"a":"\"}\\"}x`, 13],
    ['{"a":-0.5e+10,"b":true,"c":false,"d":null}', 42],
    [String.raw`{"a":"\u00e9\n"}`, 16],
    ['{\t"a":\r\n1}', 10],
    ['{"a":[{},[],"",0]}', 18],
  ])('whole: %s', (text, to) => {
    expect(scanObject(text, 0)).toEqual({ kind: 'whole', to })
    expect(scanObject(`xx${text}`, 2)).toEqual({ kind: 'whole', to: to + 2 })
  })

  it.each<[string, number, readonly [number, number] | null]>([
    ['{', 1, null],
    ['{"a"', 4, null],
    ['{"a":', 5, null],
    ['{"a":1', 6, null],
    ['{"a":1,', 7, null],
    ['{"a":1,}', 7, null],
    ['{a:1}', 1, null],
    ['{"a" 1}', 5, null],
    ['{"a":01}', 6, null],
    ['{"a":.5}', 5, null],
    ['{"a":tru}', 5, null],
    ['{"a":[1,]}', 8, null],
    ['{"a":[1}', 7, null],
    ['{"a":"x', 7, null],
    [String.raw`{"a":"\x"}`, 6, null],
    ['{"a":"\u0001"}', 6, null],
    ['{"a":"x\n,"b":1}', 7, null],
    ['{"a":{"b":1}{', 12, [5, 12]],
    ['{"a":[1] x', 9, [5, 8]],
    ['{"a":[1],"b":x', 13, null],
    ['{]', 1, null],
  ])('torn: %s at %i', (text, at, before) => {
    const expected = before === null ? null : { from: before[0], to: before[1] }
    expect(scanObject(text, 0)).toEqual({ kind: 'torn', at, before: expected })
  })
})

describe('M10 what is saved of a line', () => {
  const entry = '{"type":"message","id":"a","parentId":null}'
  const parts = (text: string) =>
    splitJoined(text).map(({ kind, from, to }) => `${kind} ${text.slice(from, to)}`)

  it.each<[string, string[]]>([
    ['', []],
    ['plain', []],
    ['7', []],
    ['{"a":1}', []],
    [entry, [`entry ${entry}`]],
    [`${entry}${entry}`, [`entry ${entry}`, `entry ${entry}`]],
    [` \0${entry}\ufffd ${entry}\ufeff`, [`entry ${entry}`, `entry ${entry}`]],
    [`x${entry}`, ['torn x', `entry ${entry}`]],
    [`${entry}x`, [`entry ${entry}`, 'torn x']],
    [`${entry} x \0${entry}`, [`entry ${entry}`, 'torn x', `entry ${entry}`]],
    [`${entry}${entry}x`, [`entry ${entry}`, `entry ${entry}`, 'torn x']],
    [`"abc ${entry}`, ['torn "abc', `entry ${entry}`]],
    [`${entry}{"id":"b","type":"custom"}`, [`entry ${entry}`, 'entry {"id":"b","type":"custom"}']],
    [`{"type":"mess${entry}`, ['torn {"type":"mess', `entry ${entry}`]],
    [
      `{"type":"message","content":[{"type":"text","text":"x"}${entry}`,
      ['torn {"type":"message","content":[{"type":"text","text":"x"}', `entry ${entry}`],
    ],
    [`{"x":1}${entry}`, ['torn {"x":1}', `entry ${entry}`]],
    [`${entry}{"type":7}`, [`entry ${entry}`, 'torn {"type":7}']],
    [
      '{"type":"from-tomorrow","id":"a","parentId":null}{"type":"reset"}',
      ['entry {"type":"from-tomorrow","id":"a","parentId":null}', 'entry {"type":"reset"}'],
    ],
  ])('%j', (text, expected) => {
    expect(parts(text)).toEqual(expected)
  })

  it.each([
    [entry, null],
    [`\0${entry}`, [1, entry.length + 1]],
    [`${entry}\ufffd\ufffd`, [0, entry.length]],
    [`\ufeff ${entry} `, [2, entry.length + 2]],
    ['\0\0', null],
    ['', null],
    ['\0[]', null],
    [`x${entry}`, null],
  ])('stray bytes around %j', (text, span) => {
    const found = withoutStrayBytes(text)
    expect(found === null ? null : [found.from, found.to]).toEqual(span)
    if (found !== null) expect(found.value).toEqual(JSON.parse(entry))
  })

  it.each([
    ['{"type":"message","id":"a","parentId":"b","mess', { id: 'a', parentId: 'b' }],
    ['{"type":"custom_message","id":"a","parentId":null', { id: 'a', parentId: null }],
    ['xx{"type":"message","id":"a","parentId":"b"', { id: 'a', parentId: 'b' }],
    ['{"type":"message","id":"a","parent', null],
    ['{"id":"a","parentId":"b"}', null],
    [String.raw`{"type":"message","id":"a\"","parentId":null`, null],
    [`{"type":"message","id":"${'a'.repeat(128)}","parentId":null`, { id: 'a'.repeat(128), parentId: null }],
    [`{"type":"message","id":"${'a'.repeat(129)}","parentId":null`, null],
    [`${' '.repeat(500)}{"type":"message","id":"a","parentId":null`, null],
  ])('names of %.60s', (text, expected) => {
    expect(namesOfBadLine(text)).toEqual(expected)
  })

  it('only an object is one', () => {
    expect(parseObject('{"a":1}')).toEqual({ a: 1 })
    for (const text of ['[]', '7', 'null', '"x"', '{', '']) expect(parseObject(text)).toBeNull()
  })
})
