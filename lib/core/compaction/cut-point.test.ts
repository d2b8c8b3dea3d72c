import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shortPath as path, shortPolicy as policyWith } from '../../testing/builders/short-path'
import { type CutOptions, chooseCut } from './choose-cut'
import { findCutPoint } from './cut-point'
import { knownPath, messagesIn } from './known-path'
import { hasMessages, prepareCompaction } from './prepare'

describe('D9: the cut of the runtimes', () => {
  it.each<[string, number, number, number | null]>([
    // Path, tokens to keep, first kept entry, beginning of the turn that is cut.
    ['u a u a u a', 10, 5, 4],
    ['u a u a u a', 11, 4, null],
    ['u a u a u a', 20, 4, null],
    ['u a u a u a', 21, 3, 2],
    ['u a u a u a', 60, 0, null],
    ['u a u a u a', 61, 0, null],
    ['u a u a u a', 0, 5, 4],
    // Never at a result: the next place behind it, or the first of all where there is none.
    ['u a:x r:x a', 20, 3, 0],
    ['u a:x r:x', 10, 0, null],
    ['u a:x r:x a u', 30, 3, 0],
    ['r:x r:y', 10, 0, null],
    // Settings right before the cut stay with it, and count nothing.
    ['u a s s u a', 20, 2, 0],
    ['u a s=99 u a', 20, 2, 0],
    ['u a c s u a', 20, 3, 0],
    ['u a z s u a', 20, 3, 0],
    // Shell commands, custom messages and branch summaries begin turns as well; the last two count nothing.
    ['u b a a', 10, 3, 1],
    ['u m a a', 10, 3, 1],
    ['u n a a', 10, 3, 1],
    ['u a m=99 a', 20, 1, 0],
    ['u a n=99 a', 20, 1, 0],
    ['u h a', 20, 1, 0],
    // Never at a compaction, whose summary is no message.
    ['u a:x r:x c u a', 30, 4, null],
    // A cut may be at one of those, where nothing else allows one.
    ['r:x m r:y', 10, 1, 1],
    ['r:x n r:y', 10, 1, 1],
  ])('of %s with %i tokens to keep is at %i (turn %s)', (text, keep, firstKept, turnStart) => {
    const entries = path(text)
    expect(findCutPoint(entries, 0, entries.length, keep)).toEqual({ firstKept, turnStart })
  })

  it('looks at nothing before its start, and at nothing from its end on', () => {
    const entries = path('u a u a u a u a')
    expect(findCutPoint(entries, 3, 6, 999)).toEqual({ firstKept: 3, turnStart: null })
    expect(findCutPoint(entries, 2, 6, 11)).toEqual({ firstKept: 4, turnStart: null })
    expect(findCutPoint(entries, 4, 4, 10)).toEqual({ firstKept: 4, turnStart: null })
  })
})

