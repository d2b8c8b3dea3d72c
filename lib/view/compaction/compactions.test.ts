import { describe, expect, it } from 'vitest'
import type { InspectedCompaction } from '../../core/compaction/inspect'
import { inspectedCompaction } from '../../testing/builders/inspected'
import { compactionItems, freedWords, lookedWords } from './compactions'

const one = inspectedCompaction({
  ...{ recordedBefore: 186_204, promptBefore: 180_000, promptAfter: 45_000 },
  ...{ summarised: [1, 2, 3], midTask: true },
})

describe('X7 recorded compactions', () => {
  it('come newest first, with what they freed and the calls around them', () => {
    const items = compactionItems([one, { ...one, seq: 90, afterCall: 20 }], 20, () => null)
    expect(
      items.map(({ number, seq, callBefore, callAfter }) => [number, seq, callBefore, callAfter]),
    ).toEqual([
      [2, 90, 20, null],
      [1, 40, 12, 13],
    ])
    expect(items[1]).toMatchObject({ freed: 0.75, summarised: 3, kept: 2, midTask: true, ours: null })
  })

  it('what was not reported is unknown, never nothing', () => {
    const [item] = compactionItems([{ ...one, promptAfter: null, afterCall: 0 }], 0, () => null)
    expect(item).toMatchObject({ freed: null, callBefore: null, callAfter: null })
    expect(freedWords(null)).toBe('')
  })

  it('says oddities and triggers in words', () => {
    const odd: InspectedCompaction = { ...one, trigger: 'early', oddities: ['doubled', 'was-reset'] }
    const [item] = compactionItems([odd], 20, () => null)
    expect(item?.trigger.about).toContain('line of its runtime was not reached')
    expect(item?.oddities.map(({ word }) => word)).toEqual(['repeated at once', 'began anew'])
  })

  it('says nothing was reclaimed only where that is so', () => {
    const wordOf = (promptAfter: number) => {
      const odd: InspectedCompaction = {
        ...one,
        promptBefore: 10_000,
        promptAfter,
        oddities: ['reclaimed-nothing'],
      }
      return compactionItems([odd], 20, () => null)[0]?.oddities[0]?.word
    }
    expect([9_560, 9_999, 10_000, 10_400].map(wordOf)).toEqual([
      'reclaimed little',
      'reclaimed nothing',
      'reclaimed nothing',
      'reclaimed nothing',
    ])
  })

  it('names what grew as growth', () => {
    expect(freedWords(0.77)).toBe('−77\u202f%')
    expect(freedWords(-0.03)).toBe('+3\u202f%: it grew')
    expect([freedWords(0.0001), freedWords(-0.0001)]).toEqual(['0\u202f%', '0\u202f%'])
  })

  it('says how far the search for names that came back went', () => {
    const losses = { before: 0, lost: 0, back: 0, groups: [], sentences: [], moreSentences: 0 }
    expect(lookedWords({ summary: '', losses, lookedAt: 2_000, complete: false })).toContain('the first of')
  })
})
