import { describe, expect, it } from 'vitest'
import { type ContentMessage, withoutThinking } from './thinking'

const thinking = { type: 'thinking', thinking: 'let me see', signature: 'c2ln' }
const text = { type: 'text', text: 'done' }
const call = { type: 'toolCall', id: 'a', name: 'exec', arguments: {} }
const assistant = (...content: unknown[]): ContentMessage => ({ role: 'assistant', content })
const user: ContentMessage = { role: 'user', content: 'go on' }
const result: ContentMessage = { role: 'toolResult', resultFor: 'a', content: [text] }

describe('thinking', () => {
  it('C11 is stored and not sent', () => {
    const stored = [user, assistant(thinking, text), user, assistant({ type: 'redacted_thinking' }, text)]
    const before = structuredClone(stored)
    expect(withoutThinking(stored)).toEqual([user, assistant(text), user, assistant(text)])
    expect(stored).toEqual(before)
  })

  it('C11 goes with the tool calls of the turn that runs, and no longer once it is over', () => {
    const loop = [user, assistant(thinking, call), result, assistant(thinking, text)]
    expect(withoutThinking(loop)).toEqual([user, assistant(thinking, call), result, assistant(text)])
    expect(withoutThinking([...loop, user])).toEqual([user, assistant(call), result, assistant(text), user])
    const named = { ...assistant(thinking), calls: [{ id: 'a' }] }
    expect(withoutThinking([user, named, result])).toEqual([user, named, result])
  })

  it.each(['toolCall', 'toolUse', 'functionCall', 'tool_use', 'tool_call', 'function_call', 'tool-call'])(
    'C11 goes with a call that is written as %s',
    (type) => {
      const loop = [user, assistant(thinking, { type, id: 'a', name: 'exec', input: {} }), result]
      expect(withoutThinking(loop)).toBe(loop)
    },
  )

  it('C11 leaves no empty message behind, and other messages as they are', () => {
    expect(withoutThinking([user, assistant(thinking), assistant(text)])).toEqual([user, assistant(text)])
    const plain = [
      user,
      assistant(text),
      assistant(),
      { role: 'assistant', content: 'text' },
      assistant(null, 3),
    ]
    expect(withoutThinking(plain)).toBe(plain)
    expect(withoutThinking([{ role: 'user', content: [thinking] }])).toEqual([
      { role: 'user', content: [thinking] },
    ])
  })
})
