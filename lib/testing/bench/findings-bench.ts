import { CORPUS } from '../corpus'
import { corpusBases, madeUpBase } from '../findings/bases'
import { type Confusion, confusionOf, LABEL_RULES } from '../findings/labelled'
import { storeConfusionOf } from '../findings/labelled-stores'
import { SIMULATED_STORES, type SimulatedStore, simulatedVerdict } from '../findings/simulated-effect'
import { STORE_LABEL_RULES } from '../findings/store-rules'
import { Chance } from '../findings/talk'
import type { Bench, Measurement } from './report'

/** Cases of each label for each detector. */
const CASES = 40
const [LEAST_PRECISION, LEAST_RECALL] = [0.95, 0.9]
/** Simulated stores with an effect, and as many without. */
const VERDICTS = 1_000
const EFFECT = 0.15
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
    return [...found, ...SIMULATED_STORES.flatMap((store) => effectMeasurements(store, log))]
  },
}

/** Of verdicts over simulated stores: those that say something where nothing was changed, and effects of 15 % missed. */
function effectMeasurements(store: SimulatedStore, log: (text: string) => void): Measurement[] {
  const count = (share: number, says: (kind: string) => boolean) => {
    let times = 0
    for (let seed = 0; seed < VERDICTS; seed++)
      if (says(simulatedVerdict(store, share, seed * 7 + 1).kind)) times += 1
    return (times / VERDICTS) * 100
  }
  const wrong = count(1, (kind) => kind === 'helped' || kind === 'worse')
  const missed = count(1 - EFFECT, (kind) => kind !== 'helped')
  log(
    `did it help, ${store.name}: sessions of ${store.calls.join(' to ')} calls that differ by ${store.spread * 100} % (by ${store.sessions * 100} % between sessions), 60 calls a side, ${VERDICTS} stores each: false alarms ${wrong.toFixed(1)} %, an effect of 15 % found in ${(100 - missed).toFixed(1)} %`,
  )
  const what = `did it help, ${store.name}`
  return [
    { what: `${what}: false alarms`, value: wrong, unit: '%', limit: 5, note: '' },
    {
      what: `${what}: 15 % missed`,
      value: missed,
      unit: '%',
      limit: store.isDemanded ? 20 : 100,
      note: store.isDemanded ? '' : 'shown, not demanded: too much noise for 60 calls',
    },
  ]
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
