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
