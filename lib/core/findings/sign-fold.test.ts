import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findingsIn } from '../../testing/builders/findings-in'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import type { Frame } from '../tokens/frame'
import { NO_PRICES } from '../tokens/own-prices'
import type { EntryFact } from '../transcript/entry'
import { SessionFold } from '../transcript/fold/fold'
import type { AnyDetector } from './detector'
import { DETECTORS } from './detectors'
import { BOUNDARY_BIT, callMaskOf, callSignsOf, maskOf, signsOf, wakeMaskOf } from './entry-signs'
import { SettledCall } from './settled-call'
import { SignFold } from './sign-fold'

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

const LATER = Date.parse('2031-01-01T00:00:00Z')

/** A session of these steps, whatever their order. */
function randomSession(steps: readonly { readonly is: string; readonly size: number }[]): TranscriptBuilder {
  const builder = new TranscriptBuilder()
  let asked = builder.user('Begin.')
  for (const [i, { is, size }] of steps.entries()) {
    const usage = { input: 2_000 * size, output: 50, cacheRead: 100 * size }
    if (is === 'user') asked = builder.user('word '.repeat(size))
    else if (is === 'rule') builder.user(`You must never use the tool number ${size} of the harbour.`)
    else if (is === 'call') builder.assistant('Yes.', { calls: [`c${size}`], usage })
    else if (is === 'failed')
      builder.assistant('', { stop: 'error', fields: { errorMessage: 'prompt is too long' } })
    else if (is === 'result') builder.result(`c${size}`, `berth ${i} `.repeat(100 * size))
    else builder.compaction('Short.', asked)
  }
  return builder
}

const STEP = fc.record({
  is: fc.constantFrom('user', 'rule', 'call', 'failed', 'result', 'compaction'),
  size: fc.integer({ min: 1, max: 40 }),
})

const SETUP = { runtime: 'openclaw', hints: { index: null }, report: null } as const

/** Every call of a session, with what its entries led to. */
function settledCalls(facts: readonly EntryFact[]): SettledCall[] {
  const fold = SessionFold.start(SETUP)
  let before: Frame | null = null
  return facts.flatMap((fact) => {
    const { frame, fact: taken = fact } = fold.push(fact)
    if (frame === undefined) return []
    const settled = new SettledCall(frame, taken, before, false, NO_PRICES)
    before = frame
    return [settled]
  })
}

/** Hands all to a detector, and fails where what would have been kept from it changed its state. */
function expectRest(
  { kind, start, entry, call, boundary, sees, seesCalls, wakes = [], rests }: AnyDetector,
  facts: readonly EntryFact[],
): void {
  const fold = SessionFold.start(SETUP)
  const state = start()
  const woken = wakeMaskOf(wakes)
  let before: Frame | null = null
  const hand = (signs: number, takes: number, over: () => void) => {
    const isKept = (signs & takes) === 0 || (rests?.(state) === true && (signs & woken) === 0)
    const was = JSON.stringify(state)
    over()
    if (isKept) expect(JSON.stringify(state), kind).toBe(was)
  }
  for (const fact of facts) {
    const { frame, boundary: met, fact: taken = fact } = fold.push(fact)
    hand(signsOf(taken, fact.marks), maskOf(sees), () => entry?.(state, taken, fact.marks))
    if (met !== undefined) hand(BOUNDARY_BIT, BOUNDARY_BIT, () => boundary?.(state, met, taken, fact.marks))
    if (frame === undefined) continue
    const settled = new SettledCall(frame, taken, before, false, NO_PRICES)
    hand(callSignsOf(frame, before), callMaskOf(seesCalls), () => call?.(state, settled))
    before = frame
  }
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

  it('finds after each line that is appended what it finds in all of them at once', () => {
    let found = 0
    fc.assert(
      fc.property(fc.array(STEP, { minLength: 6, maxLength: 60 }), (steps) => {
        const appended = randomSession(steps).facts()
        const grown = findingsIn(appended, { pause: 'each', now: LATER })
        expect(grown).toEqual(findingsIn(appended, { now: LATER }))
        found += grown.length
      }),
      { numRuns: 12 },
    )
    expect(found).toBeGreaterThan(0)
  })

  it('keeps from a detector only entries that change nothing for it', () => {
    for (const { kind, sees, start, entry } of DETECTORS) {
      if (entry === undefined || sees === undefined) continue
      const state = start()
      for (const fact of facts) {
        const before = JSON.stringify(state)
        entry(state, { ...fact }, fact.marks)
        if ((maskOf(sees) & signsOf(fact, fact.marks)) === 0) expect(JSON.stringify(state), kind).toBe(before)
      }
    }
  })

  it('keeps from a detector only calls that change nothing for it, and lets it rest only while nothing changes', () => {
    fc.assert(
      fc.property(fc.array(STEP, { minLength: 6, maxLength: 60 }), (steps) => {
        const appended = randomSession(steps).facts()
        // A fold completes the facts that it takes: each detector has copies of them.
        for (const one of DETECTORS)
          expectRest(
            one,
            appended.map((fact) => ({ ...fact })),
          )
      }),
      { numRuns: 12 },
    )
  })

  it('knows what a call changes in place', () => {
    const begun = SignFold.start(NO_PRICES)
    const fold = SessionFold.start(SETUP)
    for (const fact of facts.map((one) => ({ ...one }))) begun.push(fact, fold.push(fact))
    const { states } = begun.snapshot()
    for (const { kind, start, call, callChanges = [] } of DETECTORS) {
      const state: { [name: string]: unknown } = { ...start(), ...states[kind] }
      const kept = new Map(Object.entries(state).filter(([name]) => !callChanges.includes(name)))
      const before = JSON.stringify([...kept])
      for (const settled of settledCalls(facts)) call?.({ ...state }, settled)
      expect(JSON.stringify([...kept]), kind).toBe(before)
    }
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
