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

test('no messages are plain, and another conversation has its own form', () => {
  expect(new KnownForm(undefined).of([])).toBe('plain')
  const form = new KnownForm(undefined)
  expect(form.of([ask, chatCall])).toBe('openai-chat')
  expect(form.of([{ ...ask }])).toBe('plain')
})

test('E13 each message is looked at once, as long as the list begins as before', () => {
  let looks = 0
  const watched = <T extends object>(message: T): T =>
    new Proxy(message, {
      get: (of, name) => {
        looks += 1
        return Reflect.get(of, name)
      },
    })
  const all = [ask, chatCall, { role: 'tool', tool_call_id: 'c1', content: 'x' }, { ...ask }].map(watched)
  const plain = new KnownForm(undefined)
  plain.of(all.slice(0, 1))
  looks = 0
  expect(plain.of(all.slice(0, 1))).toBe('plain')
  expect(looks).toBe(0)
  new KnownForm('plain').of(all.slice(3))
  const one = looks
  looks = 0
  expect(plain.of([...all.slice(0, 1), ...all.slice(3)])).toBe('plain')
  expect(looks).toBe(one)
  const form = new KnownForm(undefined)
  const looksAt = (messages: readonly object[]) => {
    looks = 0
    expect(form.of(messages)).toBe('openai-chat')
    return looks
  }
  expect(looksAt(all.slice(0, 3))).toBeGreaterThan(0)
  const again = looksAt(all.slice(0, 3))
  expect(again).toBe(0)
  const alone = new KnownForm('openai-chat')
  looks = 0
  alone.of(all.slice(3))
  const last = looks
  expect(looksAt(all)).toBe(last)
  expect(looksAt(all.slice(0, 2))).toBe(0)
})

test('a mixture is an error with the place in the whole list, each time it is given', () => {
  const form = new KnownForm(undefined)
  form.of([ask, chatCall])
  for (let time = 0; time < 2; time++)
    expect(() => form.of([ask, chatCall, anthropicCall])).toThrow(/^messages\[2\]/)
  expect(() => new KnownForm('openai-chat').of([ask, anthropicCall])).toThrow(/which was named/)
})
