import { type EffectSample, type EffectVerdict, judgeEffect } from '../../core/findings/effect/judge-effect'
import { Chance } from './talk'

/** How calls of a simulated store differ. Shares of the mean. */
export type SimulatedStore = {
  readonly name: string
  /** Calls of a session, from and to. */
  readonly calls: readonly [least: number, most: number]
  /** How much calls of one session differ, and how much of that a call has from the one before it. */
  readonly spread: number
  readonly memory: number
  /** How much sessions differ. */
  readonly sessions: number
  /** Whether an effect of 15 % must be found with 60 calls a side; what differs more needs more calls. */
  readonly isDemanded: boolean
}

export const SIMULATED_STORES: readonly SimulatedStore[] = [
  { name: 'short sessions', calls: [2, 6], spread: 0.2, memory: 0.3, sessions: 0.05, isDemanded: true },
  { name: 'middling sessions', calls: [3, 9], spread: 0.2, memory: 0.3, sessions: 0.05, isDemanded: true },
  { name: 'long sessions', calls: [6, 20], spread: 0.25, memory: 0.5, sessions: 0.08, isDemanded: false },
]

/** Of what a call is made of on average. */
const MEAN = 40_000

/** What is judged of a store before and after a remedy that leaves this share of the measure, 60 calls a side. */
export function simulatedVerdict(
  store: SimulatedStore,
  share: number,
  seed: number,
  calls = 60,
): EffectVerdict {
  const chance = new Chance(seed)
  const before = sideOf(store, 1, calls, chance)
  const after = sideOf(store, share, calls, chance)
  return judgeEffect(before, after, () => chance.share())
}

function sideOf(store: SimulatedStore, share: number, calls: number, chance: Chance): EffectSample[] {
  const samples: EffectSample[] = []
  for (let session = 0; samples.length < calls; session++) {
    const own = Math.exp(store.sessions * normal(chance))
    let state = normal(chance)
    const length = chance.whole(...store.calls)
    for (let i = 0; i < length && samples.length < calls; i++) {
      state = store.memory * state + Math.sqrt(1 - store.memory ** 2) * normal(chance)
      const value = MEAN * share * own * Math.exp(store.spread * state)
      samples.push({ session: `s${session}`, at: samples.length, value })
    }
  }
  return samples
}

/** Of mean 0 and variance 1 (Box and Muller). */
function normal(chance: Chance): number {
  return Math.sqrt(-2 * Math.log(1 - chance.share())) * Math.cos(2 * Math.PI * chance.share())
}
