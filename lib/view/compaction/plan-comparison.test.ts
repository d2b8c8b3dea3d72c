import { describe, expect, it } from 'vitest'
import type { ComparedPlan } from '../../core/compaction/compared-plan'
import { estimated } from '../../core/tokens/figure'
import type { TrialName } from '../policy/policy-trial'
import { comparisonView } from './plan-comparison'

const plan = (name: TrialName, over: Partial<ComparedPlan<TrialName>> = {}): ComparedPlan<TrialName> => ({
  name,
  line: 100_000,
  crossed: { times: 0, first: null },
  tokensBefore: estimated(180_000, 6),
  tokensAfter: estimated(47_000, 6),
  chunks: { keep: 4, summarise: 90, prune: 0, drop: 0 },
  summaryTokens: 2_000,
  usd: 0,
  nothing: null,
  sameAs: null,
  ...over,
})

describe('X10 policies side by side, in words', () => {
  it('says how far the plans are apart, and which come to the same', () => {
    const { sentence, rows } = comparisonView([
      plan('effective'),
      plan('vs7', { sameAs: 'effective' }),
      plan('memfas', { tokensAfter: estimated(90_000, 6), crossed: { times: 2, first: 31 } }),
    ])
    expect(sentence).toBe(
      '2 different plans: your files leaves least (−74 %), preset memfas most (−50 %).'.replace(
        / %/g,
        '\u202f%',
      ),
    )
    expect(rows[1]?.note).toBe('Same plan as your files: the values that differ do not act on this session.')
    expect(rows.map(({ fires }) => fires)).toEqual([
      'not reached',
      'not reached',
      '2 times, first at call 31',
    ])
  })

  it('says so when all are one, when one does nothing, and when no size is known', () => {
    expect(comparisonView([plan('effective'), plan('vs7', { sameAs: 'effective' })]).sentence).toBe(
      'All of them come to the same plan here: the values that differ do not act on this session.',
    )
    expect(
      comparisonView([plan('effective'), plan('vs7', { sameAs: 'effective', line: 80_000 })]).sentence,
    ).toBe(
      'All of them come to the same plan here: the values that differ do not act on this session, except for when they compact.',
    )
    const nothing = plan('vs7', {
      nothing: 'off',
      line: null,
      tokensAfter: estimated(180_000, 6),
      chunks: null,
    })
    const { rows, sentence } = comparisonView([plan('effective'), nothing])
    expect(rows[1]).toMatchObject({
      note: 'Nothing to compact: the policy has compaction switched off.',
      fires: 'never by itself',
    })
    expect(sentence).toContain('preset vs7 most (nothing freed)')
    const idle = comparisonView([plan('effective', { nothing: 'off' }), plan('vs7', { nothing: 'off' })])
    expect(idle).toEqual({
      rows: [],
      sentence: 'None of them would change anything: the policy has compaction switched off.',
    })
    const unknown = { value: null, basis: 'unknown', errorPct: null } as const
    expect(comparisonView([plan('effective', { tokensAfter: unknown })]).sentence).toContain('unknown')
  })
})