describe('what a compaction prepares', () => {
  const prepared = (text: string, keep: number, keptBy = (_boundary: number) => -1) => {
    const found = prepareCompaction(path(text), keep, keptBy)
    if (found.kind === 'nothing') return found.why
    const { summarise, turnPrefix, firstKept, previous } = found.preparation
    return [
      summarise.from,
      summarise.to,
      turnPrefix === null ? null : [turnPrefix.from, turnPrefix.to],
      firstKept,
      previous,
    ]
  }

  it('begins behind the last boundary, or at what it keeps', () => {
    expect(prepareCompaction([], 10, () => -1)).toEqual({ kind: 'nothing', why: 'empty' })
    expect(prepared('u a c', 10)).toBe('just-compacted')
    expect(prepared('u a z', 10)).toBe('just-compacted')
    expect(prepared('u a u a', 99)).toBe('all-kept')
    expect(prepared('u a u a', 20)).toEqual([0, 2, null, 2, null])
    expect(prepared('u a u a a', 10)).toEqual([0, 2, [2, 4], 4, null])
    expect(prepared('u a c u a u a', 20)).toEqual([3, 5, null, 5, 2])
    expect(prepared('u a z u a u a', 20)).toEqual([3, 5, null, 5, null])
    expect(prepared('u a c u a u a', 20, (boundary) => boundary - 1)).toEqual([1, 5, null, 5, 2])
    expect(prepared('u a c u a u a', 20, () => 0)).toEqual([0, 5, null, 5, 2])
    // A boundary may be the first entry of all; where there is none, nothing is asked of it.
    expect(prepared('c u a u a', 20, () => 1)).toEqual([1, 3, null, 3, 0])
    expect(prepared('u a u a', 20, () => 1)).toEqual([0, 2, null, 2, null])
  })

  it('has something to summarise where a message is, a summary by itself is none', () => {
    const entries = path('h s m n b c')
    const has = (from: number, to: number) => hasMessages(entries, from, to)
    expect([
      has(0, 1),
      has(0, 2),
      has(2, 3),
      has(3, 4),
      has(4, 5),
      has(5, 6),
      has(0, 6),
      has(3, 3),
      has(9, 12),
    ]).toEqual([...[false, false, true, true, true, false, true, false, false]])
  })

  it('knows a path once: its messages, their places and its last boundary', () => {
    const entries = path('u s a:x r:x c m n u')
    const known = knownPath(entries)
    expect(knownPath(entries)).toBe(known)
    expect(known.boundary).toBe(4)
    expect(known.messages.map(({ seq }) => seq)).toEqual([1, 3, 4, 6, 7, 8])
    expect(known.messages[1]).toMatchObject({ role: 'assistant', size: 10, calls: [{ id: 'x' }] })
    expect([...known.messagesBefore]).toEqual([0, 1, 1, 2, 3, 3, 4, 5, 6])
    expect([...known.places]).toEqual([-1, 0, 1, 2, 3, 4, 5, 6, 7])
    expect(messagesIn(entries, 1, 4).map(({ seq }) => seq)).toEqual([3, 4])
    expect(knownPath(path('u z a')).boundary).toBe(1)
    expect(knownPath(path('u a')).boundary).toBe(-1)
  })

  it('a message that says its size is taken as it is, any other as a copy that says the same', () => {
    const entries = path('u a:x r:x m n')
    const sized = entries.map(({ fact, size }) => ({ fact: { ...fact, size }, size }))
    const { messages } = knownPath(sized)
    expect(messages.slice(0, 3).map((message, at) => message === sized[at]?.fact)).toEqual([true, true, true])
    const said = (all: typeof messages) =>
      all.map(({ seq, size, role, calls, resultFor }) => ({ seq, size, role, calls, resultFor }))
    expect(said(messages)).toEqual(said(knownPath(entries).messages))
  })
})

