import { describe, expect, it } from 'vitest'
import type { Foreseen } from '../../core/findings/remedies/foreseen'
import { foreseenLines } from './foreseen-words'

const at = (value: number) => ({ value, low: value - 0.01, high: value + 0.01 })
const side = {
  ...{ usdSent: 4, compactions: 9, rewrites: 9, overfull: 0 },
  ...{ recall: at(0.95), longRecall: at(0.8), lost: at(0.02), rulesKept: null },
}
const foreseen: Foreseen = {
  ...{ sessions: 12, calls: 340, more: 3, failed: 1, now: side },
  changed: { ...side, usdSent: 3, compactions: 4, rewrites: 4, recall: at(0.97), lost: at(0.01) },
  ...{ gain: at(0.25), prompt: at(0.1) },
}
const plain = (of: Foreseen) => foreseenLines(of).map((line) => line.replace(/[\u202f\u00a0]/g, ' '))

describe('what a setting would have meant', () => {
  it('is said in money, prompts, compactions and what was needed later, with what it rests on', () => {
    expect(plain(foreseen)).toEqual([
      'It would have saved ≈ 25 % (24 % … 26 %) of the cost (≈ $4.00 → ≈ $3.00), with +10 % (+9 % to +11 %) prompt tokens.',
      'Compactions: 9 → 4; prompts that begin anew: 9 → 4; calls that would not fit: 0 → 0.',
      'Of what was needed later it would have met 95.0 % → 97.0 %, of needs older than ten calls 80 % → 80 %; lost for good: 2 % → 1 %.',
      'Estimated by replay of 12 sessions, 340 calls, 3 older ones not replayed, 1 could not be read, assuming the agent had done the same.',
    ])
  })

  it('says a loss as one, and that nothing was needed where nothing was', () => {
    const side2 = { ...side, recall: null, longRecall: null, lost: null }
    const lines = plain({ ...foreseen, gain: at(-0.1), now: side2, changed: side2 })
    expect(lines[0]).toMatch(/^It would have cost ≈ 10 % \(9 % … 11 %\) more/)
    expect(lines[2]).toBe(
      'Nothing in these sessions was needed later, so what it would have lost does not show.',
    )
  })

  it('says that nothing would have changed', () => {
    const none = { value: 0, low: 0, high: 0 }
    expect(plain({ ...foreseen, changed: side, gain: none, prompt: none })[0]).toBe(
      'It would have changed nothing in these calls.',
    )
  })
})
