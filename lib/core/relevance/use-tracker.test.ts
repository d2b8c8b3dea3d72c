import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../policy/default-policy'
import { LOGISTIC_COEFFICIENTS, logisticScorer } from './logistic-scorer'
import { type ChunkSignals, sumOfParts, type UseSignals } from './score'
import { scorerOf } from './scorer-of'
import { UseTracker } from './use-tracker'

describe('H1: how a chunk was used', () => {
  test('a call uses the chunks that hold what it writes again', () => {
    const tracker = new UseTracker()
    tracker.addOutput('read src/tui/footer.ts')
    expect(tracker.recentOutput).toBe('read src/tui/footer.ts')
    tracker.addChunk('src/tui/footer.ts calls renderClock()', 100)
    tracker.addOutput('now something else')
    tracker.addChunk('nothing of interest', 50)
    tracker.addOutput('rename renderClock() in src/tui/footer.ts')
    const [first, second] = tracker.signals([0.7])
    expect(first).toEqual({
      callsSinceBorn: 2,
      callsSinceUse: 0,
      uses: 1,
      tokens: 100,
      outputSimilarity: 0.7,
      spanOverlap: 1,
    })
    expect(second).toMatchObject({ callsSinceBorn: 1, callsSinceUse: 1, uses: 0, spanOverlap: 0 })
    expect(tracker.recentOutput.split('\n')).toHaveLength(3)
  })

  test('a span in three chunks is evidence of a use, in four of twelve it is, in five it is not', () => {
    const uses = (holding: number, others: number) => {
      const tracker = new UseTracker()
      for (let i = 0; i < holding; i++) expect(tracker.addChunk('see src/common/file.ts', 10)).toBe(i)
      for (let i = 0; i < others; i++) tracker.addChunk(`nothing ${i}`, 10)
      tracker.addOutput('src/common/file.ts src/common/file.ts')
      return tracker.signals([]).map((signals) => signals.uses)
    }
    expect(uses(3, 0)).toEqual([1, 1, 1])
    expect(uses(4, 0)).toEqual([0, 0, 0, 0])
    expect(uses(4, 10).slice(0, 5)).toEqual([1, 1, 1, 1, 0])
    expect(uses(5, 10).slice(0, 5)).toEqual([0, 0, 0, 0, 0])
  })

  test('what the model is at is what its last three calls wrote', () => {
    const tracker = new UseTracker()
    tracker.addChunk('src/a.ts and src/b.ts and src/c.ts and src/d.ts', 7)
    tracker.addChunk('src/d.ts', 3)
    for (const name of ['a', 'b', 'c', 'd']) tracker.addOutput(`open src/${name}.ts`)
    expect(tracker.recentOutput).toBe('open src/b.ts\nopen src/c.ts\nopen src/d.ts')
    const [first, second] = tracker.signals([])
    expect(first).toEqual({
      ...{ callsSinceBorn: 4, callsSinceUse: 0, uses: 4, tokens: 7, outputSimilarity: 0, spanOverlap: 1 },
    })
    expect(second?.spanOverlap).toBeCloseTo(1 / 3, 10)
    tracker.addOutput('no span')
    expect(tracker.signals([0.1, 0.2])[1]).toMatchObject({
      callsSinceUse: 1,
      outputSimilarity: 0.2,
      spanOverlap: 0.5,
    })
    // Of three spans two are in no chunk.
    tracker.addOutput('open src/e.ts and src/f.ts')
    expect(tracker.signals([]).map(({ spanOverlap }) => spanOverlap)).toEqual([1 / 3, 1 / 3])
    expect(new UseTracker().signals([])).toEqual([])
    const silent = new UseTracker()
    silent.addChunk('src/a.ts', 1)
    expect(silent.signals([])[0]?.spanOverlap).toBe(0)
  })

  test('what is everywhere is no evidence of use', () => {
    const tracker = new UseTracker()
    for (let i = 0; i < 6; i++) tracker.addChunk('see src/common/file.ts', 10)
    tracker.addOutput('src/common/file.ts')
    expect(tracker.signals([]).every(({ uses }) => uses === 0)).toBe(true)
  })
})

describe('H11: the logistic scorer', () => {
  const use: UseSignals = {
    callsSinceBorn: 5,
    callsSinceUse: 5,
    uses: 0,
    tokens: 400,
    outputSimilarity: 0.1,
    spanOverlap: 0,
  }
  const signals = (changed: Partial<UseSignals> = {}): ChunkSignals => ({
    similarity: 0.2,
    ageMs: null,
    important: false,
    use: { ...use, ...changed },
  })
  const { score, name: scorerName } = logisticScorer()

  test('each feature is the logarithm of what was counted, or the likeness itself', () => {
    const given = {
      callsSinceBorn: 5,
      callsSinceUse: 3,
      uses: 2,
      tokens: 400,
      outputSimilarity: 0.1,
      spanOverlap: 0.4,
    }
    const one = Object.fromEntries(Object.keys(LOGISTIC_COEFFICIENTS).map((name) => [name, 1]))
    const { parts, scale } = logisticScorer(one as typeof LOGISTIC_COEFFICIENTS).score(signals(given))
    const expected = [1, Math.log(6), Math.log(4), Math.log(3), Math.log(401), 0.2, 0.1, 0.4]
    for (const [i, value] of expected.entries()) expect(parts[i]?.value).toBeCloseTo(value, 10)
    expect([parts.length, scale, scorerName]).toEqual([8, 'log-odds', 'logistic'])
  })

  test('its parts are the features times the coefficients, in the order of the table', () => {
    const { parts, value } = score(signals())
    expect(parts.map(({ name }) => name)).toEqual(Object.keys(LOGISTIC_COEFFICIENTS))
    expect(parts[1]?.value).toBeCloseTo(LOGISTIC_COEFFICIENTS.age * Math.log(6), 10)
    expect(value).toBeCloseTo(1 / (1 + Math.exp(-sumOfParts(parts))), 12)
  })

  test('a policy names the scorer', () => {
    const named = (scorer: 'seed' | 'logistic') => scorerOf({ ...DEFAULT_POLICY.relevance, scorer }).name
    expect([named('seed'), named('logistic')]).toEqual(['seed', 'logistic'])
  })

  test('what is old and long unused scores less than what is new', () => {
    const aged = score(signals({ callsSinceBorn: 90, callsSinceUse: 90 })).value
    expect(aged).toBeLessThan(score(signals()).value)
    expect(score(signals({ callsSinceUse: 1 })).value).toBeGreaterThan(score(signals()).value)
  })

  test('any chunk scores from 0 to 1; of unknown use, near the middle, and it is said', () => {
    const count = fc.nat(1_000_000)
    const part = fc.double({ min: 0, max: 1, noNaN: true })
    const any = fc.record({
      callsSinceBorn: count,
      callsSinceUse: count,
      uses: count,
      tokens: count,
      outputSimilarity: part,
      spanOverlap: part,
    })
    fc.assert(
      fc.property(any, (changed) => {
        const { value } = score(signals(changed))
        expect(value >= 0 && value <= 1).toBe(true)
      }),
    )
    const unknown = score({ ...signals(), use: null })
    expect(unknown.value).toBeCloseTo(1 / (1 + Math.exp(-0.2 * LOGISTIC_COEFFICIENTS.similarity)), 10)
    expect(unknown.parts).toEqual([
      { name: 'base', value: 0, note: 'use unknown' },
      { name: 'similarity', value: 0.2 * LOGISTIC_COEFFICIENTS.similarity },
    ])
  })
})
