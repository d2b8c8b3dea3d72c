import { describe, expect, it, test } from 'vitest'
import { history, historyWords } from '../../testing/builders/history'
import { resultsBehindCalls } from './early-results'
import { joinParts, splitMessages } from './message-parts'
import { findUnpaired, withoutOrphans } from './pairing'
import type { ContentMessage } from './thinking'

const placed = (words: string) => {
  const { messages, moved } = resultsBehindCalls(history(words))
  return { words: historyWords([...messages]), moved }
}

describe('C8 results that come before their call', () => {
  it('go right behind it, several in their order, whatever is between', () => {
    expect(placed('user result:a assistant:a user')).toEqual({
      words: 'user assistant:a result:a user',
      moved: 1,
    })
    expect(placed('result:a assistant:a assistant:b')).toEqual({
      words: 'assistant:a result:a assistant:b',
      moved: 1,
    })
    expect(placed('result:b result:a user assistant:a,b assistant')).toEqual({
      words: 'user assistant:a,b result:a result:b assistant',
      moved: 2,
    })
  })

  it('stay where they are when the call has a result behind it, or there is no call at all', () => {
    for (const words of [
      'result:a assistant:a result:a',
      'result:x assistant:a result:a',
      'assistant:a user',
      '',
    ])
      expect(placed(words)).toEqual({ words, moved: 0 })
  })

  it('an id that is used again counts anew: each call has its own result', () => {
    expect(placed('assistant:a result:a result:a assistant:a')).toEqual({
      words: 'assistant:a result:a assistant:a result:a',
      moved: 1,
    })
  })

  it('the oldest of several goes behind each call, and one that has its call is left there', () => {
    expect(placed('result:a result:a assistant:a assistant:a')).toEqual({
      words: 'assistant:a assistant:a result:a result:a',
      moved: 2,
    })
    expect(placed('result:a assistant:a assistant:a')).toEqual({
      words: 'assistant:a assistant:a result:a',
      moved: 1,
    })
    const words = 'assistant:a result:a assistant:a'
    expect(placed(words)).toEqual({ words, moved: 0 })
  })

  it('a result that is in the list twice, before its call and behind it, is not taken out', () => {
    const [result, call, again] = history('result:a assistant:a assistant:a')
    const messages = [result, call, again, result].flatMap((message) => message ?? [])
    expect(resultsBehindCalls(messages)).toEqual({ messages, moved: 0 })
    expect(resultsBehindCalls(messages).messages).toBe(messages)
  })

  it('whole histories are the same list', () => {
    const messages = history('user assistant:a,b result:b result:a user')
    expect(resultsBehindCalls(messages).messages).toBe(messages)
  })
})

describe('C8 calls that are there by a reference alone (OpenAI Responses)', () => {
  const reference: ContentMessage = { type: 'item_reference', id: 'fc_1' }
  const output: ContentMessage = { type: 'function_call_output', call_id: 'call_1', output: 'at berth 4' }
  const ask: ContentMessage = { role: 'user', content: 'Where does the Aurora lie?' }

  test('the output behind one is no orphan, in messages and in their parts', () => {
    const items = [ask, reference, output, ask]
    expect(findUnpaired(items)).toEqual({ orphans: [], unanswered: [] })
    expect(withoutOrphans(items)).toBe(items)
    const parts = splitMessages(items)
    expect(findUnpaired(parts)).toEqual({ orphans: [], unanswered: [] })
    expect(joinParts(parts)).toEqual(items)
  })

  test('one reference is one call: what is too much is an orphan still, and so is what comes after another ask', () => {
    const other = { ...output, call_id: 'call_2' }
    expect(findUnpaired([ask, reference, output, other]).orphans).toEqual([3])
    expect(findUnpaired(splitMessages([ask, reference, output, other])).orphans).toHaveLength(1)
    expect(findUnpaired([reference, ask, output]).orphans).toEqual([2])
    expect(findUnpaired(splitMessages([reference, ask, output])).orphans).toHaveLength(1)
  })

  test('an output that comes later is known as well, and a call that is there besides has its own', () => {
    const call: ContentMessage = {
      type: 'function_call',
      id: 'fc_2',
      call_id: 'call_2',
      name: 'read',
      arguments: '{}',
    }
    const own = { ...output, call_id: 'call_2' }
    expect(findUnpaired(splitMessages([ask, reference, call])).unanswered).toEqual(['call_2'])
    expect(findUnpaired(splitMessages([ask, reference, call, own, output]))).toEqual({
      orphans: [],
      unanswered: [],
    })
  })
})
