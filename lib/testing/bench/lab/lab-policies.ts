import { DEFAULT_POLICY } from '../../../core/policy/default-policy'
import { precisionsOf } from '../../../core/replay/needs/need-precision'
import { weighNeeds } from '../../../core/replay/needs/weigh-needs'
import { REPLAY_POLICIES } from '../../../core/replay/policies/table'
import { replaySession } from '../../../core/replay/replay'
import type { ReplayPolicy } from '../../../core/replay/replay-policy'
import type { SessionReplay } from '../../../core/replay/replay-result'
import type { ReplaySession } from '../../../core/replay/replay-session'
import { SharedSpanCount } from '../../../core/replay/spans/shared-spans'
import { sumReplays } from '../../../core/replay/sum-replays'
import { candidatePolicy, scoreOf } from '../../../core/replay/tune/run-task'
import { DEFAULT_TUNE, type TuneAsk, type TuneResult } from '../../../core/replay/tune/tune-state'
import { beginTune, tuneNext, tuneResult, tuneTasks } from '../../../core/replay/tune/tuner'
import { NO_PRICES } from '../../../core/tokens/own-prices'
import { prepareSession } from '../../../engine/replay/prepare-session'
import { CORPUS } from '../../corpus'
import type { Bench, BenchContext, Measurement } from '../report'
import { labSessions } from './lab-sessions'

/** Shorter sessions have nothing to let go. Calls. */
const LEAST_CALLS = 20

/** From the dearest to the cheapest, as runs with real graders found them elsewhere. */
const COST_ORDER = ['mask-20', 'batch-20k', 'half-window-digest', 'anthropic-compact'] as const

/** What policies come to over the recorded sessions: their order by cost, and what tuning is worth on unseen ones. */
export const labPoliciesBench: Bench = {
  name: 'lab-policies',
  title: 'Lab: policies over recorded sessions',
  async run({ log }) {
    if (CORPUS === null) {
      log('no corpus of real sessions here: nothing to measure')
      return []
    }
    const sessions = await longSessions(CORPUS, log)
    for (const policy of REPLAY_POLICIES) log(rowOf(policy, replayAll(sessions, policy)))
    return [...costOrder(sessions), ...unseen(sessions, log), ...hindsight(sessions, log)]
  },
}

async function longSessions(corpus: string, log: BenchContext['log']): Promise<ReplaySession[]> {
  const alone: ReplaySession[] = []
  const spans = new SharedSpanCount()
  for await (const { reader, store, transcript, isReal, owner } of labSessions(corpus)) {
    if (!isReal) continue
    const session = await prepareSession(reader, store, transcript)
    spans.add(session.owner, session.spanHashes)
    if (session.calls.count >= LEAST_CALLS) alone.push({ ...session, owner })
  }
  const precision = precisionsOf(alone.map(({ writtenAgain }) => writtenAgain))
  const weighing = { shared: spans.finish(), precision: precision.map((one) => one.precision) }
  const sessions = alone.map((session) => weighNeeds(session, weighing))
  log(`${sessions.length} sessions of ${LEAST_CALLS} calls or more`)
  return sessions
}

function rowOf({ id }: ReplayPolicy, replays: readonly SessionReplay[]): string {
  const { tokensSaved, saving, recall, longRecall, rewrites } = sumReplays(replays)
  const pct = (one: typeof saving) => (one === null ? '–' : `${(one.value * 100).toFixed(1)} %`)
  return `${id}: tokens ${pct(tokensSaved)}, cost ${pct(saving)}, recall ${pct(recall)}, long-range ${pct(longRecall)}, ${rewrites} rewrites`
}

function replayAll(sessions: readonly ReplaySession[], policy: ReplayPolicy): SessionReplay[] {
  return sessions.map((session) => replaySession(session, policy, NO_PRICES))
}

function costOrder(sessions: readonly ReplaySession[]): Measurement[] {
  return COST_ORDER.map((id) => {
    const policy = byId(id)
    const { saving } = sumReplays(sessions.map((session) => replaySession(session, policy, NO_PRICES)))
    return { what: `cost saved by ${id}`, value: (saving?.value ?? 0) * 100, unit: '%', limit: null }
  })
}

