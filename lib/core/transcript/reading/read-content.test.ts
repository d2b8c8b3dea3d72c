import { describe, expect, it } from 'vitest'
import { charsOverFour, IMAGE_UNITS } from '../../tokens/estimate'
import { FIRST_NUMBER, type LongTexts, longTextNumber, MisplacedText } from './long-texts'
import { readContent, readPlainText } from './read-content'

const PLAIN = { estimate: charsOverFour, longTexts: null }
const read = (content: unknown, most = 100) => readContent(content, 'user', PLAIN, most)
const text = (chars: number) => 'x'.repeat(chars)
const TEXT_FILE = { type: 'document', source: { type: 'text', data: text(8) } }

describe('B2 what the content of a message amounts to', () => {
  it.each<[string, unknown, object]>([
    ['a text', text(8), { user: 2 }],
    [
      'blocks, each in its category',
      [
        { type: 'text', text: text(8) },
        text(4),
        { type: 'thinking', thinking: text(12) },
        { type: 'toolCall', id: 'a', name: 'exec', arguments: { a: 1 } },
        { type: 'toolResult', toolCallId: 'a', content: [{ type: 'text', text: text(20) }] },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      ],
      { user: 3, thinking: 3, 'tool-call': 3, 'tool-result': 5, image: IMAGE_UNITS },
    ],
    [
      'thinking in parts',
      [{ type: 'reasoning', summary: [{ type: 'summary_text', text: text(8) }] }],
      { thinking: 2 },
    ],
    [
      'a message among items, its texts a line each',
      [
        {
          type: 'message',
          content: [
            { type: 'output_text', text: text(4) },
            { type: 'output_text', text: text(3) },
          ],
        },
      ],
      { user: 2 },
    ],
    ['an object is measured as it is written', { a: text(4) }, { user: 3 }],
    ['a block of an unknown type, as it is written', [{ type: 'hologram' }], { other: 5 }],
    [
      'a tool of the provider, as it is written',
      [{ type: 'server_tool_use', id: 'a', name: 'web_search', input: {} }],
      { other: 17 },
    ],
    [
      'a call without arguments is its name',
      [{ type: 'toolCall', id: 'a', name: text(8) }],
      { 'tool-call': 2 },
    ],
    [
      'arguments as a text',
      [{ type: 'function_call', call_id: 'a', name: 'exec', arguments: '{"a":1}' }],
      { 'tool-call': 3 },
    ],
    [
      'a file by its pages, begun ones too',
      [{ type: 'file', data: text(100_001) }],
      { other: 2 * IMAGE_UNITS },
    ],
    ['a file whose bytes look like a place', [{ type: 'file', data: '\u00010' }], { other: IMAGE_UNITS }],
    ['a file of one page', [{ type: 'file', data: text(100_000) }], { other: IMAGE_UNITS }],
    ['a file of bytes', [{ type: 'file', data: new Uint8Array(75_001) }], { other: 2 * IMAGE_UNITS }],
    ['a file of no bytes', [{ type: 'file', data: new Uint8Array(0) }], { other: IMAGE_UNITS }],
    ['a file of text', [TEXT_FILE], { user: 2 }],
    [
      'a file of blocks',
      [{ type: 'document', source: { type: 'content', content: [{ type: 'text', text: text(8) }] } }],
      { user: 2 },
    ],
    ['a file of text in a result', [{ type: 'toolResult', content: [TEXT_FILE] }], { 'tool-result': 2 }],
    ['what is kept for the application', [{ type: 'step-start' }], {}],
    [
      'encrypted thinking by its bytes',
      [{ type: 'reasoning', encrypted_content: text(1480) }],
      { thinking: 100 },
    ],
    ['little encrypted thinking', [{ type: 'reasoning', encrypted_content: text(9) }], { thinking: 1 }],
    ['a file that only has an address, as it is written', [{ type: 'file', url: 'https://a' }], { other: 9 }],
    ['nothing', [], {}],
    ['empty texts', [{ type: 'text', text: '' }, ''], {}],
    ['what is no content', [5, null], {}],
    ['no content', undefined, {}],
    ['a number', 5, {}],
    ['null', null, {}],
  ])('%s', (_name, content, units) => {
    expect(read(content).units).toEqual(units)
  })

  it('results within results are read four deep; what is deeper is measured as it is written', () => {
    const nested = (depth: number): unknown =>
      depth === 0 ? [{ type: 'text', text: text(8) }] : [{ type: 'toolResult', content: nested(depth - 1) }]
    expect(read(nested(4)).units).toEqual({ 'tool-result': 2 })
    const deepest = JSON.stringify({ type: 'toolResult', content: [{ type: 'text', text: text(8) }] })
    expect(read(nested(5)).units).toEqual({ 'tool-result': charsOverFour(deepest) })
  })

  it('files within files and results are read as deep; what is deeper is sized as a file', () => {
    const inResults = (depth: number): unknown =>
      depth === 0 ? [TEXT_FILE] : [{ type: 'toolResult', content: inResults(depth - 1) }]
    expect(read(inResults(3)).units).toEqual({ 'tool-result': 2 })
    expect(read(inResults(4)).units).toEqual({ other: IMAGE_UNITS })
    const fileOf = (content: unknown) => ({ type: 'document', source: { type: 'content', content } })
    const inFiles = (depth: number): unknown => (depth === 0 ? text(8) : [fileOf(inFiles(depth - 1))])
    expect(read(inFiles(4)).units).toEqual({ user: 2 })
    expect(read(inFiles(5)).units).toEqual({ other: charsOverFour(JSON.stringify(fileOf(text(8)))) })
  })

  it('encrypted thinking is not blank, and its summary alone is text', () => {
    const encrypted = { type: 'reasoning', encrypted_content: text(900) }
    expect(read([encrypted])).toMatchObject({ searchText: '', blank: false })
    const summed = { ...encrypted, summary: [{ type: 'summary_text', text: 'because' }] }
    expect(read([summed])).toMatchObject({ units: { thinking: 9 }, searchText: 'because' })
  })

  it('its calls are listed in order; one without an id has no result to wait for', () => {
    const call = (id: string | undefined, name: string) => ({ type: 'toolCall', id, name, arguments: {} })
    expect(read([call('a', 'exec'), call(undefined, 'read'), call('b', 'write')]).calls).toEqual([
      { id: 'a', name: 'exec' },
      { id: 'b', name: 'write' },
    ])
  })

  it('its images are counted', () => {
    const image = { type: 'image', data: 'AAAA' }
    expect(read([image, { type: 'text', text: 'a' }, image]).images).toBe(2)
  })

  it.each<[string, unknown, boolean]>([
    ['nothing', [], true],
    ['white space', ' \n', true],
    ['white space longer than a preview', ' '.repeat(500), true],
    ['a word behind more white space than a preview looks at', `${' '.repeat(400)}x`, false],
    ['a word', 'x', false],
    ['an image', [{ type: 'image', data: 'AAAA' }], false],
    ['a call', [{ type: 'toolCall', id: 'a', name: 'x' }], false],
    ['a call that says nothing', [{ type: 'toolCall', id: 'a' }], false],
  ])('is blank without words, calls and images: %s', (_name, content, blank) => {
    expect(read(content, 1_000).blank).toBe(blank)
    expect(readContent(content, 'user', { ...PLAIN, texts: false }, 1_000).blank).toBe(blank)
  })
})

