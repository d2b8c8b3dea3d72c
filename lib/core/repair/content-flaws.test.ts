import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../transcript/json'
import { type ContentFlaws, findContentFlaws, hasLoneSurrogate, isTooDeep } from './content-flaws'

const text = (value: string) => ({ type: 'text', text: value })
const call = (over: JsonObject = {}) => ({ type: 'toolCall', id: 'c1', name: 'ls', arguments: {}, ...over })
const image = (data: unknown) => ({ type: 'image', data, mimeType: 'image/png' })

const user = (...content: unknown[]) => ({ role: 'user', content })
const answer = (...content: unknown[]) => ({ role: 'assistant', stopReason: 'stop', content })
const failed = (...content: unknown[]) => ({ role: 'assistant', stopReason: 'error', content })

const CONTENT = ['message', 'content']
const cut = (...indexes: number[]) => indexes.map((index) => ({ remove: [...CONTENT, index] }))
const whole = (...texts: string[]) => [
  { set: CONTENT, value: JSON.stringify(texts.map((one) => ({ type: 'text', text: one }))) },
]

const FAILED_TEXT = '[assistant turn failed before producing content]'

const nothing = (message: JsonObject) => {
  expect(findContentFlaws(message, 'late')).toBeNull()
}
const found = (flaws: readonly string[], edits: readonly unknown[], more: Partial<ContentFlaws> = {}) => ({
  flaws,
  edits,
  calls: [],
  empty: false,
  ...more,
})

