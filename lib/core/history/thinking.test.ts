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

  it('C11 goes with the last calls, also where the user said something behind their results', () => {
    const loop = [user, assistant(thinking, call), result, { role: 'user', content: 'And hurry.' }]
    expect(withoutThinking(loop)).toBe(loop)
    expect(withoutThinking([...loop, assistant(thinking, text)])).toEqual([
      user,
      assistant(call),
      result,
      loop[3],
      assistant(text),
    ])
  })

  it('C11 takes the ids of Responses items that came of it along, and stays where an item needs its own', () => {
    const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'eA==' }
    const said = { type: 'message', id: 'msg_1', role: 'assistant', content: [] }
    const searched = { type: 'web_search_call', id: 'ws_1', status: 'completed' }
    const { id: _id, ...free } = said
    expect(withoutThinking([user, assistant(reasoning, said), user])).toEqual([user, assistant(free), user])
    const unbound = { type: 'web_search_call', status: 'completed' }
    expect(withoutThinking([user, assistant(reasoning, unbound, null), user])[1]).toEqual(
      assistant(unbound, null),
    )
    const bound = [user, assistant(reasoning, searched, said), user]
    expect(withoutThinking(bound)).toBe(bound)
  })

  it('C11 leaves ids alone beside what is no reasoning of Responses', () => {
    const named = { type: 'text', id: 't1', text: 'done' }
    for (const own of [
      { type: 'reasoning', text: 'Hm.' },
      { ...thinking, summary: [] },
    ])
      expect(withoutThinking([user, assistant(own, named), user])[1]).toEqual(assistant(named))
  })

  it('C11 goes from an answer that has a list of calls with none in it', () => {
    const none = { ...assistant(thinking, text), calls: [] }
    expect(withoutThinking([user, none])).toEqual([user, { ...assistant(text), calls: [] }])
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
    const ended = plain.slice(0, 4)
    expect(withoutThinking(ended)).toBe(ended)
    expect(withoutThinking([{ role: 'user', content: [thinking] }])).toEqual([
      { role: 'user', content: [thinking] },
    ])
  })
})
