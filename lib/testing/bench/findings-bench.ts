import type { EffectVerdict } from '../../core/findings/effect/judge-effect'
import { CORPUS } from '../corpus'
import { corpusBases, madeUpBase } from '../findings/bases'
import { type Confusion, confusionOf, LABEL_RULES } from '../findings/labelled'
import { storeConfusionOf } from '../findings/labelled-stores'
import {
  reachablePower,
  SIMULATED_STORES,
  type SimulatedStore,
  simulatedVerdict,
} from '../findings/simulated-effect'
import { STORE_LABEL_RULES } from '../findings/store-rules'
import { Chance } from '../findings/talk'
import type { Bench, Measurement } from './report'

/** Cases of each label for each detector. */
const CASES = 40
const [LEAST_PRECISION, LEAST_RECALL] = [0.95, 0.9]
/** Simulated stores with an effect, and as many without. */
const VERDICTS = 1_000
const EFFECT = 0.15
/** So many of 100 are demanded where the calls of a store let anybody find clearly more; else so much less than that. */
const [DEMANDED, CLEARLY, WORSE] = [80, 85, 10]
/** Where no corpus is here, so many made-up sessions take its place. */
const MADE_UP = 12

/** Each detector over planted cases and over cases that look alike and are fine, made by rules of real sessions. */
export const findingsBench: Bench = {
  name: 'findings',
  title: 'Findings: precision and recall over labelled sessions',
  async run({ log }) {
    const real = CORPUS === null ? [] : await corpusBases(CORPUS)
    if (real.length === 0) log('no corpus of real sessions here: made-up ones take its place')
    const bases =
      real.length > 0 ? real : Array.from({ length: MADE_UP }, (_, i) => madeUpBase(new Chance(i)))
    log(
      `${CASES} planted cases and ${CASES} that look alike for each detector, of ${bases.length} stretches of sessions`,
    )
    log('                              found  missed  false  calm')
    const judged = (kind: string, confusion: Confusion) => {
      const { found, missed, false: wrong, calm } = confusion
      const cells = [found, missed.length, wrong.length, calm].map((count) => String(count).padStart(6))
      const cases = [...missed, ...wrong].slice(0, 6).join(', ')
      log(`${kind.padEnd(28)} ${cells.join(' ')}${cases === '' ? '' : `   ${cases}`}`)
      return measurementsOf(kind, confusion)
    }
    const found = LABEL_RULES.flatMap((rule) => judged(rule.kind, confusionOf(rule, bases, CASES)))
    log('of stores as wholes, each made of real files:')
    for (const rule of STORE_LABEL_RULES)
      found.push(...judged(rule.kind, await storeConfusionOf(rule, CASES)))
    log(
      `did it help, 60 calls a side, ${VERDICTS} stores each: false alarms, an effect of 15 % found, what can be found at most, and by who knows how calls differ`,
    )
    return [...found, ...SIMULATED_STORES.flatMap((store) => effectMeasurements(store, log))]
  },
}

/**
 * Of verdicts over a simulated store: those that say something where nothing was changed, effects of 15 % missed, and
 * whether as many more calls as are asked for do find them.
 */
function effectMeasurements(store: SimulatedStore, log: (text: string) => void): Measurement[] {
  const wrong = verdicts(store, 1, VERDICTS)
  const real = verdicts(store, 1 - EFFECT, VERDICTS)
  const alarms = wrong.share('helped') + wrong.share('worse')
  const found = real.share('helped')
  const { known, estimated } = reachablePower(store, EFFECT)
  const asked = real.asked()
  const calls = asked === null ? null : ([60 + asked.before, 60 + asked.after] as const)
  const then = calls === null ? null : verdicts(store, 1 - EFFECT, VERDICTS / 4, calls).share('helped')
  const cells = [alarms, found, estimated, known].map((share) => `${share.toFixed(1)} %`.padStart(8))
  const rest =
    calls === null || then === null
      ? ''
      : `   not enough said in ${real.share('not-enough').toFixed(0)} %, asking for ${calls[0]} + ${calls[1]} calls: found in ${then.toFixed(0)} %`
  log(`${store.name.padEnd(58)} ${cells.join(' ')}${rest}`)
  const what = `did it help, ${store.name}`
  const demanded = estimated >= CLEARLY ? DEMANDED : Math.max(0, Math.floor(estimated - WORSE))
  return [
    { what: `${what}: false alarms`, value: alarms, unit: '%', limit: 5, note: '' },
    {
      what: `${what}: 15 % missed`,
      value: 100 - found,
      unit: '%',
      limit: 100 - demanded,
      note:
        demanded === DEMANDED ? '' : `too few calls: at most about ${estimated.toFixed(0)} % can be found`,
    },
  ]
}

function verdicts(store: SimulatedStore, share: number, times: number, calls?: readonly [number, number]) {
  const all = Array.from({ length: times }, (_, seed) => simulatedVerdict(store, share, seed * 7 + 1, calls))
  return {
    share: (kind: EffectVerdict['kind']) => (all.filter((one) => one.kind === kind).length / times) * 100,
    /** The median of the calls that are asked for, over those that ask. */
    asked: () => {
      const asking = all.flatMap((one) => (one.kind === 'not-enough' ? [one] : []))
      const median = asking.toSorted(
        (a, b) => a.missingBefore - b.missingBefore || a.missingAfter - b.missingAfter,
      )[asking.length >> 1]
      if (median === undefined) return null
      const { missingBefore: before, missingAfter: after } = median
      return before > 0 ? { before, after: before } : { before: 0, after }
    },
  }
}

/** What is missing to all, so that less is better. */
function measurementsOf(kind: string, { found, missed, false: wrong }: Confusion): Measurement[] {
  const precision = found + wrong.length === 0 ? 0 : found / (found + wrong.length)
  const recall = found / (found + missed.length)
  const percent = (share: number) => 100 * (1 - share)
  return [
    {
      what: `${kind}: found and wrong`,
      value: percent(precision),
      unit: '%',
      limit: percent(LEAST_PRECISION),
      note: '',
    },
    {
      what: `${kind}: planted and missed`,
      value: percent(recall),
      unit: '%',
      limit: percent(LEAST_RECALL),
      note: '',
    },
  ]
}