describe('M10 what is wrong with the content of a message', () => {
  it.each<[string, JsonObject]>([
    ['a text of the user', { role: 'user', content: 'hi' }],
    ['a blank text of anybody else', { role: 'assistant', content: ' ' }],
    ['content that is neither a text nor a list', { role: 'user', content: { text: 'hi' } }],
    ['blocks with words', user(text('hi'), text('é'), text(' hi'))],
    ['blank words of an answer', answer(text(' '), text('hi'))],
    ['an answer without blocks that did not fail', answer()],
    [
      'a result without blocks, whatever it says about a failure',
      { role: 'toolResult', stopReason: 'error', content: [] },
    ],
    ['an answer that was stopped before its first word', { ...answer(), stopReason: 'aborted' }],
    ['bare texts among the blocks', user('hi', text('there'))],
    ['thinking, and blocks that are not known', answer({ type: 'thinking' }, { type: 'from-tomorrow' })],
    ['a call that somebody else than the model names', user(text('see'), call({ id: undefined }))],
    ['a message of another role without content', { role: 'bashExecution', command: 'ls' }],
    ['images that can be decoded', user(image('aGk='), image('aG-_'), image('aG\nk=\r\n'))],
    ['an image that only has an address', user({ type: 'image', url: 'https://example.com/a.png' })],
  ])('nothing: %s', (_what, message) => nothing(message))

  it.each<[string, JsonObject, ContentFlaws | object]>([
    [
      'a user without content gets the words of OpenClaw',
      { role: 'user' },
      found(['no-content'], whole('(continue)')),
    ],
    [
      'an answer without content gets none',
      { role: 'assistant' },
      found(['no-content'], [{ set: CONTENT, value: '[]' }]),
    ],
    [
      'an answer that failed without content says so',
      { role: 'assistant', content: null, stopReason: 'error' },
      found(['no-content'], whole(FAILED_TEXT)),
    ],
    [
      'a result without content gets none, whatever it says about a failure',
      { role: 'toolResult', content: null, stopReason: 'error' },
      found(['no-content'], [{ set: CONTENT, value: '[]' }]),
    ],
    [
      'a custom message without content gets none',
      { role: 'custom' },
      found(['no-content'], [{ set: CONTENT, value: '[]' }]),
    ],
    [
      'a blank text of the user stays a text',
      { role: 'user', content: '\n ' },
      found(['blank-user'], [{ set: CONTENT, value: '"(continue)"' }]),
    ],
    [
      'blank blocks of the user go, the last one first, as places move',
      user(text(''), text('hi'), text('\t')),
      found(['blank-user'], cut(2, 0)),
    ],
    [
      'where nothing else is left, the user says to go on',
      user(text(' ')),
      found(['blank-user'], whole('(continue)')),
    ],
    [
      'blanks that are not ASCII are blank too',
      user(text('\u00a0\u2003')),
      found(['blank-user'], whole('(continue)')),
    ],
    ['an empty list of the user is blank too', user(), found(['blank-user'], whole('(continue)'))],
    [
      'what is no block goes, and what is left is looked at',
      user(null, 7, [], text('hi')),
      found(['broken-block'], cut(2, 1, 0)),
    ],
    [
      'a block of text without a text goes',
      answer(text('hi'), { type: 'text', text: 7 }),
      found(['broken-block'], cut(1)),
    ],
    [
      'a user of whom only broken blocks are left says to go on',
      user({ type: 'text' }),
      found(['broken-block', 'blank-user'], whole('(continue)')),
    ],
    ['an answer of broken blocks alone is left empty', answer(null), found(['broken-block'], cut(0))],
    [
      'a failed answer that is left empty says that it failed',
      failed(null),
      found(['broken-block', 'empty-error-turn'], whole(FAILED_TEXT)),
    ],
    ['a failed answer without blocks says so', failed(), found(['empty-error-turn'], whole(FAILED_TEXT))],
    [
      'an image that cannot be decoded is replaced where it is',
      user(text('see'), image('%%%')),
      found(
        ['broken-image'],
        [
          {
            set: [...CONTENT, 1],
            value: JSON.stringify(text('[image omitted: corrupted base64 payload]')),
          },
        ],
      ),
    ],
    [
      'blocks of any kind are looked at, also those that have a text as well',
      answer({ ...image('%%%'), text: 'x' }, { ...call(), text: 'x' }),
      found(['broken-image'], [{ set: [...CONTENT, 0], value: expect.stringContaining('corrupted') }], {
        calls: [{ id: 'c1', name: 'ls' }],
      }),
    ],
    [
      'replacements come before removals, which move places',
      user(null, image('')),
      found(
        ['broken-block', 'broken-image'],
        [{ set: [...CONTENT, 1], value: expect.stringContaining('corrupted') }, ...cut(0)],
      ),
    ],
    [
      'calls are answered with their trimmed names, and nothing is changed',
      answer(text('look'), call({ name: ' ls ' }), call({ id: 'c2', name: 'cat' })),
      found([], [], {
        calls: [
          { id: 'c1', name: 'ls' },
          { id: 'c2', name: 'cat' },
        ],
      }),
    ],
    ['a call without an id goes', answer(text('hm'), call({ id: '' })), found(['incomplete-call'], cut(1))],
    [
      'a second call with the id of the first goes',
      answer(call(), call({ name: 'cat' })),
      found(['incomplete-call'], cut(1), { calls: [{ id: 'c1', name: 'ls' }] }),
    ],
    [
      'nothing is left of an answer whose only call is broken',
      answer(call({ arguments: undefined })),
      found(['incomplete-call'], cut(0), { empty: true }),
    ],
    [
      'a turn that failed keeps its broken calls, except for those without an id',
      failed(call({ name: '' }), call({ id: 'c2', arguments: null }), call({ id: '' })),
      found([], [], {
        calls: [
          { id: 'c1', name: '' },
          { id: 'c2', name: 'ls' },
        ],
      }),
    ],
    [
      'and so does one that was stopped',
      { ...answer(call({ name: 'a b' })), stopReason: 'aborted' },
      found([], [], { calls: [{ id: 'c1', name: 'a b' }] }),
    ],
  ])('%s', (_what, message, expected) => {
    expect(findContentFlaws(message, 'late')).toEqual(expected)
  })

  it('a failed answer that carries a checkpoint of its provider stays empty: the checkpoint is its content', () => {
    const providerReplay = {
      type: 'openai-responses-compaction',
      provider: 'openai',
      api: 'openai-responses',
      model: 'gpt',
      items: [{ type: 'compaction', encrypted_content: 'x' }],
    }
    nothing({ ...failed(), providerReplay })
  })

  it.each<[string, JsonObject, 'both' | 'late' | 'none']>([
    ['a plain call', call(), 'both'],
    ['no id', call({ id: '' }), 'none'],
    ['no input', call({ arguments: undefined }), 'none'],
    ['no name', call({ name: '' }), 'none'],
    ['a name with a blank inside', call({ name: 'a b' }), 'none'],
    ['a name with blanks around it', call({ name: ' ls ' }), 'late'],
    ['a name with a dot and a colon', call({ name: 'fs:read.file' }), 'late'],
    ['a name of 64 characters', call({ name: 'a'.repeat(64) }), 'both'],
    ['a name of 65 characters', call({ name: 'a'.repeat(65) }), 'late'],
  ])('which generation takes a call: %s', (_what, block, takenBy) => {
    const takes = (rules: 'early' | 'late') =>
      findContentFlaws(answer(text('x'), block), rules)?.flaws.includes('incomplete-call') === false
    expect(takes('late')).toBe(takenBy !== 'none')
    expect(takes('early')).toBe(takenBy === 'both')
  })

  it('a call of which only a part arrived is broken by the rules of late runtimes, and whole by those of early ones', () => {
    const message = answer(text('x'), call({ partialJson: '{"a"' }))
    expect(findContentFlaws(message, 'late')?.flaws).toEqual(['incomplete-call'])
    expect(findContentFlaws(message, 'early')?.flaws).toEqual([])
  })

  it.each([
    ['', false],
    ['a', false],
    ['ab', true],
    ['abc', true],
    ['abcd', true],
    ['abcde', false],
    ['ab==', true],
    ['abc=', true],
    ['a===', false],
    ['=abc', false],
    ['ab=c', false],
    ['ab\n c\td', true],
    ['+/-_', true],
    ['a.cd', false],
  ])('image data %j can be decoded: %s', (data, isGood) => {
    expect(findContentFlaws(user(image(data)), 'late')?.flaws ?? []).toEqual(isGood ? [] : ['broken-image'])
  })
})

