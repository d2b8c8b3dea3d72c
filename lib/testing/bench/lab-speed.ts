import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { policyReplay } from '../../core/replay/policies/of-policy'
import { REPLAY_POLICIES } from '../../core/replay/policies/table'
import { replaySession } from '../../core/replay/replay'
import type { ReplayPolicy } from '../../core/replay/replay-policy'
import type { ReplaySession } from '../../core/replay/replay-session'
import { sumReplays } from '../../core/replay/sum-replays'
import { TUNED_KNOBS, tunedPolicy } from '../../core/replay/tune/search-space'
import { sobolPoints } from '../../core/replay/tune/sobol'
import { NO_PRICES } from '../../core/tokens/own-prices'
import { madeSession } from '../builders/replay-sessions'
import { type Bench, type Measurement, median } from './report'

const [SESSIONS, CHUNKS, POLICIES] = [1_000, 360, 200]
/** The limits are for two cores; the work has no part that waits for another, so that it takes half as long there. */
const CORES = 2
const RUNS = 5

/** How long replays take: one policy, and as many as a tuning has, over as many sessions as an operator may have. */
export const labSpeedBench: Bench = {
  name: 'lab-speed',
  title: 'Lab: replays of many sessions',
  async run({ log }) {
    const sessions = Array.from({ length: SESSIONS }, (_, seed) => madeSession(seed, { chunks: CHUNKS }))
    const tuned = sobolPoints(POLICIES - REPLAY_POLICIES.length, TUNED_KNOBS.length, 'bench').map(pointReplay)
    const all = [...REPLAY_POLICIES, ...tuned]
    log(`${SESSIONS} sessions of ${CHUNKS} chunks, ${all.length} policies`)
    const first = cpu(() => replayAll(sessions, REPLAY_POLICIES.slice(0, 1)))
    const one = tuned.slice(0, RUNS).map((policy) => cpu(() => replayAll(sessions, [policy])))
    const times = all.map((policy) => ({ policy, seconds: cpu(() => replayAll(sessions, [policy])) / 1_000 }))
    const total = times.reduce((sum, { seconds }) => sum + seconds, 0)
    for (const { policy, seconds } of times.toSorted((a, b) => b.seconds - a.seconds).slice(0, 5))
      log(`${policy.id}: ${((seconds * 1e6) / SESSIONS).toFixed(0)} µs a session`)
    const sums = cpu(() =>
      sumReplays(sessions.map((session) => replaySession(session, tuned[0] ?? first0, NO_PRICES))),
    )
    const note = `CPU of one core ÷ ${CORES}`
    return [
      figure(`${POLICIES} policies over all`, total / CORES, 's', 20, note),
      figure('one policy over all', median(one) / CORES, 'ms', 300, note),
      figure('the first one, with what each session is asked once', first / CORES, 'ms', null, note),
      figure('one policy with its intervals', sums, 'ms', null, 'CPU of one core'),
    ]
  },
}

const [first0] = REPLAY_POLICIES as readonly [ReplayPolicy, ...ReplayPolicy[]]

function pointReplay(genes: readonly number[], number: number): ReplayPolicy {
  return policyReplay(tunedPolicy(DEFAULT_POLICY, genes), {
    id: `point ${number}`,
    label: `Point ${number}`,
    about: 'a point of a search',
    source: 'the bench',
    family: 'draft',
  })
}

function replayAll(sessions: readonly ReplaySession[], policies: readonly ReplayPolicy[]): void {
  for (const policy of policies) for (const session of sessions) replaySession(session, policy, NO_PRICES)
}

/** Milliseconds of one core. */
function cpu(work: () => unknown): number {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}

function figure(what: string, value: number, unit: string, limit: number | null, note: string): Measurement {
  return { what, value, unit, limit, note }
}
