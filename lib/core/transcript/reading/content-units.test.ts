import { describe, expect, it } from 'vitest'
import { IMAGE_UNITS } from '../../tokens/estimate'
import { contentUnits, readContent } from './read-content'

/** Sees when it is asked about nothing. */
const estimate = (text: string) => text.length + 1
const text = (said: unknown, more: object = {}) => ({ type: 'text', text: said, ...more })
const call = (more: object) => ({ type: 'toolCall', id: 'a', name: 'ls', ...more })

const BLOCKS: readonly [string, unknown, number][] = [
  ['a text', text('abcd'), 5],
  ['a bare text', 'abcd', 5],
  ['an empty text', text(''), 0],
  ['a bare empty text', '', 0],
  ['a text that is none', text(5), 0],
  ['a text of parts', text('abcd', { content: [text('ab'), text('cd')] }), 6],
  ['a call without arguments', call({}), 3],
  ['a call with an object', call({ arguments: { a: 1 } }), 11],
  ['a call with a text', call({ arguments: 'a' }), 5],
  ['a call without a name and arguments', { type: 'toolCall' }, 0],
  ['a call with a text beside', call({ text: 'abcdef' }), 3],
  ['an image with a text beside', { type: 'image', text: 'abcdef' }, IMAGE_UNITS],
  ['thinking', { type: 'thinking', thinking: 'abcd' }, 5],
  ['an image', { type: 'image', data: 'AA' }, IMAGE_UNITS],
  ['a result', { type: 'toolResult', content: [text('abcd'), 'ab'] }, 8],
  ['no block', 5, 0],
  ['nothing', null, 0],
]

describe('B2 the units of content of all categories together', () => {
  it.each<[string, unknown, number]>([
    ['a text', 'abcd', 5],
    ['an empty text', '', 0],
    ['an object', { a: 1 }, 8],
    ['no blocks', [], 0],
    ['no content', undefined, 0],
    ...BLOCKS.map(([name, block, units]) => [`${name} alone`, [block], units] as [string, unknown, number]),
    ['all of them', BLOCKS.map(([, block]) => block), BLOCKS.reduce((sum, [, , units]) => sum + units, 0)],
  ])('of %s are those of its parts', (_name, content, units) => {
    expect(contentUnits(content, estimate)).toBe(units)
    const facts = readContent(content, 'user', { estimate, longTexts: null }, 0)
    expect(Object.values(facts.units).reduce((sum, one) => sum + one, 0)).toBe(units)
  })

  it('are none of an estimator that sizes less than nothing', () => {
    expect(contentUnits([text('a'), { type: 'thinking', thinking: 'b' }], () => -1)).toBe(0)
    expect(readContent([text('a')], 'user', { estimate: () => 0, longTexts: null }, 0).units).toEqual({})
  })
})
