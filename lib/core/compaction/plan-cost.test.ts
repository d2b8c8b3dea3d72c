import { describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { DEFAULT_POLICY } from '../policy/default-policy'
import { planCost } from './plan-cost'

const t = new TranscriptBuilder()
for (let i = 0; i < 4; i++) {
  t.user('go')
  t.assistant('', { calls: [`c${i}`] })
  t.result(`c${i}`, 'x')
}
const path = t
  .facts()
  .slice(1)
  .map((fact) => ({ fact, size: fact.resultFor === undefined ? 100 : 900 }))
const cost = (requests: { pruned?: number[]; parts?: number[][]; prefix?: number[] }, more = {}) =>
  planCost({
    requests: { pruned: [], parts: [], prefix: [], oversized: [3], ...requests },
    ...{ path, policy: DEFAULT_POLICY, source: 'model', price: null, summaryTokens: 50, cacheRead: 7 },
    ...more,
  })

describe('D28: what a summary asks of a model', () => {
  it('is a request for each part, and one more to merge several; results go in cut to 500 tokens', () => {
    expect(cost({ parts: [[1, 2, 3]] })).toEqual({
      ...{
        calls: 1,
        inputTokens: 100 + 100 + 500 + 4_096,
        outputTokens: 50,
        usd: null,
        source: null,
        cacheLost: 7,
      },
    })
    expect(cost({ parts: [[1, 2], [4]] })).toMatchObject({
      ...{ calls: 3, inputTokens: 300 + 3 * 4_096 + 2 * 50, outputTokens: 150 },
    })
    expect(cost({ pruned: [1], parts: [[2]], prefix: [3] })).toMatchObject({
      ...{ calls: 3, inputTokens: 700 + 3 * 4_096, outputTokens: 150 },
    })
    expect(cost({ parts: [[]] })).toMatchObject({ calls: 0, inputTokens: 0, outputTokens: 0 })
    expect(cost({ parts: [[1, 999]] }).inputTokens).toBe(100 + 4_096)
    // A message goes in whole.
    const long = path.map(({ fact }) => ({ fact, size: 900 }))
    expect(cost({ parts: [[1, 3]] }, { path: long }).inputTokens).toBe(900 + 500 + 4_096)
  })

  it('costs what the model’s price says, by the million', () => {
    const price = { input: 3, output: 15, source: 'settings' }
    expect(cost({ parts: [[1]] }, { price }).source).toBe('settings')
    expect(cost({ parts: [[1]] }, { price }).usd).toBeCloseTo((4_196 * 3 + 50 * 15) / 1e6, 12)
  })

  it('is nothing for a digest or a checkpoint; the prompt cache is lost all the same', () => {
    for (const source of ['digest', 'checkpoint'])
      expect(cost({ parts: [[1]] }, { source })).toEqual({
        ...{ calls: 0, inputTokens: 0, outputTokens: 0, usd: 0, source: null, cacheLost: 7 },
      })
  })
})
