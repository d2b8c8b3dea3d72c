import { describe, expect, it } from 'vitest'
import { effectItem } from './effect-item'

const measure = { name: 'prompt', words: 'prompt tokens per call' } as const
const watched = { receipt: 'r1', foreseen: null }

describe('whether an applied setting helped', () => {
  it('says it with both means, the interval and the counts', () => {
    const numbers = {
      before: 50_000,
      after: 60_000,
      callsBefore: 55,
      callsAfter: 48,
      low: 8_000,
      high: 12_000,
    }
    const verdict = { kind: 'worse', ...numbers } as const
    const item = effectItem({ watched, measure, verdict, takeBack: ['plimsoll', 'undo', 'r1'], problems: [] })
    expect(item).toMatchObject({ receipt: 'r1', verdict: 'worse', takeBack: true, problems: [] })
    expect(item.sentence.replace(/\u202f/g, ' ')).toBe(
      'Worse. prompt tokens per call: 50 000 → 60 000 (95 % interval of the difference: +8 000 to +12 000; 55 calls before, 48 after).',
    )
  })

  it('says what was foreseen beside what was seen', () => {
    const foreseen = {
      ...{ sessions: 12, change: -0.23, low: -0.3, high: -0.15, recall: 0.995 },
      ...{ saving: 0.12, savingLow: 0.05, savingHigh: 0.2 },
    }
    const verdict = {
      kind: 'helped' as const,
      ...{ before: 50_000, after: 40_000, callsBefore: 55, callsAfter: 48 },
      ...{ low: -12_000, high: -8_000 },
    } as const
    const { sentence } = effectItem({
      ...{ watched: { receipt: 'r1', foreseen }, measure, verdict, takeBack: null, problems: [] },
    })
    expect(sentence.replace(/\u202f/g, ' ')).toContain(
      'Foreseen by replay of 12 sessions: −23 % (−30 % to −15 %), cost −12 % (−20 % to −5 %), 99.5 % of later needs met. Seen: −20 % (−24 % to −16 %).',
    )
  })

  it('says what is missing, and what could not be read, some by name and the rest as a number', () => {
    const verdict = {
      kind: 'not-enough',
      callsBefore: 55,
      callsAfter: 0,
      missingBefore: 0,
      missingAfter: 100,
      soFar: { before: 40_000, after: 38_000, low: -9_000, high: 5_000 },
    } as const
    const problems = Array.from({ length: 8 }, (_, n) => ({ file: `/s/${n}.jsonl`, problem: 'gone' }))
    const item = effectItem({ watched, measure, verdict, takeBack: null, problems })
    expect(item).toMatchObject({ verdict: 'not-enough', takeBack: false })
    expect(item.sentence.replace(/\u202f/g, ' ')).toContain(
      'about 100 more calls are missing to find an effect of 15 %. So far prompt tokens per call: 40 000 → 38 000',
    )
    expect(item.problems).toHaveLength(6)
    expect(item.problems.at(-1)).toBe('and 3 more that could not be read')
  })

  it('is not measured where the finding shows in no call', () => {
    const item = effectItem({ watched, measure: null, verdict: null, takeBack: null, problems: [] })
    expect(item.verdict).toBe('not-measured')
  })
})
