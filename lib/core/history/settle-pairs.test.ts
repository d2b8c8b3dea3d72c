import { describe, expect, it } from 'vitest'
import { history, historyWords } from '../../testing/builders/history'
import { gapResult } from './message-craft'
import { settlePairs } from './settle-pairs'

const settled = (words: string) => {
  const done = settlePairs(history(words), (_, id) => history(`result:${id}`)[0] ?? null)
  return {
    words: historyWords([...done.messages]),
    orphans: historyWords([...done.orphans]),
    gaps: done.gaps,
  }
}

describe('pairs in the order of a provider', () => {
  it('C12 nothing to settle gives the same list, calls at the end wait', () => {
    for (const words of ['user assistant:a,b result:b result:a user', 'user assistant:a', '']) {
      const messages = history(words)
      expect(settlePairs(messages, () => null).messages).toBe(messages)
    }
  })

  it('C12 a result goes right behind its call, whatever came between', () => {
    expect(settled('user assistant:a,b result:a user result:b assistant')).toEqual({
      words: 'user assistant:a,b result:a result:b user assistant',
      orphans: '',
      gaps: [],
    })
  })

  it('C8 a call without a result gets one that says so, and a result without a call is named', () => {
    expect(settled('result:x user assistant:a,b result:a user')).toEqual({
      words: 'user assistant:a,b result:a result:b user',
      orphans: 'result:x',
      gaps: ['b'],
    })
  })

  it('C8 a call at the end waits only while none of its results is there', () => {
    for (const words of ['user assistant:a', 'user assistant:b result:b assistant:a'])
      expect(settled(words)).toEqual({ words, orphans: '', gaps: [] })
    expect(settled('user assistant:a,b result:a')).toEqual({
      words: 'user assistant:a,b result:a result:b',
      orphans: '',
      gaps: ['b'],
    })
    expect(settled('assistant:a user')).toMatchObject({ words: 'assistant:a result:a user', gaps: ['a'] })
  })

  it('C8 a gap that nothing can fill is left, and is none', () => {
    const messages = history('user assistant:a user')
    const left = settlePairs(messages, () => null)
    expect(left.messages).toBe(messages)
    expect(left.gaps).toEqual([])
  })

  it('C8 a result without a call is left out wherever it is, and takes no other call', () => {
    expect(settled('user assistant result:x')).toEqual({
      ...{ words: 'user assistant', orphans: 'result:x', gaps: [] },
    })
    expect(settled('user assistant:a result:x result:a user')).toEqual({
      ...{ words: 'user assistant:a result:a user', orphans: 'result:x', gaps: [] },
    })
  })

  it('C8 a result without an id answers the oldest call', () => {
    const nameless = { name: '9:nameless', tokens: 1, role: 'toolResult' }
    const [ask, call, own] = history('user assistant:a,b result:b')
    const messages = [ask, call, nameless, own].flatMap((message) => message ?? [])
    expect(settlePairs(messages, () => null)).toMatchObject({ orphans: [], gaps: [] })
    expect(settlePairs(messages, () => null).messages).toBe(messages)
  })

  it('C8 the gap is filled in the form of the API whose call it is', () => {
    const call = (block: object) => ({ role: 'assistant', content: [block] })
    expect(gapResult(call({ type: 'tool_use', id: 'a', name: 'read' }), 'a')).toMatchObject({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'a', is_error: true }],
    })
    expect(gapResult(call({ type: 'function', id: 'a', function: { name: 'read' } }), 'a')).toMatchObject({
      role: 'tool',
      tool_call_id: 'a',
    })
    expect(
      gapResult(call({ type: 'function_call', id: 'f', call_id: 'a', name: 'read' }), 'a'),
    ).toMatchObject({
      type: 'function_call_output',
      call_id: 'a',
    })
    expect(gapResult(call({ type: 'tool-call', toolCallId: 'a', toolName: 'read' }), 'a')).toMatchObject({
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'read', output: { type: 'error-text' } }],
    })
    expect(gapResult(call({ type: 'toolCall', id: 'a', name: 'read' }), 'a')).toMatchObject({
      role: 'toolResult',
      toolCallId: 'a',
      toolName: 'read',
      isError: true,
    })
  })
})
