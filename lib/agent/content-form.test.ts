import { expect, test } from 'vitest'
import { CONTENT_FORM } from './content-form'

test('messages were written when they say so, as milliseconds, as a text or as a date; else that is unknown', () => {
  const at = (timestamp: unknown) => CONTENT_FORM.at?.({ role: 'user', content: 'x', timestamp } as never)
  const noon = Date.parse('2026-11-21T12:00:00Z')
  expect([at(noon), at('2026-11-21T12:00:00Z'), at(new Date(noon))]).toEqual([noon, noon, noon])
  expect(at(0)).toBe(0)
  for (const none of [undefined, null, '', 'at noon', new Date(Number.NaN), Number.NaN, Infinity, {}, true])
    expect(at(none)).toBeNull()
})

test('a text takes the place of all texts of a message, and whatever else is in it stays', () => {
  const image = { type: 'image', data: 'x' }
  const content = [{ type: 'text', text: 'a' }, image, { type: 'text', text: 'b' }]
  const withText = (message: object) => CONTENT_FORM.withText?.(message as never, 'short')
  expect(withText({ role: 'user', content, id: 'm' })).toEqual({
    ...{ role: 'user', id: 'm' },
    content: [{ type: 'text', text: 'short' }, image],
  })
  expect(withText({ role: 'user', content: 'a' })).toEqual({ role: 'user', content: 'short' })
})

test('a message has the name that it says, and is a summary by how it begins', () => {
  const idOf = (id: unknown) => CONTENT_FORM.idOf?.({ role: 'user', content: 'x', id } as never)
  expect([idOf('m1'), idOf(7), idOf(undefined)]).toEqual(['m1', null, null])
  const isSummary = (content: unknown) => CONTENT_FORM.isSummary({ role: 'user', content } as never)
  const text = '<prior-conversation-summary>\nold\n</prior-conversation-summary>'
  expect([isSummary(text), isSummary([{ type: 'text', text }])]).toEqual([true, true])
  expect([isSummary(`So: ${text}`), isSummary([]), isSummary(undefined)]).toEqual([false, false, false])
  const source = CONTENT_FORM.toSource({ role: 'user', content: text }, 3)
  expect(source).toMatchObject({ role: 'summary', entryId: 'm3', line: 4 })
})
