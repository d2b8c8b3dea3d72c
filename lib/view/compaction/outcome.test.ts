import { describe, expect, it } from 'vitest'
import { estimated, measured, UNKNOWN } from '../../core/tokens/figure'
import { ownSentence } from './outcome'

const compacted = (tokensAfter = estimated(35_900, 6)) =>
  ownSentence({
    kind: 'compacted',
    plan: { tokensBefore: measured(174_810), tokensAfter },
    summary: { source: 'digest', by: null },
  })

describe('X11 what became of a compaction', () => {
  it('names the figures of the plan as such: what the window holds now is counted anew', () => {
    expect(compacted()).toMatch(
      /^Compacted and verified; the summary is .*\. The plan was 174\u202f810 → ≈ 35\u202f900 tokens\.$/,
    )
    expect(compacted(UNKNOWN)).not.toContain('The plan was')
  })
})
