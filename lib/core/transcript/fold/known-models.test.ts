import { describe, expect, it } from 'vitest'
import type { FrameSetup } from '../../tokens/build-frame'
import { learn, startCalibration } from '../../tokens/calibration'
import { addToSums } from '../../tokens/context-sums'
import type { EntryFact } from '../entry'
import { anchorAt, EMPTY } from './fold-states'
import { KnownModels } from './known-models'

const SETUP: FrameSetup = { runtime: 'pi', hints: { index: null }, report: null }
/** A round size, as limits have: two calls in a row that report it prove it, where more was sent with the second. */
const LIMIT = 4096

const fact = (more: Partial<EntryFact>): EntryFact => ({
  ...{ seq: 1, line: 2, offset: 0, bytes: 1, type: 'message', id: 'e1', parentId: null, at: null },
  ...more,
})
const answer = (input: number, more: Partial<EntryFact> = {}) =>
  fact({
    ...{ role: 'assistant', provider: 'p', model: 'm', stopReason: 'stop' },
    usage: { input, output: 9, cacheRead: 0, cacheWrite: 0, costUsd: null },
    ...more,
  })
const holding = (units: number) => ({
  ...EMPTY,
  sums: addToSums(EMPTY.sums, fact({ role: 'user', units: { user: units } })),
})
/** The same behind a call whose report was this. */
const behind = (total: number, units: number) => ({
  ...holding(units),
  anchor: anchorAt(answer(total), total, EMPTY),
})

/** Judges calls in turn; each is sent more than the one before it, unless it says otherwise. */
function judged(
  models: KnownModels,
  ...calls: readonly { input: number; anchor?: number; turn?: number; units?: number; model?: string }[]
) {
  return calls.map(({ input, anchor, turn, units, model = 'm' }, i) => {
    const amount = units ?? 20_000 * (i + 1)
    const state = anchor === undefined ? holding(amount) : behind(anchor, amount)
    const given = answer(input, { model })
    return models.judgeReport(given, state, models.calibrationFor('p', model), SETUP, turn ?? i)
  })
}

describe('B5 what reports of a provider show of the sizes that it cuts prompts to', () => {
  it('a size that comes again while more was sent is a limit of that model', () => {
    const models = new KnownModels()
    const [first, second, third] = judged(models, { input: LIMIT }, { input: LIMIT }, { input: LIMIT })
    expect(first).toMatchObject({ isCut: false, isDoubtful: false })
    expect(first?.sent?.value).toBeGreaterThan(LIMIT)
    expect(second).toMatchObject({ isCut: true, isDoubtful: true })
    expect(third).toMatchObject({ isCut: true, isDoubtful: true })
    expect(third?.sent?.value).toBeGreaterThan(second?.sent?.value ?? Number.POSITIVE_INFINITY)
    expect([
      models.cutsPrompts('p', 'm'),
      models.cutsPrompts('p', 'n'),
      models.cutsPrompts('q', 'm'),
    ]).toEqual([...[true, false, false]])
    expect(models.proofFor('p', 'm', 7)).toEqual({ accepted: 7, cut: LIMIT })
    expect(models.proofFor('p', 'n', null)).toEqual({ accepted: null, cut: null })
  })

  it('a size that came once is none', () => {
    const models = new KnownModels()
    judged(models, { input: LIMIT }, { input: LIMIT, model: 'n' })
    expect(models.cutsPrompts('p', 'm')).toBe(false)
    expect(models.proofFor('p', 'm', 7)).toEqual({ accepted: 7, cut: null })
  })

  it('a report that is written again without a question between is a copy and proves nothing', () => {
    const [copied, asked] = [new KnownModels(), new KnownModels()]
    judged(copied, { input: LIMIT, turn: 1 }, { input: LIMIT, turn: 1 })
    judged(asked, { input: LIMIT, turn: 1 }, { input: LIMIT, turn: 2 })
    expect([copied.cutsPrompts('p', 'm'), asked.cutsPrompts('p', 'm')]).toEqual([false, true])
  })

  it('a report of a whole prompt is taken as it is', () => {
    const models = new KnownModels()
    const [larger, equal] = judged(models, { input: 50_000, units: 10 }, { input: 60_000, units: 10 })
    for (const one of [larger, equal]) expect(one).toEqual({ sent: null, isCut: false, isDoubtful: false })
  })

  it('behind a report only one that is the same again, or a limit, is held against our own count', () => {
    const models = new KnownModels()
    const [other, same] = judged(
      models,
      { input: 5_000, anchor: 4_900, units: 20_000 },
      { input: 5_001, anchor: 5_001, units: 20_000 },
    )
    expect(other).toEqual({ sent: null, isCut: false, isDoubtful: false })
    expect(same?.sent?.value).toBeGreaterThan(5_001)
    expect(same).toMatchObject({ isCut: false, isDoubtful: true })
    const [, , small] = judged(
      new KnownModels(),
      { input: LIMIT },
      { input: LIMIT },
      { input: LIMIT, units: 10 },
    )
    expect(small).toEqual({ sent: null, isCut: false, isDoubtful: false })
    const [, , again, whole] = judged(
      new KnownModels(),
      ...[{ input: LIMIT }, { input: LIMIT }, { input: LIMIT, anchor: 9_000, units: 90_000 }],
      { input: 3_000, anchor: 9_000, units: 90_000 },
    )
    expect(again).toMatchObject({ isCut: true, isDoubtful: true })
    expect(whole).toEqual({ sent: null, isCut: false, isDoubtful: false })
  })

  it('nothing is said by a call whose prompt was not reported', () => {
    const models = new KnownModels()
    const state = holding(20_000)
    const failed = answer(LIMIT, { stopReason: 'error' })
    expect(models.judgeReport(failed, state, models.calibrationFor('p', 'm'), SETUP, 1)).toEqual({
      ...{ sent: null, isCut: false, isDoubtful: false },
    })
    expect(models.snapshot().cuts).toEqual({})
  })
})

describe('what is known of models', () => {
  it('is how each of them counts, as it was learned last', () => {
    const models = new KnownModels()
    expect(models.calibrationFor('p', 'm')).toEqual(startCalibration('p', 'm'))
    const growth = {
      ...{ previousOutput: null, outputUnits: {}, newUnits: { user: 500 }, newMessages: 1, calls: 0 },
      ...{ dropped: 0, newImages: 0 },
    }
    const learned = learn(startCalibration('p', 'm'), growth, 900)
    models.keepCalibration('p', 'm', learned)
    expect(models.calibrationFor('p', 'm')).toBe(learned)
    expect(models.calibrationFor('p', 'n')).toEqual(startCalibration('p', 'n'))
    expect(models.calibrationFor('q', 'm')).toEqual(startCalibration('q', 'm'))
    expect(models.calibrationFor('p', 'm')).toBe(learned)
  })

  it('goes on from a snapshot, which stays as it is', () => {
    const models = new KnownModels()
    judged(models, { input: LIMIT, turn: 1 })
    const snapshot = models.snapshot()
    const kept = structuredClone(snapshot)
    const later = new KnownModels(JSON.parse(JSON.stringify(snapshot)))
    for (const one of [models, later]) judged(one, { input: LIMIT, turn: 2, units: 90_000 })
    expect(snapshot).toEqual(kept)
    expect(later.snapshot()).toEqual(models.snapshot())
    expect(later.cutsPrompts('p', 'm')).toBe(true)
  })
})
