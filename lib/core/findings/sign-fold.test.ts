import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findingsIn } from '../../testing/builders/findings-in'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { DETECTORS } from './detectors'

/** A session in which much goes wrong. */
function troubled(): TranscriptBuilder {
  const builder = new TranscriptBuilder()
  for (let i = 0; i < 12; i++) {
    const asked = builder.user('word '.repeat(300 * (i % 3)))
    if (i % 4 > 0) builder.compaction('Short.', asked)
    builder.assistant('Yes.', { calls: [`c${i}`], usage: { input: 40_000, output: 50, cacheRead: 100 } })
    builder.result(`c${i}`, 'berth '.repeat(2000))
  }
  return builder
}

describe('the fold of signs', () => {
  const facts = troubled().facts()
  const whole = findingsIn(facts)

  it('finds the same wherever it was written down and read again', () => {
    expect(whole.length).toBeGreaterThan(0)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: facts.length - 1 }), (pause) => {
        expect(findingsIn(facts, { pause })).toEqual(whole)
      }),
      { numRuns: 15 },
    )
  })

  it('gives each finding one id, which stays while the session goes on', () => {
    expect(new Set(whole.map(({ id }) => id)).size).toBe(whole.length)
    const later = new Set(findingsIn([...facts, ...facts.slice(-1)]).map(({ id }) => id))
    for (const { id } of whole) expect(later).toContain(id)
  })

  it('has a detector once, with its words', () => {
    expect(new Set(DETECTORS.map(({ kind }) => kind)).size).toBe(DETECTORS.length)
    for (const { title, about, signs } of DETECTORS)
      for (const words of [title, about, signs]) expect(words.length).toBeGreaterThan(8)
  })
})
