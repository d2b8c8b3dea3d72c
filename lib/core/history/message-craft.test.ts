import { describe, expect, it } from 'vitest'
import { familyOf, gapResult, messageCraft } from './message-craft'
import type { ContentMessage } from './thinking'

/** Made anew by each test. */
const craft = () => messageCraft<ContentMessage>((text) => ({ role: 'user', content: text }))
const user = (content: unknown): ContentMessage => ({ role: 'user', content })

describe('C9 messages that are merged for a provider', () => {
  it('are two of one side with content; items, results and what a runtime keeps besides are none', () => {
    const merges = (first: object, next: object) =>
      craft().mayMerge?.(first as ContentMessage, next as ContentMessage)
    const answer = { role: 'assistant', content: 'Berth 4.' }
    expect(merges(user('a'), user([]))).toBe(true)
    expect(merges(answer, { role: 'assistant', content: null, tool_calls: [] })).toBe(true)
    expect(merges(user('a'), answer)).toBe(false)
    expect(merges(answer, { ...answer, type: 'message' })).toBe(false)
    expect(merges(answer, { role: 'assistant', content: null })).toBe(false)
    expect(merges(answer, { role: 'assistant', content: {}, tool_calls: [] })).toBe(false)
    expect(merges({ role: 'tool', content: 'x' }, { role: 'tool', content: 'x' })).toBe(false)
  })

  it('keep their blocks as they are, results first, and texts apart', () => {
    const merged = (first: unknown, next: unknown) => craft().merge(user(first), user(next)).content
    expect(merged('a', 'b')).toBe('a\n\nb')
    expect([merged(null, 'b'), merged('a', null)]).toEqual(['b', 'a'])
    expect(craft().merge(user('a'), user('b'))).not.toHaveProperty('tool_calls')
    const [text, result] = [
      { type: 'text', text: 'b' },
      { type: 'tool_result', tool_use_id: 'c', content: 'x' },
    ]
    expect(merged('a', [text])).toEqual([{ type: 'text', text: 'a' }, text])
    expect(merged([text], [result])).toEqual([result, text])
    const input = { type: 'input_text', text: 'b' }
    expect(merged('a', [input])).toEqual([{ type: 'input_text', text: 'a' }, input])
    expect(merged([null], 'b')).toEqual([null, { type: 'text', text: 'b' }])
    const calls = [{ id: 'c' }]
    const answer = { role: 'assistant', content: 'a' }
    expect(craft().merge(answer, { ...answer, content: null, tool_calls: calls })).toEqual({
      ...answer,
      tool_calls: calls,
    })
  })

  it('begin with words of the user where an answer would be first', () => {
    expect(craft().opening()).toEqual(user('(continue)'))
  })
})

describe('C9 calls that are renamed', () => {
  const rename = (message: object) => craft().rename(message as ContentMessage, new Map([['old', 'new']]))

  it('are so wherever they are named, and nothing else is', () => {
    expect(rename({ role: 'tool', id: 'old', tool_call_id: 'old', content: 'old' })).toEqual({
      ...{ role: 'tool', id: 'old', tool_call_id: 'new', content: 'old' },
    })
    const use = { type: 'tool_use', id: 'old', name: 'read', input: { id: 'old' } }
    const text = { type: 'text', id: 'old', call_id: 'old', text: 'old' }
    const other = { type: 'tool_use', id: 'other', name: 'read', input: {} }
    expect(
      rename({ role: 'assistant', content: [use, text, other], calls: [{ id: 'old' }, { id: 'x' }] }),
    ).toEqual({
      ...{ role: 'assistant', content: [{ ...use, id: 'new' }, text, other] },
      calls: [{ id: 'new' }, { id: 'x' }],
    })
    const answered = { type: 'tool_result', tool_use_id: 'old', id: 'old', content: 'x' }
    expect(rename(user([answered])).content).toEqual([{ ...answered, tool_use_id: 'new' }])
    const call = { id: 'old', type: 'function', function: { name: 'read', arguments: '{}' } }
    expect(rename({ role: 'assistant', content: null, tool_calls: [call] })).toMatchObject({
      tool_calls: [{ ...call, id: 'new' }],
    })
  })

  it('are so in the parts of a UIMessage, and blocks that name none are the same objects', () => {
    const tool = { type: 'tool-read', toolCallId: 'old', state: 'input-available', input: {} }
    const other = { ...tool, toolCallId: 'other' }
    const { parts } = rename({ role: 'assistant', parts: [tool, other] }) as { parts?: readonly unknown[] }
    expect(parts).toEqual([{ ...tool, toolCallId: 'new' }, other])
    expect(parts?.[1]).toBe(other)
    expect('parts' in rename({ role: 'assistant', content: 'x' })).toBe(false)
  })
})

