import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findUnpaired } from '../../core/history/pairing'
import type { ContentMessage } from '../../core/history/thinking'
import { contentText, sizeOf, turnsOf } from '../../testing/live-conversation'
import { CONTENT_FORM } from '../content-form'
import { archiveResults, markOf, startOf } from './archive-results'

const form = { ...CONTENT_FORM, tokensOf: sizeOf }
const task = { id: 'a', title: 'A' }
const total = (messages: readonly ContentMessage[]) => messages.reduce((sum, one) => sum + sizeOf(one), 0)

test('K1: only results of the task itself are archived; what was before it, and what was said, stays', () => {
  const before = turnsOf(3)
  const mark = markOf(form, before)
  const all = [...before, ...turnsOf(2, 200, 'leg')]
  const { messages, results } = archiveResults(all, startOf(form, all, mark), task, form)
  expect(results).toBe(2)
  expect(messages.slice(0, before.length)).toEqual(before)
  const changed = messages.filter((message, at) => message !== all[at])
  expect(changed.map(({ role }) => role)).toEqual(['toolResult', 'toolResult'])
  expect(changed.map(contentText)).toEqual(
    Array(2).fill('[Archived: task a is done, and its outcome is kept.]'),
  )
})

test('K1: after a compaction all that follows the summary belongs to the task', () => {
  const mark = markOf(form, turnsOf(3))
  const summary = {
    role: 'user',
    content: '<prior-conversation-summary>\nold\n</prior-conversation-summary>',
  } as const
  const all = [summary, ...turnsOf(2, 200, 'leg')]
  expect(startOf(form, all, mark)).toBe(1)
  expect(startOf(form, [], mark)).toBe(0)
  expect(startOf(form, turnsOf(1), { count: 0, key: '' })).toBe(0)
})

test('K1: pairs stay pairs, what is said to be freed is freed, and doing it twice changes nothing', () => {
  fc.assert(
    fc.property(fc.nat(6), fc.nat(300), fc.nat(30), (turns, words, start) => {
      const all = turnsOf(turns, words)
      const once = archiveResults(all, start, task, form)
      expect(findUnpaired(once.messages)).toEqual({ orphans: [], unanswered: [] })
      expect(total(all) - total(once.messages)).toBe(once.tokens)
      expect(archiveResults(once.messages, start, task, form)).toMatchObject({ results: 0, tokens: 0 })
    }),
    { numRuns: 50 },
  )
})

test('K1: an agent whose messages cannot be made shorter keeps them as they are', () => {
  const all = turnsOf(2)
  expect(archiveResults(all, 0, task, { tokensOf: sizeOf })).toEqual({ messages: all, results: 0, tokens: 0 })
})

test('K1: a task that began with an empty conversation has all of it', () => {
  const mark = markOf(form, [])
  expect(mark).toEqual({ count: 0, key: '' })
  expect(startOf(form, turnsOf(1), mark)).toBe(0)
})

test('K1: a task begins behind the newest of the messages that its mark can mean, however alike those after it are', () => {
  const before = turnsOf(1)
  const mark = markOf(form, before)
  const [first, , , last] = before
  if (first === undefined || last === undefined) throw new Error('a turn has four messages')
  expect(startOf(form, [...before, { ...last }, { ...last }], mark)).toBe(4)
  expect(startOf(form, [first, first], markOf(form, [first]))).toBe(1)
  // Where the message is gone, and nothing speaks for it, all of it came later.
  expect(startOf(form, [first, { ...first, content: 'x' }], mark)).toBe(0)
})

test('K1: a task that began with an empty conversation has its summary as well', () => {
  const summary = form.fromText('<prior-conversation-summary>\nold\n</prior-conversation-summary>')
  expect(form.isSummary(summary)).toBe(true)
  expect(startOf(form, [summary, ...turnsOf(1)], markOf(form, []))).toBe(0)
})

test('K1: messages that an agent tells from each other by their place alone are found there', () => {
  const placed: typeof form = {
    ...form,
    toSource: (message, at) => {
      const source = form.toSource(message, at)
      return source === null ? null : { ...source, text: `message ${at}` }
    },
  }
  const before = turnsOf(2)
  expect(startOf(placed, [...before, ...turnsOf(1)], markOf(placed, before))).toBe(before.length)
})

test('K1: a task that begins with a result has it archived; one without results keeps its list as it is', () => {
  const all = turnsOf(1)
  expect(archiveResults(all, 2, task, form).results).toBe(1)
  expect(archiveResults(all, 3, task, form).messages).toBe(all)
})
