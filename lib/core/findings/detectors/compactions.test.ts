import { describe, expect, it } from 'vitest'
import { foundKind } from '../../../testing/builders/findings-in'
import { TranscriptBuilder } from '../../../testing/builders/transcript'

/** Prompts of these sizes with a compaction between each two. */
function compacted(prompts: readonly number[], text = 'Go.'): TranscriptBuilder {
  const builder = new TranscriptBuilder()
  prompts.forEach((input, i) => {
    const asked = builder.user(text)
    if (i > 0) builder.compaction('The berths were looked at.', asked)
    builder.assistant('Done.', { usage: { input, output: 10 } })
  })
  return builder
}

describe('compactions that free nothing', () => {
  const kind = 'compaction-frees-nothing'

  it('names them with what they left', () => {
    const found = foundKind(compacted([50_000, 49_000, 48_500]).facts(), kind)
    expect(found).toMatchObject({ severity: 'low', evidence: { times: 2, calls: [2, 3], before: 50_012 } })
    expect(found?.cost.tokens.value).toBeGreaterThan(90_000)
    expect(found?.cost.usd.basis).toBe('estimated')
    expect(found?.sentence).toContain('2 of 2 compactions')
  })

  it('is calm about one that freed, and about one whose room was filled at once', () => {
    expect(foundKind(compacted([50_000, 20_000]).facts(), kind)).toBeNull()
    const builder = compacted([50_000])
    const kept = builder.user('Read it.')
    builder.compaction('Short.', kept)
    builder.user('word '.repeat(40_000))
    builder.assistant('Done.', { usage: { input: 52_000, output: 10 } })
    expect(foundKind(builder.facts(), kind)).toBeNull()
  })

  it('leaves small prompts alone', () => {
    expect(foundKind(compacted([3_000, 3_000, 3_000]).facts(), kind)).toBeNull()
  })
})

describe('compactions in a chain', () => {
  const kind = 'compaction-chain'

  it('names three in a row, and calls five a loop', () => {
    expect(foundKind(compacted([9_000, 5_000, 5_000, 5_000]).facts(), kind)).toMatchObject({
      severity: 'medium',
      evidence: { times: 3, calls: [1, 2, 3] },
      cost: { tokens: { basis: 'unknown' }, calls: { value: 3 } },
    })
    expect(foundKind(compacted([9, 5, 5, 5, 5, 5].map((k) => k * 1000)).facts(), kind)?.severity).toBe('high')
  })

  it('is calm about two in a row, and about many with work between', () => {
    expect(foundKind(compacted([9_000, 5_000, 5_000]).facts(), kind)).toBeNull()
    const builder = new TranscriptBuilder()
    for (let i = 0; i < 5; i++) {
      const asked = builder.user('Go.')
      builder.compaction('Gone.', asked)
      for (let n = 0; n < 4; n++) builder.assistant('Done.', { usage: { input: 5000 + n, output: 1 } })
    }
    expect(foundKind(builder.facts(), kind)).toBeNull()
  })

  it('does not go on over a reset', () => {
    const builder = compacted([9_000, 5_000])
    builder.entry('reset', { reason: 'new' })
    const asked = builder.user('Anew.')
    builder.assistant('Yes.', { usage: { input: 1000 } })
    builder.compaction('Short.', asked)
    builder.assistant('Yes.', { usage: { input: 900 } })
    expect(foundKind(builder.facts(), kind)).toBeNull()
  })
})
