import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Calibration,
  errorOf,
  factorFor,
  type Growth,
  learn,
  modeOf,
  perMessage,
  predictGrowth,
  startCalibration,
} from './calibration'
import { CATEGORIES, ENTRY_CATEGORIES } from './category'

/** A model whose tokenizer and habits are known: what we calibrate against. */
type Model = {
  factor: number
  framing: number
  /** Reasoning that is reported as output, in tokens per unit of visible thinking, and whether it is sent again. */
  resent: boolean
  reportsOutput?: boolean
  /** Size of the largest tool result, in units. */
  largest?: number
}

/** Growths of a session with that model: tool results of all sizes, now and then a user message. */
function session(model: Model, calls: number, noise = 0): { growth: Growth; measured: number }[] {
  return Array.from({ length: calls }, (_, i) => {
    const user = i % 7 === 3
    const size = 20 + ((i * 7919) % (model.largest ?? 1500))
    const outputUnits = {
      assistant: 20 + (i % 50),
      'tool-call': 40 + ((i * 31) % 90),
      thinking: (i * 53) % 400,
    }
    const visible = model.factor * (outputUnits.assistant + outputUnits['tool-call'])
    const thinking = model.factor * outputUnits.thinking
    const wobble = 1 + noise * Math.sin(i * 12.9898)
    const answer = visible + (model.resent ? thinking : 0)
    const growth: Growth = {
      previousOutput: model.reportsOutput === false ? null : Math.round(visible + thinking),
      outputUnits,
      newUnits: user ? { user: size } : { 'tool-result': size },
      newMessages: 2,
      newImages: 0,
      calls: user ? 0 : 1,
      dropped: 0,
    }
    return { growth, measured: Math.round(answer + model.factor * size * wobble + model.framing) }
  })
}

function train(model: Model, calls: number, noise = 0, name = 'mystery-1'): Calibration {
  let c = startCalibration('someone', name)
  for (const { growth, measured } of session(model, calls, noise)) c = learn(c, growth, measured)
  return c
}

const RESENT: Model = { factor: 1.4, framing: 25, resent: true }
const DROPPED: Model = { factor: 1.1, framing: 5, resent: false }
const SILENT: Model = { factor: 0.9, framing: 8, resent: true, reportsOutput: false }

const PLAIN: Growth = {
  previousOutput: 100,
  outputUnits: { assistant: 90 },
  newUnits: { 'tool-result': 1000 },
  newMessages: 2,
  newImages: 0,
  calls: 1,
  dropped: 0,
}

describe('before anything is learned', () => {
  it('takes the model family for a start, and says that it is not sure', () => {
    expect(factorFor(startCalibration('anthropic', 'claude-opus-4-5'), 'user')).toBeCloseTo(1.22)
    expect(factorFor(startCalibration('openai', 'gpt-5.4'), 'user')).toBe(1)
    expect(factorFor(startCalibration(null, null), 'user')).toBe(1)
    expect(errorOf(startCalibration('anthropic', 'claude-opus-4-5'))).toBeCloseTo(15)
    const { tokens, errorPct } = predictGrowth(startCalibration('openai', 'gpt-5.4'), PLAIN)
    expect(tokens).toBeCloseTo(100 + 1000 + 12)
    expect(errorPct).toBeGreaterThan(5)
  })
})

