import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyHistories, history, historyWords, pairedHistories } from '../../testing/builders/history'
import { limitTurns } from './limit-turns'

describe('turn limit', () => {
  it('C1 a limit of 2 of 10 turns starts at the second last user message', () => {
    const ten = history(
      Array.from({ length: 10 }, (_, i) => `user assistant:${i} result:${i} assistant`).join(' '),
    )
    const limited = limitTurns(ten, 2)
    expect(limited).toEqual(ten.slice(-8))
    expect(limited[0]?.name).toBe('32:user')
  })

  it('C1 counts user messages only, keeps what is between them, and leading summaries', () => {
    const messages = history(
      'summary summary user assistant custom user bashExecution assistant user assistant',
    )
    expect(historyWords(limitTurns(messages, 2))).toBe(
      'summary summary user bashExecution assistant user assistant',
    )
    expect(historyWords(limitTurns(messages, 1))).toBe('summary summary user assistant')
    expect(historyWords(limitTurns(history('branchSummary summary user assistant user'), 1))).toBe(
      'branchSummary summary user',
    )
  })

  it('C1 lets turns gather up to so many times the limit, then cuts down to it', () => {
    const turns = (count: number) => history(Array.from({ length: count }, () => 'user assistant').join(' '))
    const usersOf = (count: number, limit: number, trimAbove?: number) =>
      limitTurns(turns(count), limit, trimAbove).filter(({ role }) => role === 'user').length
    expect(Array.from({ length: 7 }, (_, i) => usersOf(i + 1, 3, 1.5))).toEqual([1, 2, 3, 4, 5, 3, 3])
    expect([usersOf(4, 3), usersOf(15, 10, 1.5), usersOf(16, 10, 1.5)]).toEqual([3, 15, 10])
  })

  it('C1 leaves everything where there are fewer turns, no limit, or OpenClaw’s 0', () => {
    const messages = history('assistant user assistant user')
    for (const turns of [2, 50, null, 0, -1, Number.NaN]) expect(limitTurns(messages, turns)).toBe(messages)
    expect(limitTurns([], 3)).toEqual([])
    expect(historyWords(limitTurns(history('assistant assistant'), 1))).toBe('assistant assistant')
  })

  it('C1 C8 is a suffix behind the summaries with exactly so many turns, and idempotent', () => {
    fc.assert(
      fc.property(
        fc.oneof(pairedHistories, anyHistories),
        fc.integer({ min: 1, max: 8 }),
        (messages, turns) => {
          const limited = limitTurns(messages, turns)
          const cut = messages.length - limited.length
          const head = messages.findIndex((m) => m.role !== 'compactionSummary')
          if (cut > 0) {
            expect(limited).toEqual([...messages.slice(0, head), ...messages.slice(head + cut)])
            expect(limited.slice(head).filter((m) => m.role === 'user')).toHaveLength(turns)
            expect(limited[head]?.role).toBe('user')
          }
          expect(limitTurns(limited, turns)).toBe(limited)
        },
      ),
    )
  })
})