/** Each owner’s sessions under what was tuned on those of all others. */
function unseen(sessions: readonly ReplaySession[], log: BenchContext['log']): Measurement[] {
  const owners = [...new Set(sessions.map(({ owner }) => owner))]
  const picks = owners.map((owner) => tuned(sessions, owner, 'others'))
  return (['safe', 'balanced', 'cheap'] as const).flatMap((pick) => {
    const found = picks.map((result) => result.picks.find((one) => one.pick === pick))
    for (const [i, one] of found.entries())
      log(
        `${pick}, unseen ${owners[i]}: saves ${((one?.tested.saving?.value ?? 0) * 100).toFixed(1)} % (oracle ${((picks[i]?.oracle.saving?.value ?? 0) * 100).toFixed(1)} %), recall ${((one?.tested.recall?.value ?? 0) * 100).toFixed(2)} %, long-range ${((one?.tested.longRecall?.value ?? 1) * 100).toFixed(2)} %, ${one?.verdict}`,
      )
    const mean = (of: (one: (typeof found)[number]) => number) =>
      found.reduce((sum, one) => sum + of(one), 0) / Math.max(1, found.length)
    const figure = (what: string, value: number): Measurement => ({
      what: `${pick}, tuned without the owner: ${what}`,
      value: value * 100,
      unit: '%',
      limit: null,
      note: `mean of ${found.length} owners`,
    })
    return [
      figure(
        'saving ÷ the oracle’s',
        mean((one) => one?.ofOracle ?? 0),
      ),
      figure(
        'recall',
        mean((one) => one?.tested.recall?.value ?? 0),
      ),
      figure(
        'long-range recall',
        mean((one) => one?.tested.longRecall?.value ?? 1),
      ),
    ]
  })
}

/**
 * The best that one fixed policy of the search reaches: it is tuned on the sessions that it is then measured on. What an
 * oracle saves beyond it takes foresight, or a policy that the search does not have.
 */
function hindsight(sessions: readonly ReplaySession[], log: BenchContext['log']): Measurement[] {
  const owners = [...new Set(sessions.map(({ owner }) => owner))]
  const found = owners.map((owner) => {
    const result = tuned(sessions, owner, 'itself')
    const best = result.picks.find(({ pick }) => pick === 'safe')
    const fixed = bestOfTable(sessions.filter((session) => session.owner === owner))
    log(
      `safe, tuned on ${owner} itself: saves ${percent(best?.tested.saving?.value)} (oracle ${percent(result.oracle.saving?.value)}), recall ${percent(best?.tested.recall?.value)}; best of the table as safe: ${fixed?.id ?? 'none'}, ${percent(fixed?.saving)}`,
    )
    return { best, fixed, oracle: result.oracle.saving?.value ?? 0 }
  })
  const mean = (of: (one: (typeof found)[number]) => number) =>
    (100 * found.reduce((sum, one) => sum + of(one), 0)) / Math.max(1, found.length)
  const note = `mean of ${found.length} owners`
  return [
    {
      what: 'safe, tuned on the owner itself: saving ÷ the oracle’s',
      value: mean(({ best }) => best?.ofOracle ?? 0),
      ...{ unit: '%', limit: null, note },
    },
    {
      what: 'best policy of the table that is as safe: saving ÷ the oracle’s',
      value: mean(({ fixed, oracle }) => (oracle > 0 ? Math.max(0, fixed?.saving ?? 0) / oracle : 0)),
      ...{ unit: '%', limit: null, note },
    },
  ]
}

function percent(share: number | undefined): string {
  return share === undefined ? '–' : `${(share * 100).toFixed(1)} %`
}

/** Of what needs no foresight, the policy that saves most and misses as little as a safe pick. */
function bestOfTable(
  sessions: readonly ReplaySession[],
): { readonly id: string; readonly saving: number } | null {
  let best: { readonly id: string; readonly saving: number } | null = null
  for (const policy of REPLAY_POLICIES) {
    if (policy.family === 'oracle' || policy.family === 'recorded') continue
    const { saving, recall, longRecall } = sumReplays(replayAll(sessions, policy))
    const isSafe = (recall?.value ?? 1) >= 0.995 && (longRecall?.value ?? 1) >= 0.98
    if (isSafe && (saving?.value ?? 0) > (best?.saving ?? Number.NEGATIVE_INFINITY))
      best = { id: policy.id, saving: saving?.value ?? 0 }
  }
  return best
}

/** @param on what is learnt on: all but the owner's sessions, or those that are tested on themselves */
function tuned(sessions: readonly ReplaySession[], owner: string, on: 'others' | 'itself'): TuneResult {
  const ask: TuneAsk = { ...DEFAULT_TUNE, base: DEFAULT_POLICY, current: 'preset-default' }
  const facts = sessions.map(({ transcriptId, owner, startedAt, calls }) => ({
    ...{ transcriptId, owner, startedAt },
    calls: calls.count,
  }))
  const numbers = sessions.map((_, i) => i)
  const isOwn = (i: number) => sessions[i]?.owner === owner
  const split = {
    train: numbers.filter((i) => isOwn(i) === (on === 'itself')),
    test: numbers.filter(isOwn),
    by: 'owner',
  } as const
  let state = { ...beginTune(ask, facts), split }
  for (;;) {
    const replays = tuneTasks(state).map(({ candidate, sessions: chosen }) =>
      replayAll(
        chosen.flatMap((i) => sessions[i] ?? []),
        candidatePolicy(ask.base, candidate, byId),
      ),
    )
    if (state.stage === 'test') return tuneResult(state, replays)
    state = { ...tuneNext(state, replays.map(scoreOf)), split }
  }
}

function byId(id: string): ReplayPolicy {
  const found = REPLAY_POLICIES.find((policy) => policy.id === id)
  if (found === undefined) throw new Error(`no policy is called ${id}`)
  return found
}
