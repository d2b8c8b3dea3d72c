import { describe, expect, test } from 'vitest'
import type { ContentMessage } from '../../core/history/thinking'
import { HISTORY_FORMS, historyMessages } from '../../testing/bench/kit/history-forms'
import { randomHistory } from '../../testing/bench/kit/random-histories'
import type { ContextOptions } from './context-options'
import { createContext } from './create-context'
import { SettledRequest } from './settled-request'

const say = (role: string, content: unknown): ContentMessage => ({ role, content }) as ContentMessage
const ask = (at: number) => say('user', `Where does ship ${at} lie?`)
const answer = (at: number) => say('assistant', `At berth ${at}.`)
const call = (id: string) => say('assistant', [{ type: 'tool_use', id, name: 'read', input: {} }])
const result = (id: string) => say('user', [{ type: 'tool_result', tool_use_id: id, content: 'Berth 4.' }])

/** Takes a conversation in as a fit does, whose request is the conversation itself. */
function settled(whole: readonly ContentMessage[], held = whole.length) {
  const request = new SettledRequest<ContentMessage>(null)
  request.complete(whole, held, 0, whole)
  return request
}

describe('V2 what requests after a compaction have in common', () => {
  const TALK = [ask(1), answer(1), ask(2), call('a'), result('a'), answer(2), ask(3), answer(3)]

  test('is everything before the last question of the conversation', () => {
    const request = settled(TALK)
    expect(request.lengthIn([...TALK, ask(4)], 8)).toBe(6)
    const made = [say('user', 'as it was sent')]
    expect(request.complete([...TALK, ask(4)], 8, 6, made)).toEqual([...TALK.slice(0, 6), ...made])
    // Nothing more was settled by it, and nothing less.
    expect(request.lengthIn([...TALK, ask(4)], 8)).toBe(6)
  })

  test('grows with the conversation, and each part of it is sent as it was', () => {
    const request = settled(TALK)
    const more = [...TALK, ask(4), answer(4), ask(5), answer(5), ask(6)]
    const made = [say('user', 'a notice'), ...more.slice(6)]
    expect(request.complete(more, 12, 6, made)).toEqual([...TALK.slice(0, 6), ...made])
    expect(request.lengthIn(more, 12)).toBe(10)
    // The notice was sent in front of what is settled now.
    const sent = [...TALK.slice(0, 6), ...made.slice(0, 5)]
    const end = [say('user', 'another notice'), ...more.slice(10)]
    expect(request.complete(more, 12, 10, end)).toEqual([...sent, ...end])
    // What is in front of messages that are not settled comes anew.
    expect(request.lengthIn(more, 12)).toBe(10)
    expect(request.complete(more, 12, 10, end)).toEqual([...sent, ...end])
  })

  test('is nothing where the request does not have what is before the last question, or not that question', () => {
    for (const made of [TALK.slice(6), [TALK[0] as ContentMessage, answer(9)]]) {
      const request = new SettledRequest<ContentMessage>(null)
      expect(request.complete(TALK, 8, 0, made)).toEqual(made)
      expect(request.lengthIn(TALK, 8)).toBe(0)
    }
  })

  test.each([
    ['by its id alone', { type: 'item_reference', id: 'i1' }],
    ['as the screens of the AI SDK have it', { role: 'user', parts: [{ type: 'text', text: 'x' }] }],
  ])('is nothing beside a message that is there %s', (_what, odd) => {
    const whole = [...TALK, odd as object as ContentMessage]
    expect(settled(TALK).lengthIn(whole, 9)).toBe(0)
    expect(settled(whole).lengthIn(TALK, 8)).toBe(0)
  })

  test('is within the conversation, up to its last message', () => {
    expect(settled(TALK).lengthIn(TALK, 6)).toBe(6)
    expect(settled(TALK).lengthIn(TALK, 5)).toBe(0)
  })

  test('is nothing of a conversation that is put together as a whole and has none', () => {
    const request = settled(TALK)
    request.complete([ask(9)], 1, 0, [ask(9)])
    expect(request.lengthIn(TALK, 8)).toBe(0)
  })

  test('is not what is asked now, which the next request may put something in front of', () => {
    expect(settled(TALK.slice(0, 7), 6).lengthIn(TALK, 8)).toBe(2)
  })

  test('ends before a call whose result is yet to come', () => {
    const open = [ask(1), answer(1), ask(2), call('a'), ask(3), answer(3)]
    expect(settled(open).lengthIn(open, 6)).toBe(2)
  })

  test('is nothing once a message has grown in place, another is there, or fewer are', () => {
    expect(settled(TALK).lengthIn([ask(1), ...TALK.slice(1)], 8)).toBe(0)
    expect(settled(TALK).lengthIn(TALK.slice(0, 5), 5)).toBe(0)
    const [first, second, ...rest] = structuredClone(TALK)
    if (first === undefined || second === undefined) throw new Error('There are messages')
    const talk = [first, second, ...rest]
    const request = settled(talk)
    Object.assign(second, { content: 'At berth 1, since Monday.' })
    expect(request.lengthIn(talk, 8)).toBe(0)
  })

  test('is nothing while a result answers no call, and where an id is to be named anew', () => {
    const orphan = [ask(1), answer(1), result('b'), ...TALK]
    expect(settled(orphan).lengthIn(orphan, 11)).toBe(0)
    const late = [...TALK, result('a')]
    expect(settled(TALK).lengthIn(late, 9)).toBe(0)
    const odd = [
      ...TALK,
      call('b c'),
      say('user', [{ type: 'tool_result', tool_use_id: 'b c', content: '' }]),
    ]
    expect(settled(TALK).lengthIn(odd, 10)).toBe(0)
    expect(settled(odd).lengthIn(odd, 10)).toBe(0)
  })

  test('ends before questions that become one message', () => {
    const twice = [ask(1), answer(1), ask(2), answer(2), ask(3), ask(4), answer(4)]
    expect(settled(twice).lengthIn(twice, 7)).toBe(2)
  })
})

