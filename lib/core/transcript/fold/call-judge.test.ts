import { describe, expect, it } from 'vitest'
import type { FrameSetup } from '../../tokens/build-frame'
import { learn, startCalibration } from '../../tokens/calibration'
import { sumsToTokens } from '../../tokens/context-sums'
import { fixedTotals } from '../../tokens/fixed'
import type { EntryFact } from '../entry'
import { CallJudge } from './call-judge'
import { routeHash } from './call-route'
import { EMPTY, enter } from './fold-states'
import { NO_TOTALS, TotalsTally } from './fold-totals'
import { KnownModels } from './known-models'

const SETUP: FrameSetup = { runtime: 'pi', hints: { index: null }, report: null }

const fact = (more: Partial<EntryFact>): EntryFact => ({
  ...{ seq: 1, line: 2, offset: 0, bytes: 1, type: 'message', id: 'e1', parentId: null, at: null },
  ...more,
})
const asked = (units: number) => fact({ role: 'user', units: { user: units } })
const answer = (input: number, more: Partial<EntryFact> = {}) =>
  fact({
    ...{ role: 'assistant', provider: 'p', model: 'm', stopReason: 'stop', units: { assistant: 20 } },
    usage: { input, output: 9, cacheRead: 0, cacheWrite: 0, costUsd: null },
    ...more,
  })
const holding = (units: number) => enter(EMPTY, asked(units), 'pi', false)

function judgeOf(models = new KnownModels(), setup = SETUP, totals = NO_TOTALS): CallJudge {
  return new CallJudge(setup, models, new TotalsTally(totals))
}

/** A model whose texts were seen to take half again as many tokens as are expected of them. */
function dense(): KnownModels {
  const models = new KnownModels()
  let calibration = startCalibration('p', 'm')
  const growth = {
    previousOutput: 9,
    outputUnits: { assistant: 9 },
    newUnits: { user: 1000 },
    newMessages: 2,
    calls: 0,
  }
  for (let i = 0; i < 20; i++) calibration = learn(calibration, { ...growth, dropped: 0, newImages: 0 }, 3000)
  models.keepCalibration('p', 'm', calibration)
  return models
}

describe('what a reported prompt shows of the context', () => {
  const overheadOf = (judge: CallJudge, total: number, given = answer(total)) =>
    judge.learnPrompt(given, holding(1000), EMPTY).overhead ?? 0

  it('is how much lies beside the conversation, by how its model counts', () => {
    const plain = overheadOf(judgeOf(), 9000)
    expect(overheadOf(judgeOf(dense()), 9000)).toBeLessThan(plain - 200)
    for (const other of [{ provider: 'q' }, { model: 'n' }])
      expect(overheadOf(judgeOf(dense()), 9000, answer(9000, other))).toBe(plain)
  })

  it('is what the runtime says of that, as far as it may be so', () => {
    const report = { system: 400, tools: 100 }
    const calibration = startCalibration('p', 'm')
    const fixed = fixedTotals(report, calibration).total
    const total = Math.round(fixed + sumsToTokens(holding(1000).sums, calibration).total * 1.05)
    expect(overheadOf(judgeOf(new KnownModels(), { ...SETUP, report }), total)).toBe(fixed)
    expect(overheadOf(judgeOf(), total)).not.toBe(fixed)
  })

  it('is nothing where none was reported', () => {
    expect(judgeOf().learnPrompt(answer(0), holding(1000), EMPTY)).toBe(EMPTY)
  })
})

describe('what a call teaches', () => {
  const samplesAfter = (...calls: readonly [before: EntryFact | null, call: EntryFact][]) => {
    const models = new KnownModels()
    const judge = judgeOf(models, { ...SETUP, runtime: 'codex' })
    let state = EMPTY
    for (const [before, call] of calls) {
      if (before !== null) state = enter(state, before, 'codex', false)
      judge.judge(call, state, 1)
      state = judge.learnPrompt(call, state, enter(state, call, 'codex', false))
    }
    return models.calibrationFor('p', 'm').samples
  }

  it('counts for later ones, unless its report is in doubt', () => {
    expect(samplesAfter([asked(100), answer(1000)])).toBe(0)
    expect(samplesAfter([asked(100), answer(1000)], [asked(100), answer(1200)])).toBe(1)
    expect(samplesAfter([asked(100), answer(1000)], [asked(9000), answer(1000)])).toBe(0)
  })

  it('is no less for what a new turn leaves behind', () => {
    const usage = { input: 1000, output: 300, cacheRead: 0, cacheWrite: 0, costUsd: null }
    const thought = answer(1000, { usage, units: { assistant: 50, thinking: 250 } })
    expect(samplesAfter([asked(100), thought], [asked(30), answer(1090)])).toBe(1)
  })
})

describe('the way of the next call', () => {
  it('is of the provider and model in use, in the session that the transcript names', () => {
    const totals = { ...NO_TOTALS, provider: 'p', model: 'm', sessionId: 's1' }
    const judge = judgeOf(new KnownModels(), SETUP, totals)
    const session = routeHash('s1') ?? null
    expect(session).not.toBeNull()
    expect(judge.nextRoute()).toEqual({ provider: 'p', model: 'm', api: null, hidden: null, session })
    expect(judge.session()).toBe(session)
  })

  it('is not known of a session without a name', () => {
    const judge = judgeOf()
    expect(judge.nextRoute()).toEqual({ provider: null, model: null, api: null, hidden: null, session: null })
    expect(judge.session()).toBeNull()
  })
})