describe('text of a message for lists and for the search', () => {
  const blocks = (...texts: string[]) => texts.map((one) => ({ type: 'text', text: one }))

  it('has a line for each piece, and no more characters than are asked for', () => {
    expect(read(blocks('one', '', 'two')).searchText).toBe('one\ntwo')
    expect(read(blocks('one', 'two'), 5).searchText).toBe('one\nt')
    expect(read(blocks('one', 'two'), 4).searchText).toBe('one\n')
    expect(read(blocks('one', 'two'), 3).searchText).toBe('one')
    expect(read(blocks('one'), 2).searchText).toBe('on')
    expect(read(blocks('one'), 0).searchText).toBe('')
  })

  it('has thinking and calls in it, and a preview on one line', () => {
    const { searchText, preview } = read([
      { type: 'thinking', thinking: 'why\nnot' },
      { type: 'toolCall', id: 'a', name: 'exec', arguments: { command: 'ls' } },
    ])
    expect(searchText).toBe('why\nnot\nexec {"command":"ls"}')
    expect(preview).toBe('why not exec {"command":"ls"}')
  })

  it('is gathered only as far as a preview needs where no search follows', () => {
    const brief = (content: unknown, most: number) =>
      readContent(content, 'user', { ...PLAIN, texts: false }, most)
    expect(brief(text(1_000), 900).searchText).toHaveLength(320)
    expect(brief(text(1_000), 320).searchText).toHaveLength(320)
    expect(brief(text(1_000), 100).searchText).toHaveLength(100)
    // The beginning says nothing, so that all is looked at.
    expect(brief(`${' '.repeat(400)}end`, 900).searchText).toHaveLength(403)
    expect(brief(text(1_000), 900).units).toEqual({ user: 250 })
  })

  it('of a summary or a command is the text itself', () => {
    const { units, searchText, preview, blank } = readPlainText('Ran `ls`', 'tool-result', PLAIN, 3)
    expect({ units, searchText, preview, blank }).toEqual({
      ...{ units: { 'tool-result': 2 }, searchText: 'Ran', preview: 'Ran', blank: false },
    })
  })
})