describe('learning from reported growth', () => {
  it.each([
    ['sends its answers back as reported', RESENT, 'reported'],
    ['drops its reasoning', DROPPED, 'visible'],
    ['never reports output', SILENT, 'thought'],
  ] as const)('finds factor and framing of a model that %s', (_what, model, mode) => {
    const c = train(model, 60)
    expect(modeOf(c)).toBe(mode)
    expect(factorFor(c, 'tool-result') / model.factor).toBeCloseTo(1, 1)
    const next = session(model, 80).slice(60)
    for (const { growth, measured } of next) {
      expect(Math.abs(predictGrowth(c, growth).tokens - measured) / measured).toBeLessThan(0.03)
    }
  })

  it('gives thinking no room where it is not sent again, and some where it is', () => {
    expect(factorFor(train(DROPPED, 60), 'thinking')).toBe(0)
    expect(factorFor(train(RESENT, 60), 'thinking')).toBeCloseTo(1.4, 1)
  })

  it('learns what tool results and other text take apart from each other', () => {
    let c = startCalibration('someone', 'mystery-1')
    for (let i = 0; i < 60; i++) {
      const units = 100 + ((i * 377) % 900)
      const results = { ...PLAIN, newUnits: { 'tool-result': units } }
      c = learn(c, results, 100 + 1.3 * units + 12)
      c = learn(c, { ...PLAIN, newUnits: { user: units } }, 100 + 0.9 * units + 4)
    }
    expect(factorFor(c, 'tool-result')).toBeCloseTo(1.3, 1)
    expect(factorFor(c, 'user')).toBeCloseTo(0.9, 1)
  })

  it('spreads the framing over all messages of a context', () => {
    expect(perMessage(train({ factor: 1, framing: 40, resent: true, largest: 200 }, 80))).toBeGreaterThan(12)
    expect(perMessage(train({ factor: 1, framing: 0, resent: true, largest: 200 }, 80))).toBeLessThan(3)
  })

  it('ignores prompts that shrank: pruned or truncated, they say nothing about tokens', () => {
    const c = train(RESENT, 10)
    expect(learn(c, PLAIN, -4000)).toBe(c)
    expect(learn(c, PLAIN, 0)).toBe(c)
    expect(learn(c, PLAIN, Number.NaN)).toBe(c)
  })

  it('hardly minds a jump that no entry explains', () => {
    const c = train(RESENT, 30)
    const jumped = learn(c, PLAIN, 20_000)
    for (const category of ENTRY_CATEGORIES) {
      expect(factorFor(jumped, category) / (factorFor(c, category) || 1)).toBeGreaterThan(0.95)
      expect(factorFor(jumped, category)).toBeLessThan(1.05 * factorFor(c, category) + 1e-9)
    }
  })

  it('gives up a prior that is far off', () => {
    expect(factorFor(train({ factor: 2.2, framing: 10, resent: true }, 40), 'tool-result')).toBeCloseTo(
      2.2,
      0,
    )
    expect(factorFor(train({ factor: 0.6, framing: 10, resent: true }, 40), 'tool-result')).toBeCloseTo(
      0.6,
      1,
    )
  })

  it('learns what an image takes from the jump it makes', () => {
    let c = train({ factor: 1, framing: 12, resent: true }, 30)
    const withImage = { ...PLAIN, newImages: 1 }
    const before = predictGrowth(c, PLAIN).tokens
    for (let i = 0; i < 12; i++) c = learn(c, withImage, before + 300)
    expect(predictGrowth(c, withImage).tokens).toBeGreaterThan(before + 250)
    expect(predictGrowth(c, withImage).tokens).toBeLessThan(before + 500)
    expect(factorFor(c, 'tool-result')).toBe(
      factorFor(train({ factor: 1, framing: 12, resent: true }, 30), 'tool-result'),
    )
  })

  it('states a band that most of the following growths lie within, wide or narrow as they scatter', () => {
    for (const noise of [0, 0.1, 0.3]) {
      const c = train(RESENT, 100, noise)
      const next = session(RESENT, 200, noise).slice(100)
      const inside = next.filter(({ growth, measured }) => {
        const { tokens, errorPct } = predictGrowth(c, growth)
        return Math.abs(measured - tokens) <= (tokens * errorPct) / 100
      })
      expect(inside.length / next.length).toBeGreaterThan(0.7)
    }
    expect(errorOf(train(RESENT, 100, 0))).toBeLessThan(4)
    expect(errorOf(train(RESENT, 100, 0.3))).toBeGreaterThan(15)
  })
})

describe('as a snapshot', () => {
  it('goes on from its JSON as if it had never stopped', () => {
    const growths = session(DROPPED, 40)
    const straight = train(DROPPED, 40)
    let resumed = startCalibration('someone', 'mystery-1')
    for (const { growth, measured } of growths) {
      resumed = learn(JSON.parse(JSON.stringify(resumed)) as Calibration, growth, measured)
    }
    expect(resumed).toEqual(straight)
  })

  it('stays as small as it was', () => {
    expect(JSON.stringify(train(RESENT, 400)).length).toBeLessThan(4_000)
  })

  it('gives usable figures whatever it was taught', () => {
    const amounts = fc.integer({ min: 0, max: 200_000 })
    const units = fc.dictionary(fc.constantFrom(...ENTRY_CATEGORIES), amounts, { maxKeys: 4 })
    const growths = fc.record({
      previousOutput: fc.option(amounts),
      outputUnits: units,
      newUnits: units,
      newMessages: fc.integer({ min: 0, max: 50 }),
      calls: fc.integer({ min: 0, max: 50 }),
      dropped: fc.constant(0),
      newImages: fc.integer({ min: 0, max: 5 }),
    })
    const taught = fc.array(fc.tuple(growths, fc.integer({ min: -100_000, max: 1_000_000 })), {
      maxLength: 30,
    })
    fc.assert(
      fc.property(taught, growths, (lessons, growth) => {
        let c = startCalibration('anthropic', 'claude-sonnet-4-5')
        for (const [lesson, measured] of lessons) c = learn(c, lesson, measured)
        const { tokens, errorPct } = predictGrowth(c, growth)
        expect(tokens).toBeGreaterThanOrEqual(0)
        expect(Number.isFinite(tokens)).toBe(true)
        expect(errorPct).toBeGreaterThanOrEqual(0)
        expect(errorPct).toBeLessThanOrEqual(100)
        expect(perMessage(c)).toBeGreaterThanOrEqual(0)
        expect(errorOf(c)).toBeGreaterThanOrEqual(1)
        for (const category of ENTRY_CATEGORIES) {
          expect(factorFor(c, category)).toBeGreaterThanOrEqual(0)
          expect(Number.isFinite(factorFor(c, category))).toBe(true)
        }
      }),
    )
  })

  it('knows every category that entries can have', () => {
    const c = startCalibration(null, null)
    expect(
      ENTRY_CATEGORIES.every((category) => CATEGORIES.includes(category) && factorFor(c, category) > 0),
    ).toBe(true)
  })
})
