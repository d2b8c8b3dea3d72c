import { describe, expect, it } from 'vitest'
import type { SessionFinding } from '../../core/findings/finding'
import { measured } from '../../core/tokens/figure'
import { diagnosisOf } from './diagnosis'

const finding = (kind: string, over: Partial<SessionFinding['evidence']> = {}): SessionFinding => ({
  id: `${kind}.1`,
  kind,
  cause: kind,
  severity: 'high',
  confidence: 'likely',
  evidence: { times: 96, calls: [0, 3, 4], lines: [], before: 9_000, after: 4_096, ...over },
  cost: { tokens: measured(1), usd: measured(0), calls: measured(1), unpriced: 0 },
  firstSeen: null,
  lastSeen: null,
  concerns: {
    storeId: 's',
    transcriptId: 'ab12',
    sessionId: 'berth',
    agent: null,
    provider: null,
    model: null,
  },
  sentence: 'The provider of berth-1 cut 96 prompts to 4,096 tokens.',
  remedies: [{ by: 'advice', words: 'Raise the limit where the model runs.' }],
})

describe('why compactions are as they are', () => {
  it('is what was found about them, with what to do and where it shows', () => {
    const items = [
      { number: 2, line: 90 },
      { number: 1, line: 40 },
    ]
    const findings = [finding('provider-cuts-prompt', { lines: [40, 90] }), finding('unused-tools')]
    const [only, ...others] = diagnosisOf(findings, items, 'ab12')
    expect(others).toEqual([])
    expect(only).toMatchObject({
      title: 'The provider cuts the prompt',
      compactions: [1, 2],
      calls: [
        { number: 3, href: '/sessions/ab12?call=3' },
        { number: 4, href: '/sessions/ab12?call=4' },
      ],
      remedies: [{ words: 'Raise the limit where the model runs.', code: null, href: null }],
      href: '/findings?kind=provider-cuts-prompt',
    })
  })
})
