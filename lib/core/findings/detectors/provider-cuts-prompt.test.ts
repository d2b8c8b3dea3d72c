import { describe, expect, it } from 'vitest'
import { foundKind } from '../../../testing/builders/findings-in'
import { TranscriptBuilder } from '../../../testing/builders/transcript'

const kind = 'provider-cuts-prompt'

function talk(reports: readonly number[]): TranscriptBuilder {
  const builder = new TranscriptBuilder()
  for (const input of reports) {
    builder.user('word '.repeat(1500))
    builder.assistant('Yes.', { usage: { input, output: 10 }, model: 'qwen3:8b' })
  }
  return builder
}

describe('a provider that cuts prompts', () => {
  it('is named with the size, the calls and what did not arrive', () => {
    const found = foundKind(talk([1600, 3200, 4096, 4096, 4096, 4096]).facts(), kind)
    expect(found).toMatchObject({
      severity: 'high',
      cause: `${kind} anthropic/qwen3:8b 4096`,
      concerns: { model: 'qwen3:8b', transcriptId: 't1' },
      evidence: { after: 4096 },
      cost: { tokens: { basis: 'estimated' }, usd: { basis: 'unknown' } },
    })
    expect(found?.evidence.before).toBeGreaterThan(6000)
    expect(found?.sentence).toContain('to 4\u202f096 tokens')
    expect(found?.remedies[0]?.words).toContain('num_ctx')
  })

  it('is not seen in prompts that grow, nor in a call that is repeated', () => {
    expect(foundKind(talk([1600, 3200, 4800, 6400, 8000]).facts(), kind)).toBeNull()
    const builder = talk([1600, 3200])
    for (let i = 0; i < 4; i++)
      builder.assistant('', { usage: { input: 3300, output: 1 }, stop: 'error', model: 'qwen3:8b' })
    expect(foundKind(builder.facts(), kind)).toBeNull()
  })
})
