import { describe, expect, it } from 'vitest'
import { chunkOfNote, contentOfNote } from '../core/cold/place-back'
import type { MessageForm } from '../core/summary/message-form'
import type { SourceMessage } from '../core/summary/source-message'
import { contextMessage, contextMessages, promptOf } from './context-message'

type Message = {
  readonly role: string
  readonly text: string
  readonly calls?: readonly { readonly id: string }[]
  readonly resultFor?: string
  readonly source?: Partial<SourceMessage> | null
  readonly at?: number
  readonly marked?: boolean
  readonly id?: string
  readonly summary?: boolean
}

const form: MessageForm<Message> = {
  tokensOf: ({ text }) => text.length,
  toSource: ({ role, text, source }, index) =>
    source === null
      ? null
      : {
          ...{ entryId: `m${index}`, line: index + 1, text, calls: [], images: 0 },
          role: role === 'user' || role === 'assistant' || role === 'toolResult' ? role : 'other',
          ...source,
        },
  fromText: (text) => ({ role: 'user', text, summary: true }),
  isSummary: ({ summary }) => summary === true,
  idOf: ({ id }) => id ?? null,
  at: ({ at }) => at ?? null,
  isImportant: ({ marked }) => marked === true,
}
const user = (text: string, more: Partial<Message> = {}): Message => ({ role: 'user', text, ...more })

describe('H2 a message as chunks are made of it', () => {
  it('says what it says, how large and old it is, and what it answers', () => {
    expect(contextMessage(form, user('hello', { id: 'x', at: 7 }), 0)).toEqual({
      ...{ entryId: 'x', role: 'user', text: 'hello', calls: [], tokens: 5, at: 7, important: false },
    })
    const result = { role: 'toolResult', text: 'r', resultFor: 'c', source: { isError: true } } as const
    expect(contextMessage(form, result, 0)).toMatchObject({
      role: 'toolResult',
      resultFor: 'c',
      isError: true,
      at: null,
    })
    const named = contextMessage(form, { ...result, source: { resultFor: 'own' } }, 0)
    expect(named).toMatchObject({ resultFor: 'own' })
    expect('isError' in named).toBe(false)
    expect('resultFor' in contextMessage(form, user('x'), 0)).toBe(false)
  })

  it('is known by what it says where the agent has no name for it', () => {
    const [one, same, other] = [user('a'), user('a'), user('b')].map(
      (message) => contextMessage(form, message, 0).entryId,
    )
    expect(one).toBe(same)
    expect(one).not.toBe(other)
  })

  it('names its calls, with what is in them where the agent shows it', () => {
    const calls = [{ id: 'c' }]
    const shown = { id: 'c', name: 'ls', input: { path: '.' } }
    expect(contextMessage(form, { role: 'assistant', text: '', calls }, 0).calls).toEqual([
      { id: 'c', name: '', input: {} },
    ])
    expect(
      contextMessage(form, { role: 'assistant', text: '', calls, source: { calls: [shown] } }, 0).calls,
    ).toEqual([shown])
  })

  it.each<[string, Partial<Message>, boolean]>([
    ['a text', {}, false],
    ['what no summary may see', { source: null }, true],
    ['an image', { source: { images: 1 } }, true],
    ['a file', { source: { others: 1 } }, true],
    ['no file', { source: { others: 0 } }, false],
    ['what the agent marked', { marked: true }, true],
  ])('cannot be dropped when it could not be brought back: %s', (_what, more, important) => {
    expect(contextMessage(form, user('x', more), 0).important).toBe(important)
  })

  it('is of no known age, and not marked, where the agent says neither', () => {
    const { isImportant: _, idOf: __, at: ___, ...bare } = form
    expect(contextMessage(bare, user('x', { marked: true }), 0)).toMatchObject({ important: false, at: null })
  })

  it('what no summary may see has no text and no side', () => {
    expect(contextMessage(form, user('secret', { source: null }), 0)).toMatchObject({
      role: 'other',
      text: '',
    })
    const calling: Message = { role: 'assistant', text: 'secret', calls: [{ id: 'c' }], source: null }
    expect(contextMessage(form, calling, 0).calls).toEqual([{ id: 'c', name: '', input: {} }])
  })

  it('a chunk that came back is still the same one, and no request of the user', () => {
    const note =
      '<recovered-context chunk="chunk-7" time="unknown">\nIt came back.\n\nThe crane keys.\n</recovered-context>'
    expect([chunkOfNote(note), contentOfNote(note)]).toEqual(['chunk-7', 'The crane keys.'])
    const read = contextMessage(form, user(note, { id: 'x' }), 0)
    expect(read).toMatchObject({ role: 'other', text: contentOfNote(note), entryId: chunkOfNote(note) })
  })

  it('those that say the very same are distinguished by their place among each other', () => {
    const ids = contextMessages(form, [
      user('a', { id: 'x' }),
      user('b', { id: 'y' }),
      user('c', { id: 'x' }),
      user('d', { id: 'x' }),
    ])
    expect(ids.map(({ entryId }) => entryId)).toEqual(['x', 'y', 'x.2', 'x.3'])
  })
})

describe('H1 what is asked for', () => {
  it.each<[string, Message[], Message[], string]>([
    ['all that the user says now', [user('before')], [user('one'), user('two')], 'one\ntwo'],
    ['else what was said last', [user('first'), user('last'), { role: 'assistant', text: 'hm' }], [], 'last'],
    ['blank words ask for nothing', [user('before')], [user(' \n')], 'before'],
    ['nor do summaries', [user('before'), user('sum', { summary: true })], [], 'before'],
    ['nor do results', [user('before')], [{ role: 'toolResult', text: 'r' }], 'before'],
    ['nothing', [{ role: 'assistant', text: 'hm' }], [], ''],
    ['nothing at all', [], [], ''],
  ])('%s', (_what, messages, incoming, expected) => {
    expect(promptOf(form, messages, incoming)).toBe(expected)
  })
})