describe('D9, E2: the cut of a policy', () => {
  const cut = (text: string, keep: number, turns: number | null = null, more: Partial<CutOptions> = {}) => {
    const options = { policy: policyWith(keep, turns), keptBy: () => -1, room: 9_999, manual: false, ...more }
    const choice = chooseCut(path(text), options)
    if (choice.kind === 'nothing') return choice.why
    const { from, firstKept, turnStart, previous, tailStart, turnsStart, movedForPairing } = choice.cut
    return [from, firstKept, turnStart, previous, tailStart, turnsStart, movedForPairing]
  }

  it('is the one of the runtime, or the oldest protected turn before it', () => {
    expect(cut('u a u a u a', 20)).toEqual([0, 4, null, null, 4, null, false])
    expect(cut('u a u a u a', 20, 2)).toEqual([0, 2, null, null, 4, 2, false])
    expect(cut('u a u a u a', 20, 1)).toEqual([0, 4, null, null, 4, 4, false])
    expect(cut('u a u a u a', 10, 1)).toEqual([0, 4, null, null, 5, 4, false])
    expect(cut('u a u a u a', 10)).toEqual([0, 5, 4, null, 5, null, false])
    expect(cut('u a u a u a', 20, 3)).toBe('kept-by-policy')
    expect(cut('u a c u a u a u a', 20, 2)).toEqual([3, 5, null, 2, 7, 5, false])
  })

  it('gives up protected turns that do not fit, oldest first, but never the tail', () => {
    const at = (room: number) => cut('u a u a u a u a', 10, 3, { room })
    expect(at(60)).toEqual([0, 2, null, null, 7, 2, false])
    expect(at(59)).toEqual([0, 4, null, null, 7, 2, false])
    expect(at(39)).toEqual([0, 6, null, null, 7, 2, false])
    expect(at(19)).toEqual([0, 7, 6, null, 7, 2, false])
    expect(at(0)).toEqual([0, 7, 6, null, 7, 2, false])
  })

  it('goes back over calls whose results stay, and over those whose calls are further back', () => {
    expect(cut('u a u a:x u r:x a', 30)).toEqual([0, 3, 2, null, 4, null, true])
    expect(cut('u a:y u a:x r:y u r:x a', 30)).toEqual([0, 1, 0, null, 5, null, true])
    // A second result of the same call is a mere repetition.
    expect(cut('u a u a:x r:x u r:x a', 30)).toEqual([0, 5, null, null, 5, null, false])
    // Of several results of a call the first counts.
    expect(cut('u a u a:x u r:x r:x a', 40)).toEqual([0, 3, 2, null, 4, null, true])
    // A call of the same id that was never answered has nothing to do with it.
    expect(cut('u a:x u a:x r:x a', 40)).toEqual([0, 2, null, null, 2, null, false])
    // A result before its call moves nothing forward again.
    expect(cut('a:x r:y a:y r:x u r:y u', 21)).toBe('kept-by-policy')
    // The call is behind the cut as well.
    expect(cut('u a:x r:x u a:x r:x a', 40)).toEqual([0, 3, null, null, 3, null, false])
  })

  it('keeps no tail by hand where the tail would be everything', () => {
    expect(cut('u a u a', 999)).toBe('all-kept')
    expect(cut('u a u a', 999, null, { manual: true })).toEqual([0, 3, 2, null, 3, null, false])
    expect(cut('u c', 999, null, { manual: true })).toBe('just-compacted')
    // Where there is something besides the tail, that stays by hand as well.
    expect(cut('u a u a u a', 20, null, { manual: true })).toEqual([0, 4, null, null, 4, null, false])
  })

  it('fewer turns than are protected stay from the first entry on, whoever wrote that', () => {
    expect(cut('a a u a u a', 10, 5)).toBe('kept-by-policy')
    expect(cut('u a c a u a u a', 20, 5)).toBe('kept-by-policy')
    // Also a result before its call.
    expect(cut('r:x a:x u a', 10, 5)).toBe('kept-by-policy')
  })

  it('a result whose call is nowhere moves nothing', () => {
    expect(cut('u a:y r:y u a r:x a', 40)).toEqual([0, 3, null, null, 3, null, false])
  })

  /** Paths with words of these kinds, and what is asked to stay of them. */
  const anyPath = (...words: string[]) =>
    fc
      .record({
        words: fc.array(fc.constantFrom(...words), { minLength: 2, maxLength: 14 }),
        keep: fc.nat(90),
        turns: fc.option(fc.nat(3)),
      })
      .map(({ words: drawn, keep, turns }) => ({
        entries: path(drawn.join(' ')),
        options: { policy: policyWith(keep, turns), keptBy: () => -1, room: 9_999, manual: false },
      }))

  it('is the same where it is known already which cuts part no result from its call', () => {
    fc.assert(
      fc.property(anyPath('u', 'a', 's', 'a:x', 'a:y', 'r:x', 'r:y', 'c'), ({ entries, options }) => {
        const isPaired = (at: number) => {
          const called = new Set(
            entries.slice(0, at).flatMap(({ fact }) => (fact.calls ?? []).map(({ id }) => id)),
          )
          return !entries.slice(at).some(({ fact }) => called.has(fact.resultFor ?? ''))
        }
        const known = { boundary: knownPath(entries).boundary, isPaired }
        expect(chooseCut(entries, { ...options, known })).toEqual(chooseCut(entries, options))
      }),
    )
    // Where that is not known of a cut, it is looked at.
    const unknown = { boundary: -1, isPaired: () => false }
    const moved = [0, 3, 2, null, 4, null, true]
    expect(cut('u a u a:x u r:x a', 30, null, { known: unknown })).toEqual(moved)
  })

  it('never parts a result that stays from its only call', () => {
    fc.assert(
      fc.property(anyPath('u', 'a', 's', 'a:x', 'a:y', 'r:x', 'r:y', 'm'), ({ entries, options }) => {
        const choice = chooseCut(entries, options)
        if (choice.kind === 'nothing') return
        const { firstKept } = choice.cut
        const open = new Map<string, number>()
        entries.forEach(({ fact }, i) => {
          for (const { id } of fact.calls ?? []) open.set(id, i)
          const call = fact.resultFor === undefined ? undefined : open.get(fact.resultFor)
          if (fact.resultFor !== undefined) open.delete(fact.resultFor)
          if (call !== undefined && i >= firstKept) expect(call).toBeGreaterThanOrEqual(firstKept)
        })
      }),
    )
  })
})