describe('C9 what is where a result is missing', () => {
  const gap = (block: object) => gapResult({ role: 'assistant', content: [{ type: 'text' }, block] }, 'c')
  const text = 'No result was recorded for this call.'

  it.each<[object, object]>([
    [
      { type: 'tool_use', id: 'c', name: 'read' },
      user([{ type: 'tool_result', tool_use_id: 'c', content: text, is_error: true }]),
    ],
    [
      { type: 'function', id: 'c' },
      { role: 'tool', tool_call_id: 'c', content: text },
    ],
    [
      { type: 'custom', id: 'c' },
      { role: 'tool', tool_call_id: 'c', content: text },
    ],
    [
      { type: 'tool-call', toolCallId: 'c', toolName: 'read' },
      {
        role: 'tool',
        content: [
          {
            ...{ type: 'tool-result', toolCallId: 'c', toolName: 'read' },
            output: { type: 'error-text', value: text },
          },
        ],
      },
    ],
    [
      { type: 'toolCall', id: 'c', name: 'read' },
      {
        ...{ role: 'toolResult', resultFor: 'c', toolCallId: 'c', toolName: 'read', isError: true },
        content: [{ type: 'text', text }],
      },
    ],
    [
      { type: 'function_call', call_id: 'c' },
      { type: 'function_call_output', call_id: 'c', output: text },
    ],
  ])('has the form of the call %j', (block, result) => {
    expect(gap(block)).toMatchObject(result)
  })

  it('is a message of a result where nothing says what the call is', () => {
    const made = { role: 'toolResult', resultFor: 'c' }
    expect(gapResult({ role: 'assistant', content: 'See.' }, 'c')).toMatchObject(made)
    expect(gapResult({ role: 'assistant', content: [null] }, 'c')).toMatchObject(made)
    for (const type of [7, 'a_call_b', 'a_mcp_b', 'subprogram', 'programs', 'a-tool-approval'])
      expect(gap({ type, id: 'c' })).toMatchObject(made)
  })

  it.each(['computer_call', 'mcp_approval_request', 'program', 'tool-approval-request'])(
    'is nothing for an item of the type %s, which no result can answer so',
    (type) => {
      expect(gap({ type, id: 'c' })).toBeNull()
    },
  )
})

it('C9 a history with blocks of Anthropic follows its rules; results alone do not tell', () => {
  const of = (content: unknown, role = 'assistant') => familyOf([{ role, content }])
  expect(of([{ type: 'tool_use', id: 'c' }])).toBe('anthropic')
  for (const type of ['redacted_thinking', 'server_tool_use']) expect(of([{ type }])).toBe('anthropic')
  const result = { type: 'tool_result', tool_use_id: 'c' }
  expect(of([{ type: 'text' }, result], 'user')).toBe('anthropic')
  expect(of([result], 'tool')).toBe('other')
  expect(familyOf([user('Which?'), user([result])])).toBe('anthropic')
  expect(of([{ type: 'text' }, { type: 'toolCall' }])).toBe('other')
  expect([of('tool_use'), of([null])]).toEqual(['other', 'other'])
})
