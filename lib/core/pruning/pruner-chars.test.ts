import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { argumentChars, blockText, isImageBlock, messageChars, weighedChars } from './pruner-chars'

const image = { type: 'image', data: 'AA==', mimeType: 'image/png' }
const ring: { type: string; self?: unknown } = { type: 'text' }
ring.self = ring

describe('characters as OpenClaw’s pruner weighs them', () => {
  it.each<[string, number]>([
    ['', 0],
    ['quay', 4],
    // A sign that is a token by itself counts four times, also where two units write it.
    ['岸', 4],
    ['a岸b壁', 10],
    ['\u{20000}', 4],
    ['a\u{20000}\u{2f800}', 9],
    ['가', 4],
    ['！', 4],
    // Others count as they are, also those behind the range of wide ones.
    ['é€', 2],
    ['\uff61', 1],
    ['\ue000x', 2],
    ['🚢', 2],
    ['🚢岸', 6],
    // Behind the last wide sign of two units is some room: beside a wide one the runtime takes such a sign for one unit.
    ['\u{2fa20}', 2],
    ['岸\u{2fa20}', 5],
  ])('%j weighs %i', (text, chars) => {
    expect(weighedChars(text)).toBe(chars)
  })

  it('weighs every text as if each of its signs was looked at', () => {
    const sign = fc.oneof(
      ...[
        fc.constantFrom('a', ' ', 'é', '€', '岸', '가', '！', '\u{20000}', '🚢', '\ue000'),
        fc.string({ unit: 'grapheme' }),
      ],
    )
    const slowly = (text: string) => {
      const wide = text.match(
        /[\u2E80-\u9FFF\uA000-\uA4FF\uAC00-\uD7AF\uF900-\uFAFF\uFF01-\uFF60\uFFE0-\uFFE6\u{20000}-\u{2FA1F}]/gu,
      )
      const twoUnits = wide?.filter(({ length }) => length === 2).length ?? 0
      return text.length - twoUnits + 3 * (wide?.length ?? 0)
    }
    fc.assert(
      fc.property(fc.array(sign), (signs) => {
        expect(weighedChars(signs.join(''))).toBe(slowly(signs.join('')))
      }),
    )
  })

  it.each<[number, string, object]>([
    [4, 'a text', { role: 'user', content: 'quay' }],
    [8, 'wide signs in it', { role: 'toolResult', content: '岸壁' }],
    [
      4 + 3 + 8000,
      'texts and images',
      { role: 'user', content: [{ type: 'text', text: 'quay' }, 'tug', image] },
    ],
    [8000, 'an image', { role: 'toolResult', content: [image] }],
    [0, 'what is neither', { role: 'user', content: [{ type: 'toolCall', arguments: {} }, 7, null] }],
    [0, 'content of no known shape', { role: 'user', content: { type: 'text', text: 'quay' } }],
    [4, 'a text', { role: 'assistant', content: 'quay' }],
    [0, 'content of no known shape', { role: 'assistant', content: { type: 'text', text: 'quay' } }],
    [8, 'a block of text', { role: 'assistant', content: [{ type: 'text', text: '岸壁' }, 'quay', null] }],
    [0, 'a text that is none', { role: 'assistant', content: [{ type: 'text', text: 7 }, image] }],
    [
      5 + 4,
      'thinking with its signature, and nothing else of it',
      {
        role: 'assistant',
        content: [{ type: 'thinking', thinking: 'hmmmm', thinkingSignature: 'sign', data: 'xx' }],
      },
    ],
    [
      3 + 4 + 2,
      'hidden thinking with its data',
      {
        role: 'assistant',
        content: [{ type: 'redacted_thinking', thinking: 'hmm', thinkingSignature: 'sign', data: 'xx' }],
      },
    ],
    [
      '{"path":"a"}'.length,
      'arguments of a call, without its name',
      { role: 'assistant', content: [{ type: 'toolCall', name: 'read', arguments: { path: 'a' } }] },
    ],
    [256, 'anything', { role: 'bashExecution', output: 'x'.repeat(999) }],
    [256, 'anything', { role: 'custom', content: 'x' }],
  ])('a message with this many: %i, for %s', (chars, _what, message) => {
    expect(messageChars(message as Parameters<typeof messageChars>[0])).toBe(chars)
  })

  it('arguments count as JSON; none as an empty object, and what cannot be written 128', () => {
    expect([argumentChars({ a: 'bc' }), argumentChars('text'), argumentChars(7)]).toEqual([10, 6, 1])
    expect([argumentChars(undefined), argumentChars(null), argumentChars({})]).toEqual([2, 2, 2])
    expect([argumentChars(ring), argumentChars(7n)]).toEqual([128, 128])
  })

  it('the text of a block is its own; of one without a text, its JSON', () => {
    expect(blockText('quay')).toBe('quay')
    expect(blockText({ type: 'text', text: 'quay' })).toBe('quay')
    expect(blockText({ type: 'text', text: '' })).toBe('')
    expect(blockText({ type: 'text', value: 1 })).toBe('{"type":"text","value":1}')
    expect(blockText(ring)).toBe('[malformed text block]')
    expect(blockText({ type: 'input_text', text: 'quay' })).toBe('quay')
    expect(blockText({ type: 'input_text', value: 1 })).toBe('')
    for (const other of [image, { type: 'toolCall', text: 'quay' }, { text: 'quay' }, null, 7])
      expect(blockText(other)).toBeNull()
    expect([isImageBlock(image), isImageBlock({ type: 'image_url' }), isImageBlock('image')]).toEqual([
      ...[true, true, false],
    ])
  })
})
