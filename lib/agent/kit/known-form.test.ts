import { expect, test } from 'vitest'
import { KnownForm } from './known-form'

const ask = { role: 'user', content: 'Which berth?' }
const chatCall = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{}' } }],
}
const anthropicCall = {
  role: 'assistant',
  content: [{ type: 'tool_use', id: 'c1', name: 'read', input: {} }],
}

test('plain texts take the form of what follows, and new messages are held against it', () => {
  const form = new KnownForm(undefined)
  expect(form.of([ask])).toBe('plain')
  expect(form.of([ask, chatCall])).toBe('openai-chat')
  expect(form.of([ask, chatCall, { role: 'tool', tool_call_id: 'c1', content: 'x' }])).toBe('openai-chat')
  expect(form.of([ask, anthropicCall])).toBe('anthropic')
})

test('a mixture is an error with the place in the whole list, each time it is given', () => {
  const form = new KnownForm(undefined)
  form.of([ask, chatCall])
  for (let time = 0; time < 2; time++)
    expect(() => form.of([ask, chatCall, anthropicCall])).toThrow(/^messages\[2\]/)
  expect(() => new KnownForm('openai-chat').of([ask, anthropicCall])).toThrow(/which was named/)
})