describe('M10 nesting that cannot be written again', () => {
  const lists = (depth: number): unknown => (depth === 0 ? 1 : [lists(depth - 1)])
  const objects = (depth: number): unknown => (depth === 0 ? null : { a: 1, b: objects(depth - 1) })

  it.each([
    [1, false],
    [1000, false],
    [1001, true],
  ])('%i lists or objects within each other: %s', (depth, isDeep) => {
    expect(isTooDeep(lists(depth))).toBe(isDeep)
    expect(isTooDeep(objects(depth))).toBe(isDeep)
  })

  it('looks into every part, and a thing without parts is not deep', () => {
    expect(isTooDeep([1, 'a', null, [], {}, [[[]]]], 2)).toBe(true)
    expect(isTooDeep({ a: 'x', b: null, c: { d: { e: {} } } }, 3)).toBe(true)
    expect(isTooDeep([[], [], []], 2)).toBe(false)
    for (const plain of [null, undefined, 1, 'text', true]) expect(isTooDeep(plain, 0)).toBe(false)
  })
})

describe('M10 halves of characters', () => {
  it.each([
    ['a pair', String.raw`"\ud83d\udea2"`, false],
    ['a pair in capitals', String.raw`"\uD83D\uDEA2"`, false],
    ['the first half alone', String.raw`"\ud83d"`, true],
    ['the first half before another character', String.raw`"\ud83d\u0041"`, true],
    ['the second half alone', String.raw`"\udea2"`, true],
    ['two second halves', String.raw`"\ud83d\udea2\udea2"`, true],
    ['the second half behind a letter', String.raw`"x\uDEA2"`, true],
    ['a backslash that is escaped itself', String.raw`"\\ud83d"`, false],
    ['a half behind an escaped backslash', String.raw`"\\\ud83d"`, true],
    ['any other escape', String.raw`"\u0041\n"`, false],
    ['no escape at all', '"🚢"', false],
  ])('%s', (_what, json, isLone) => {
    expect(hasLoneSurrogate(json)).toBe(isLone)
  })
})
