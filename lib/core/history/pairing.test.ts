import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyHistories, history, historyWords, pairedHistories } from '../../testing/builders/history'
import { findUnpaired, isResult, OpenCalls, withoutOrphans } from './pairing'

describe('pairs of tool calls and results', () => {
  it('C8 a result without its call is an orphan, a second one too, and a call without a result is named', () => {
    const messages = history('result:a user assistant:a,b result:a result:a assistant:c result:x')
    expect(findUnpaired(messages)).toEqual({ orphans: [0, 4, 6], unanswered: ['b', 'c'] })
    expect(historyWords(withoutOrphans(messages))).toBe('user assistant:a,b result:a assistant:c')
  })

  it('C8 an id that a later call uses again counts anew', () => {
    const messages = history('user assistant:a result:a user assistant:a result:a')
    expect(withoutOrphans(messages)).toBe(messages)
    expect(findUnpaired(history('assistant:a assistant:a result:a')).unanswered).toEqual(['a'])
  })

  it('C8 a result without an id answers the oldest open call, and is an orphan where none is open', () => {
    const nameless = { name: 'r', tokens: 1, role: 'toolResult' }
    const messages = [...history('user assistant:a,b'), nameless, nameless, nameless]
    expect(findUnpaired(messages)).toEqual({ orphans: [4], unanswered: [] })
  })

  it('C8 leaves whole histories alone, and taking orphans away twice is taking them away once', () => {
    fc.assert(
      fc.property(pairedHistories, (messages) => {
        expect(withoutOrphans(messages)).toBe(messages)
      }),
    )
    fc.assert(
      fc.property(anyHistories, (messages) => {
        const once = withoutOrphans(messages)
        expect(findUnpaired(once).orphans).toEqual([])
        expect(withoutOrphans(once)).toBe(once)
        expect(once.filter((m) => m.role !== 'toolResult')).toEqual(
          messages.filter((m) => m.role !== 'toolResult'),
        )
      }),
    )
  })
})

describe('C8 calls that wait while messages are walked over', () => {
  it('are those of which not all were answered, one id twice until it was answered twice', () => {
    const pairs = new OpenCalls()
    const waits = history(
      'user assistant:a,b result:a result:b assistant:c assistant:c result:c result:c',
    ).map((message) => {
      pairs.orphansOf(message)
      return pairs.isWaiting
    })
    expect(waits).toEqual([false, true, true, false, true, true, true, false])
  })

  it('say which parts of a message answer none of them', () => {
    const [call, answer, orphan] = history('assistant:a result:a result:a')
    const pairs = new OpenCalls()
    const found = [call, answer, orphan].map((message) => pairs.orphansOf(message ?? {}))
    expect(found).toEqual([[], [], [orphan]])
  })

  it('are not made fewer by a result that answers none of them', () => {
    const pairs = new OpenCalls()
    for (const message of history('assistant:a result:x')) pairs.orphansOf(message)
    expect([pairs.isWaiting, pairs.unanswered()]).toEqual([true, ['a']])
  })
})

describe('C8 a message is a result', () => {
  it.each<[object, boolean]>([
    [{ role: 'toolResult' }, true],
    [{ role: 'tool' }, true],
    [{ role: 'function' }, true],
    [{ role: 'custom', resultFor: 'a' }, true],
    [{ type: 'function_call_output', call_id: 'a' }, true],
    [{ type: 'function_call', call_id: 'a' }, false],
    [{ role: 'user', type: 'tool_result' }, false],
    [{ role: 'assistant' }, false],
    [{}, false],
  ])('by its role, the call that it names, or its type: %j', (message, is) => {
    expect(isResult(message)).toBe(is)
  })
})
