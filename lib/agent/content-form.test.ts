import { expect, test } from 'vitest'
import type { ContentMessage } from '../core/history/thinking'
import { CONTENT_FORM, contentForm } from './content-form'

/** What an agent gets whose messages have their own type; the form of all others is the same. */
const form = () => contentForm<ContentMessage>()

test('messages were written when they say so, as milliseconds, as a text or as a date; else that is unknown', () => {
  const at = (timestamp: unknown) => form().at?.({ role: 'user', content: 'x', timestamp } as never)
  const noon = Date.parse('2026-11-21T12:00:00Z')
  expect([at(noon), at('2026-11-21T12:00:00Z'), at(new Date(noon))]).toEqual([noon, noon, noon])
  expect(at(0)).toBe(0)
  for (const none of [undefined, null, '', 'at noon', new Date(Number.NaN), Number.NaN, Infinity, {}, true])
    expect(at(none)).toBeNull()
})

test('a text takes the place of all texts of a message, and whatever else is in it stays', () => {
  const image = { type: 'image', data: 'x' }
  const content = [{ type: 'text', text: 'a' }, image, { type: 'text', text: 'b' }]
  const withText = (message: object) => form().withText?.(message as never, 'short')
  expect(withText({ role: 'user', content, id: 'm' })).toEqual({
    ...{ role: 'user', id: 'm' },
    content: [{ type: 'text', text: 'short' }, image],
  })
  expect(withText({ role: 'user', content: 'a' })).toEqual({ role: 'user', content: 'short' })
})

test('a message has the name that it says, and is a summary by how it begins', () => {
  const idOf = (id: unknown) => form().idOf?.({ role: 'user', content: 'x', id } as never)
  expect([idOf('m1'), idOf(7), idOf(undefined)]).toEqual(['m1', null, null])
  const isSummary = (content: unknown) => form().isSummary({ role: 'user', content } as never)
  const text = '<prior-conversation-summary>\nold\n</prior-conversation-summary>'
  expect([isSummary(text), isSummary([{ type: 'text', text }])]).toEqual([true, true])
  expect([isSummary(`So: ${text}`), isSummary([]), isSummary(undefined)]).toEqual([false, false, false])
  const source = form().toSource({ role: 'user', content: text }, 3)
  expect(source).toMatchObject({ role: 'summary', entryId: 'm3', line: 4 })
})

test('a command that is left out of a context is in none, also where it begins as a summary does', () => {
  const content = '<prior-conversation-summary>\nold\n</prior-conversation-summary>'
  const command = { role: 'bashExecution', excludeFromContext: true, command: 'ls', output: 'a', content }
  expect(form().toSource(command, 0)).toBeNull()
})

test('a message is important where it says so, and a call without a result gets one', () => {
  const isImportant = (important: unknown) =>
    form().isImportant?.({ role: 'user', content: 'x', important } as never)
  expect([isImportant(true), isImportant('yes'), isImportant(undefined)]).toEqual([true, false, false])
  const call = {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'a', name: 'read', input: {} }],
  }
  expect(JSON.stringify(form().gapFor?.(call, 'a'))).toContain('"a"')
  expect(Object.keys(CONTENT_FORM)).toEqual(Object.keys(form()))
})