/** What of a long life is fitted: a question, a result; each time the caller's whole list. */
const isSent = (message: object) => !('role' in message && message.role === 'assistant')

/** Fits a life: from its first compaction on each request is the one that is put together as a whole. */
async function expectWhole(all: readonly object[], more: Partial<ContextOptions> = {}, pause = 0) {
  let now = Date.parse('2026-11-21T10:00:00Z')
  const options = { model: 'claude-sonnet-4-5', window: 32_000, now: () => now, ...more }
  const context = createContext(options)
  let compactions = 0
  for (let end = 1; end <= all.length; end++) {
    if (end < all.length && !isSent(all[end - 1] ?? {})) continue
    now += pause
    const { messages, done } = await context.fit(all.slice(0, end))
    compactions += done.steps.includes('compact') ? 1 : 0
    if (compactions === 0) continue
    const whole = await context.manager.request({ parts: { identity: '' }, prompt: [] })
    expect(messages, `${end} messages`).toEqual(whole.messages.map(({ message }) => message))
  }
  expect(compactions).toBeGreaterThan(0)
}

/** Turns of a question, a call with a long result, and an answer; two calls have one id but for a sign of it. */
const life = (turns: number) =>
  Array.from({ length: turns }, (_, at) => {
    const id = `harbour${at % 2 === 0 ? '-' : '_'}${10 + Math.floor(at / 2)}`
    const text = 'The crane lifts cargo before the tide. '.repeat(120)
    return [
      ask(at),
      say('assistant', [{ type: 'tool_use', id, name: 'read', input: { at } }]),
      say('user', [{ type: 'tool_result', tool_use_id: id, content: `${at}: ${text}` }]),
      answer(at),
    ]
  }).flat()

describe('V2 requests that grow behind a compaction', () => {
  test.each(HISTORY_FORMS)('are those that are put together as a whole: %s', async (form) => {
    await expectWhole([1, 2, 3, 4].flatMap((seed) => historyMessages(form, randomHistory(seed))))
  })

  test.each<[string, Partial<ContextOptions>]>([
    ['a limit of turns', { policy: { history: { maxTurns: 2 } } }],
    ['results that go by their age', { policy: { pruning: { toolResultsAfterMs: 60_000 } } }],
    ['a provider that makes one of two ids', { provider: 'mistral' }],
  ])('are so with %s', async (_what, options) => {
    await expectWhole(life(24), options, 600_000)
  })
})
