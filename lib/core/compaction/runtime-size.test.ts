import { describe, expect, it } from 'vitest'
import { type RuntimeKind, runtimeTokens } from './runtime-size'

const message = (role: string, fields: object) => ({ type: 'message', message: { role, ...fields } })
const text = (length: number) => ({ type: 'text', text: 'x'.repeat(length) })
const image = { type: 'image', data: 'abc', mimeType: 'image/png' }

describe('what the runtimes charge for an entry', () => {
  it.each<[number, object]>([
    // A quarter of the characters, rounded up.
    [1, message('user', { content: 'abcd' })],
    [2, message('user', { content: 'abcde' })],
    [3, message('user', { content: [text(4), text(5), { type: 'other', text: 'abcd' }, null, 'abcd'] })],
    [0, message('user', { content: { text: 'abcd' } })],
    [0, message('user', {})],
    [5, message('assistant', { content: 'x'.repeat(20) })],
    // Text, thinking, and of a call its name and its arguments as JSON: 4 + 8 + 4 + 9.
    [
      7,
      message('assistant', {
        content: [
          text(4),
          { type: 'thinking', thinking: 'x'.repeat(8) },
          { type: 'toolCall', name: 'exec', arguments: { a: 'bc' } },
          'x',
          null,
          image,
          { type: 'other', name: 'exec', arguments: { a: 'bc' } },
        ],
      }),
    ],
    // Blocks that lack what they are named after; without arguments a call has those of nothing.
    [0, message('assistant', { content: [{ type: 'text' }, { type: 'thinking' }] })],
    [1, message('assistant', { content: [{ type: 'toolCall', arguments: {} }] })],
    [0, message('assistant', { content: null })],
    [2, message('custom', { content: [text(8)] })],
    [2, message('toolResult', { content: [text(8)] })],
    [3, message('bashExecution', { command: 'x'.repeat(4), output: 'x'.repeat(8) })],
    [2, message('branchSummary', { summary: 'x'.repeat(8) })],
    [2, message('compactionSummary', { summary: 'x'.repeat(8) })],
    [0, message('system', { content: 'abcd', summary: 'abcd' })],
    [0, message('user', { content: [{ type: 'text' }] })],
    [2, { type: 'custom_message', content: 'x'.repeat(8) }],
    [2, { type: 'branch_summary', summary: 'x'.repeat(8) }],
    [2, { type: 'compaction', summary: 'x'.repeat(8) }],
    [0, { type: 'compaction' }],
    [0, { type: 'session', content: 'abcd', summary: 'abcd' }],
    [0, { type: 'message', message: 'abcd' }],
  ])('is %i tokens for %j', (tokens, entry) => {
    expect(runtimeTokens(entry as Parameters<typeof runtimeTokens>[0], 'openclaw')).toBe(tokens)
  })

  it.each<[RuntimeKind, number, number, number]>([
    ['pi', 0, 1_200, 0],
    ['openclaw', 1_200, 1_200, 0],
    ['openclaw-9', 2_000, 2_000, 0],
  ])('is for an image in %s: %i of the user, %i of a result, %i of a model', (kind, user, result, model) => {
    const of = (role: string) => runtimeTokens(message(role, { content: [image] }), kind)
    expect([of('user'), of('toolResult'), of('assistant')]).toEqual([user, result, model])
  })

  it('counts texts whose length is known without them', () => {
    const lengthOf = (one: string) => (one === '@' ? 400 : one.length)
    expect(runtimeTokens(message('user', { content: '@' }), 'pi', lengthOf)).toBe(100)
    expect(
      runtimeTokens(message('toolResult', { content: [{ type: 'text', text: '@' }] }), 'pi', lengthOf),
    ).toBe(100)
    expect(runtimeTokens(message('bashExecution', { command: '@', output: '@' }), 'pi', lengthOf)).toBe(200)
  })
})
