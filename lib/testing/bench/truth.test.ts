import { describe, expect, it } from 'vitest'
import { estimateUnits } from '../../core/tokens/estimate'
import { TranscriptBuilder } from '../builders/transcript'
import { CORPUS } from '../corpus'
import { measureTruth } from './truth'
import { corpusTranscripts, SCRIPTED_MODEL, TRUTH_LIMITS } from './truth-bench'

const SETUP = { runtime: 'pi', hints: { index: null }, report: null } as const
const PARAGRAPH = 'The harbour master counts the barrels on the quay and writes them down. '

/** A session whose provider counts `factor` tokens per unit, 12 per result, and 2,100 for what is before it. */
function session(factor: number, calls: number): string[] {
  const t = new TranscriptBuilder()
  let prompt = 2_100
  const grow = (text: string) => {
    prompt += Math.round(factor * estimateUnits(text)) + 12
  }
  grow(PARAGRAPH)
  t.user(PARAGRAPH)
  for (let i = 0; i < calls; i++) {
    const output = 20 + (i % 30)
    t.assistant('', { model: 'm-1', calls: [`c${i}`], usage: { input: prompt, output } })
    prompt += output
    const text = PARAGRAPH.repeat(1 + ((i * 7) % 12))
    grow(text)
    t.result(`c${i}`, text)
  }
  t.assistant('done', { model: 'm-1', usage: { input: prompt, output: 5 } })
  return t.lines
}

describe('measureTruth', () => {
  it('finds next to no error where the provider counts as we do', () => {
    const [truth] = measureTruth([{ lines: session(1, 40), setup: SETUP }])
    expect(truth).toMatchObject({ model: 'm-1', pairs: 39, blind: 41 })
    expect(truth?.growth).toBeLessThan(0.01)
    expect(truth?.total).toBeLessThan(0.001)
    expect(truth?.blindTotal).toBeLessThan(0.05)
  })

  it('sees the error that learning takes away: large at the first calls, small over many', () => {
    const short = measureTruth([{ lines: session(1.6, 2), setup: SETUP }])[0]
    const long = measureTruth([{ lines: session(1.6, 60), setup: SETUP }])[0]
    expect(short?.growth).toBeGreaterThan(0.04)
    expect(long?.growth).toBeLessThan(0.03)
    expect(long?.blindTotal).toBeGreaterThan(0.15)
    expect(long?.plainGrowth).toBeGreaterThan(0.2)
  })

  it('leaves out pairs over a compaction, over images and over a change of model', () => {
    const t = new TranscriptBuilder()
    t.user(PARAGRAPH)
    t.assistant('a', { usage: { input: 5_000, output: 3 } })
    const kept = t.user(PARAGRAPH.repeat(9))
    t.compaction('short', kept)
    t.assistant('b', { usage: { input: 6_000, output: 3 } })
    t.message({ role: 'user', content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }] })
    t.assistant('c', { usage: { input: 8_000, output: 3 } })
    t.user(PARAGRAPH.repeat(9))
    t.assistant('d', { model: 'other', usage: { input: 9_000, output: 3 } })
    const truths = measureTruth([{ lines: t.lines, setup: SETUP }])
    expect(truths.map(({ pairs, blind }) => [pairs, blind])).toEqual([
      [0, 3],
      [0, 1],
    ])
  })
})

describe.skipIf(CORPUS === null)(
  'truth over the corpus of real sessions (skipped where it is absent)',
  () => {
    const truths = CORPUS === null ? [] : measureTruth(corpusTranscripts(CORPUS))
    const judged = truths.filter(({ model }) => model !== SCRIPTED_MODEL)

    it('B6 judges real models', () => {
      expect(judged.map(({ model }) => model)).toContain('claude-sonnet-4-5')
    })

    it.each(judged.map((truth) => [truth.model, truth] as const))(
      'B1–B8 %s keeps its limits',
      (_model, truth) => {
        if (truth.pairs > 0) {
          expect(truth.growth).toBeLessThanOrEqual(TRUTH_LIMITS.growth)
          expect(truth.total).toBeLessThanOrEqual(TRUTH_LIMITS.total)
          expect(truth.totalP95).toBeLessThanOrEqual(TRUTH_LIMITS.totalP95)
        }
        expect(truth.blindTotal).toBeLessThanOrEqual(TRUTH_LIMITS.blindTotal)
        expect(truth.growth).toBeLessThan(truth.plainGrowth / 4)
      },
    )
  },
)
