import { describe, expect, test } from 'vitest'
import { splitMessages } from '../../core/history/message-parts'
import { type MessagePart, ORIGIN } from '../../core/history/part-origin'
import type { ContentMessage } from '../../core/history/thinking'
import { type BuiltForm, inForm, MESSAGE_FORMS } from '../../testing/builders/conversations'
import { sizeOf } from '../../testing/live-conversation'
import { CONTENT_FORM } from '../content-form'
import { copiedParts } from './copied-parts'
import { leavingChunks } from './keep-copies'

const form = { ...CONTENT_FORM, tokensOf: sizeOf }
const CAUSE = { session: 's', reason: 'summarised', score: null, prompt: null }

const UI_TURN = [
  { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Which berth is free?' }] },
  {
    id: 'u2',
    role: 'assistant',
    metadata: { model: 'm', tags: ['a'] },
    parts: [
      { type: 'step-start' },
      { type: 'text', text: 'I look.' },
      ...['c1', 'c2'].map((toolCallId) => ({
        ...{ type: 'tool-read', toolCallId, state: 'output-available' },
        ...{ input: { path: 'log' }, output: { berth: 4, free: true } },
      })),
      { type: 'step-start' },
      { type: 'text', text: 'Berth 4.' },
    ],
  },
] as unknown as ContentMessage[]

/** A turn with two calls and a word beside their results; each message has a mark of its agent. */
function talk(name: BuiltForm | 'ui'): ContentMessage[] {
  if (name === 'ui') return structuredClone(UI_TURN)
  const calls = ['1', '2'].map((id) => ({ id, path: `log/${id}.md`, result: `berth ${id} is free` }))
  const messages = inForm(name, [
    { kind: 'ask', text: 'Which berth is free?', image: true },
    { kind: 'answer', text: 'I look.', thinks: true, aside: 'And hurry.', calls },
    { kind: 'answer', text: 'Both.', thinks: false, aside: '', calls: [] },
  ])
  return messages.map((message, i) => ({ ...message, mark: { place: [i] } }))
}

/** Everything in it gets another value, in place. */
function wreck(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, one] of Object.entries(value)) {
    wreck(one)
    Object.assign(value, { [name]: 'wrecked' })
  }
  if (Array.isArray(value)) value.push('wrecked')
}

/** What parts are, and what is kept of them; as texts, so that nothing changes it. */
const seen = (parts: readonly ContentMessage[]) => [
  JSON.stringify(parts, null, 1),
  JSON.stringify(leavingChunks(form, parts, CAUSE), null, 1),
]

const copies = (parts: readonly ContentMessage[]): readonly MessagePart[] => {
  const make = copiedParts(parts)
  if (make === null) throw new Error('they have no copy')
  return make()
}

describe('I1 copies of parts', () => {
  test.each([...MESSAGE_FORMS, 'ui' as const])(
    'say what the parts said, whatever becomes of the agent’s own messages: %s',
    (name) => {
      const messages = talk(name)
      const parts = splitMessages(messages)
      const before = seen(parts)
      const make = copiedParts(parts)
      wreck(messages)
      expect(seen(make?.() ?? [])).toEqual(before)
      expect(seen(parts)).not.toEqual(before)
    },
  )

  test.each([
    ['content', 'anthropic'],
    ['content', 'pi'],
    ['mark', 'pi'],
    ['mark', 'chat'],
  ] as const)('have %s of their copied message where they had it of their message: %s', (field, name) => {
    const parts: readonly MessagePart[] = splitMessages(talk(name))
    const copied = copies(parts)
    const of = (part: MessagePart | undefined) => {
      const [message] = part?.[ORIGIN]?.messages ?? []
      return [part, message].map((one) => (one as { [name: string]: unknown } | undefined)?.[field])
    }
    const shared = parts.flatMap((part, at) => {
      const [own, whole] = of(part)
      return part[ORIGIN] !== undefined && own === whole ? [at] : []
    })
    expect(shared.length).toBeGreaterThan(0)
    for (const at of shared) {
      const [own, whole] = of(copied[at])
      expect(own).toBe(whole)
      expect(own).not.toBe(of(parts[at])[0])
    }
  })

  test('of one answer in several items have the copied items as what they say', () => {
    const parts: readonly MessagePart[] = splitMessages(talk('responses'))
    const at = parts.findIndex((part) => (part[ORIGIN]?.messages.length ?? 0) > 1)
    const copy = copies(parts)[at]
    expect(copy?.content).toBe(copy?.[ORIGIN]?.messages)
    expect(copy?.content).not.toBe(parts[at]?.content)
  })

  test('of one message know the same message, their place in it, and no parts of before', () => {
    const parts: readonly MessagePart[] = splitMessages(talk('anthropic'))
    const copied = copies(parts)
    const places = (some: readonly MessagePart[]) =>
      some.map((part) => part[ORIGIN] && [part[ORIGIN].at, part[ORIGIN].places])
    expect(places(copied)).toEqual(places(parts))
    const results = copied.filter(({ role }) => role === 'toolResult').map((part) => part[ORIGIN])
    expect(results).toHaveLength(2)
    expect(results[0]?.messages).toBe(results[1]?.messages)
    expect(results.map((origin) => origin?.parts)).toEqual([[], []])
  })

  const user = (content: unknown): ContentMessage => ({ role: 'user', content })
  /** What is in so many objects or lists. */
  const nested = (depth: number, inside: (inner: unknown) => unknown): unknown =>
    depth === 0 ? 'x' : inside(nested(depth - 1, inside))
  const ring: { self?: unknown } = {}
  ring.self = ring

  test.each([
    ['a number that JSON has no form for', 1n],
    ['a date', new Date(0)],
    ['bytes', new Uint8Array(2)],
    ['a map', new Map()],
    ['what says itself how it is written', { toJSON: () => 'x' }],
    ['a name that objects know', JSON.parse('{"__proto__":{"x":1}}')],
    ['what looks like a mark', { $bytes: 'AAAA' }],
    ['what contains itself', ring],
    ['objects that are too deep', nested(21, (x) => ({ x }))],
    ['lists that are too deep', nested(21, (x) => [x])],
  ])('are not made of what is no plain data: %s', (_what, value) => {
    for (const content of [value, [value], { more: value }]) {
      expect(copiedParts([user('Hello.'), user(content)])).toBeNull()
      // The same where it belongs to a message that has to be taken apart.
      const answer = { role: 'model', content: 'Yes.', details: content } as ContentMessage
      const parts: readonly MessagePart[] = splitMessages([answer])
      expect(parts[0]?.[ORIGIN]).toBeDefined()
      expect(copiedParts(parts)).toBeNull()
    }
  })

  test.each([
    ['nothing', null],
    ['what is left out', undefined],
    ['an object without a prototype', Object.assign(Object.create(null), { a: { b: 1 } })],
    ['names with a dollar in them', { a$: 1 }],
  ])('are made of all other data: %s', (_what, value) => {
    const message = user([value, { value }])
    const [copy] = copies([message])
    expect(copy).toEqual(message)
    expect(copy).not.toBe(message)
  })

  test.each([
    ['objects', (x: unknown) => ({ x })],
    ['lists', (x: unknown) => [x]],
  ])('are made of as many %s in each other as may be, and of no more', (_what, inside) => {
    const whole = user(nested(20, inside))
    expect(copies([whole])).toEqual([whole])
    expect(copiedParts([user(nested(21, inside))])).toBeNull()
  })

  test('are made of nothing as well', () => {
    expect(copies([])).toEqual([])
  })
})
