import { describe, expect, it } from 'vitest'
import { beforeAfter, occurrences } from './occurrences'

const session = { id: 's1', sessionId: 'x', name: 'Berth plan', key: null, agent: 'harbour', channel: null }
const sizes = { tokensBefore: null, tokensAfter: null, promptBefore: null, promptAfter: null }

describe('what happened', () => {
  it('puts everything in one list, newest first, each with the page that shows it', () => {
    const list = occurrences(
      {
        compactions: [
          { ...session, ...sizes, at: 20, kind: 'compaction', afterCall: 7, tokensBefore: 186_000 },
          { ...session, ...sizes, at: 40, kind: 'reset', afterCall: 0 },
        ],
        drops: [
          { ...session, at: 25, chunks: 12, tokens: 9_400 },
          { ...session, at: 5, chunks: 1, tokens: null },
        ],
        failedCalls: [{ ...session, at: 30, call: 9, reason: '529\n  overloaded' }],
        unreadable: [
          { ...session, at: 10, unreadable: 1 },
          { ...session, at: null, unreadable: 1 },
        ],
      },
      10,
    )
    expect(list.map(({ kind, text, href }) => [kind, text, href])).toEqual([
      ['reset', 'Reset: the context begins anew', '/sessions/s1?call=1'],
      ['failed-call', 'Call 9 failed: 529 overloaded', '/sessions/s1?call=9'],
      ['drops', '12 chunks dropped, 9.4k tokens', '/cold-storage?session=x'],
      ['compaction', 'Compaction 186k → ?', '/sessions/s1?call=7'],
      ['unreadable', '1 line could not be read', '/stores#unreadable-s1'],
      ['drops', '1 chunk dropped', '/cold-storage?session=x'],
    ])
  })

  it('says of one session once what happened to it again and again, with the number and the last time', () => {
    const other = { ...session, id: 's2' }
    const failed = (at: number) => ({ ...session, at, call: at, reason: `reason ${at}` })
    const compacted = (at: number) => ({ ...session, ...sizes, at, kind: 'compaction', afterCall: at })
    const list = occurrences(
      {
        compactions: [
          compacted(3),
          { ...compacted(9), tokensBefore: 40_000, tokensAfter: 9_000 },
          compacted(1),
        ],
        drops: [],
        failedCalls: [failed(2), failed(5), { ...other, at: 4, call: 8 }],
        unreadable: [],
      },
      10,
    )
    expect(list.map(({ at, text, href }) => [at, text, href])).toEqual([
      [9, '3 compactions, the last 40k → 9k', '/sessions/s1/compactions'],
      [5, '2 calls failed, the last call 5: reason 5', '/sessions/s1?call=5'],
      [4, 'Call 8 failed: no reason recorded', '/sessions/s2?call=8'],
    ])
  })

  it('many failures leave room for what else happened, and fill it where nothing did', () => {
    const failed = Array.from({ length: 9 }, (_, i) => ({ ...session, id: `f${i}`, at: 100 - i, call: 1 }))
    const compactions = [{ ...session, ...sizes, at: 1, kind: 'compaction', afterCall: 1 }]
    const kinds = (of: typeof compactions) =>
      occurrences({ compactions: of, drops: [], failedCalls: failed, unreadable: [] }, 4).map(
        ({ kind }) => kind,
      )
    expect(kinds(compactions)).toEqual(['failed-call', 'failed-call', 'failed-call', 'compaction'])
    expect(kinds([])).toEqual(['failed-call', 'failed-call', 'failed-call', 'failed-call'])
  })

  it('falls back on the prompts around a compaction, and takes a recorded 0 for no figure', () => {
    expect(
      beforeAfter({ tokensBefore: 0, tokensAfter: null, promptBefore: 181_000, promptAfter: 30_600 }),
    ).toBe('181k → 30.6k')
    expect(beforeAfter({ tokensBefore: 5_000, tokensAfter: 1_000, promptBefore: 9, promptAfter: 9 })).toBe(
      '5k → 1k',
    )
    expect(beforeAfter(sizes)).toBe('? → ?')
  })

  it('names hidden characters in titles', () => {
    const [event] = occurrences(
      {
        compactions: [],
        drops: [],
        failedCalls: [{ ...session, name: 'a\u202eb', at: 1, call: 1 }],
        unreadable: [],
      },
      1,
    )
    expect(event?.session.title).toBe('a⟨RLO⟩b')
  })
})