describe('content of which long texts were taken out', () => {
  const TEXTS = [text(400), text(200_004)]
  const longTexts: LongTexts = {
    units: (index) => charsOverFour(TEXTS[index] ?? ''),
    length: (index) => (TEXTS[index] ?? '').length,
    head: (index, length) => {
      asked.push(length)
      return (TEXTS[index] ?? '').slice(0, length)
    },
  }
  const asked: number[] = []
  const placeOf = (index: number) => `\u0001${String.fromCharCode(FIRST_NUMBER + index)}`
  const taken = (content: unknown, most = 10) =>
    readContent(content, 'user', { estimate: charsOverFour, longTexts }, most)

  it('a stand-in is two characters, the first of which no text begins with', () => {
    expect([placeOf(0), placeOf(1), 'x0', '\u0001', '\u000100', ''].map(longTextNumber)).toEqual([
      0, 1, -1, -1, -1, -1,
    ])
  })

  it('has their size, and as much of their beginning as there is room for', () => {
    asked.length = 0
    expect(
      taken([
        { type: 'text', text: 'abcd' },
        { type: 'text', text: placeOf(0) },
      ]),
    ).toMatchObject({
      units: { user: 101 },
      searchText: `abcd\n${text(5)}`,
    })
    expect(
      taken([
        { type: 'text', text: text(10) },
        { type: 'thinking', thinking: placeOf(0) },
      ]),
    ).toMatchObject({
      units: { user: 3, thinking: 100 },
      searchText: text(10),
    })
    expect(asked).toEqual([6])
  })

  it('a file has as many pages as its whole text', () => {
    expect(taken([{ type: 'file', data: placeOf(1) }]).units).toEqual({ other: 3 * IMAGE_UNITS })
    expect(taken([{ type: 'file', data: text(8) }]).units).toEqual({ other: IMAGE_UNITS })
  })

  it('encrypted thinking is sized by its whole bytes, and read with all texts where its summary was taken', () => {
    const thinking = (index: number, ...summary: string[]) => [
      {
        type: 'reasoning',
        encrypted_content: index < 0 ? text(1480) : placeOf(index),
        summary: summary.map((one) => ({ type: 'summary_text', text: one })),
      },
    ]
    expect(taken(thinking(1, 'because'))).toMatchObject({
      units: { thinking: 31_364 },
      searchText: 'because',
    })
    expect(taken(thinking(-1)).units).toEqual({ thinking: 100 })
    expect(() => taken(thinking(1, placeOf(0)))).toThrow(MisplacedText)
    expect(read(thinking(1, placeOf(0)))).toMatchObject({ units: { thinking: 1 }, searchText: placeOf(0) })
  })

  it.each<[string, unknown]>([
    ['arguments of a call', [{ type: 'toolCall', id: 'a', name: 'x', arguments: { text: placeOf(0) } }]],
    ['a block of an unknown type', [{ type: 'hologram', text: placeOf(0) }]],
    ['an object', { text: placeOf(0) }],
    ['a message among items', [{ type: 'message', content: [{ type: 'text', text: placeOf(0) }] }]],
    ['thinking in parts', [{ type: 'reasoning', summary: [{ type: 'summary_text', text: placeOf(0) }] }]],
  ])('is read with all texts where one is needed itself: %s', (_name, content) => {
    expect(() => taken(content)).toThrow(MisplacedText)
  })

  it('what only looks like a stand-in is a text, where none was taken out', () => {
    expect(read([{ type: 'message', content: [{ type: 'text', text: placeOf(0) }] }]).units).toEqual({
      user: 1,
    })
    expect(read([{ type: 'hologram', text: placeOf(0) }]).units).toEqual({ other: 9 })
    expect(read([{ type: 'file', data: placeOf(0) }]).units).toEqual({ other: IMAGE_UNITS })
    expect(read(placeOf(0)).searchText).toBe(placeOf(0))
  })

  it('is read as it is where none was needed itself', () => {
    expect(taken([{ type: 'hologram' }]).units).toEqual({ other: 5 })
    expect(taken([{ type: 'toolCall', id: 'a', name: 'exec', arguments: {} }]).units).toEqual({
      'tool-call': 2,
    })
    expect(taken([{ type: 'message', content: [{ type: 'text', text: text(8) }] }]).units).toEqual({
      user: 2,
    })
  })
})
