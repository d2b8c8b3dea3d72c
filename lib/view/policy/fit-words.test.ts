import { describe, expect, it } from 'vitest'
import type { CompactionExplanation } from '../../core/compaction/explain'
import { policyFit } from '../../core/compaction/policy-fit'
import { explanationWords, fitWords } from './fit-words'

/** Figures are parted by narrow spaces, which are invisible in a test. */
const plain = (text: string) => text.replace(/\s/gu, ' ')

const explained: CompactionExplanation = {
  ...{ verdict: 'explained', reason: null, rules: '2026.2', tokens: 181_000, line: 180_000 },
  ...{ window: { tokens: 200_000, source: 'index' }, assumedWindow: null, gap: 1 },
}
const at = (explanation: CompactionExplanation) => ({
  line: 1,
  entryId: 'e',
  at: null,
  afterCall: 1,
  explanation,
})

describe('X9 the fit in words', () => {
  it('says what was compared, by how many calls it is off, and what was assumed', () => {
    expect(plain(explanationWords(explained))).toBe(
      '181 000 tokens against the line of 180 000 in 200 000, 1 call off',
    )
    expect(plain(explanationWords({ ...explained, gap: 0, assumedWindow: 'the default' }))).toBe(
      '181 000 tokens against the line of 180 000 in 200 000, assumed: the default',
    )
    expect(
      plain(explanationWords({ ...explained, verdict: 'unexplained', reason: 'below-line', gap: null })),
    ).toMatch(/^the line was not reached: .* \(181 000 tokens/)
    const manual = { ...explained, verdict: 'apart', reason: 'manual', line: null } as const
    expect(plain(explanationWords(manual))).toBe('it was asked for, as the runtime noted')
  })

  it('counts what was compared, and what could not be', () => {
    const apart: CompactionExplanation = { ...explained, verdict: 'apart', reason: 'overflow' }
    const off: CompactionExplanation = { ...explained, verdict: 'unexplained', reason: 'late' }
    expect(plain(fitWords(policyFit([at(explained), at(off), at(apart)])))).toBe(
      '1 of 2 compactions explained within one call (50 %); 1 more cannot be compared',
    )
    expect(fitWords(policyFit([at(apart)]))).toBe('none of 1 recorded compaction can be compared')
    expect(fitWords(policyFit([]))).toBe('no compaction is recorded')
  })
})
