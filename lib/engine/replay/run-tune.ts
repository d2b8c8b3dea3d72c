import type { ExperimentResult } from '../../core/replay/experiment-result'
import type { ExperimentSpec } from '../../core/replay/experiment-spec'
import type { SessionReplay } from '../../core/replay/replay-result'
import { scoreOf } from '../../core/replay/tune/run-task'
import {
  DEFAULT_TUNE,
  type PickName,
  type TuneCandidate,
  type TuneResult,
  type TuneStage,
  type TuneState,
} from '../../core/replay/tune/tune-state'
import { beginTune, tuneNext, tuneResult, tuneTasks } from '../../core/replay/tune/tuner'
import { chooseSessions } from './choose-sessions'
import { DRAFT, type GivenPolicy, IN_FORCE, type PolicyChoice, withGiven } from './policy-choice'
import { type GatheredWeighing, type ReadySession, readySessions } from './ready-sessions'
import type { ReplayCandidate } from './replay-ports'
import { knownPolicy, ReplayRefused, type RunReplayPorts, replayOver } from './run-replay'
import { sentWeighing } from './sent-weighing'
import { progressOf, resumedState, type TuneProgress } from './tune-progress'

/** What a tuning is doing: sessions done, of all, in this stage. */
type TuneReport = (stage: TuneStage | 'prepare' | 'evidence', done: number, of: number) => void

export type TuneRun = {
  readonly signal?: AbortSignal
  readonly report: TuneReport
  /** How far it came before, as it was kept. */
  readonly saved?: unknown
  /** Keeps how far it is, after each stage. */
  readonly keep?: (progress: TuneProgress) => Promise<void>
}

const PICK_LABELS: { readonly [P in PickName]: string } = {
  safe: 'Tuned: safe',
  balanced: 'Tuned: balanced',
  cheap: 'Tuned: cheap',
}

/** Fewer sessions cannot be split into some to learn on and some to be tested on. */
const LEAST_SESSIONS = 3

type WeighedPorts = RunReplayPorts & { readonly weighing: GatheredWeighing }

/** What the picks are shown beside. */
const BESIDE = [IN_FORCE, 'as-it-was', 'everything', 'oracle-cost']

/**
 * Looks for a better policy: points of a search and changes of the best ones are replayed over some sessions, the picks
 * are measured over the others. The same sessions, draft and prices give the same result, whatever the number of threads,
 * and whether it was stopped and went on between two stages.
 * null: it was stopped.
 * @throws ReplayRefused when there are too few sessions like that
 */
export async function runTune(
  ports: RunReplayPorts,
  spec: Pick<ExperimentSpec, 'sessions'>,
  { signal, report, saved = null, keep }: TuneRun,
): Promise<ExperimentResult | null> {
  const chosen = chooseSessions(await ports.candidates(), spec.sessions)
  const ready = await readySessions(
    ports.executor,
    chosen,
    (done) => report('prepare', done, chosen.length),
    signal,
  )
  if (signal?.aborted) return null
  const { weighing } = ready
  const sessions = ready.sessions.filter((one) => one !== undefined).filter(({ ready: calls }) => calls > 0)
  const split = sessions.map(({ transcript, owner, startedAt, ready: calls }) => ({
    ...{ transcriptId: transcript.id, owner, startedAt, calls },
  }))
  const [first] = sessions
  if (first === undefined || sessions.length < LEAST_SESSIONS)
    throw new ReplayRefused(
      `Tuning takes ${LEAST_SESSIONS} sessions with calls at least, some to learn on and some to be tested on; there are ${sessions.length} like that.`,
    )
  const draft = ports.policies.choiceFor(DRAFT, first)
  if (draft.kind !== 'values') throw new Error('the draft is made of values')
  const begun = beginTune({ ...DEFAULT_TUNE, base: draft.policy, current: IN_FORCE }, split)
  let state = resumedState(begun, saved, ports.prices)
  let result: TuneResult | null = null
  while (state.stage !== 'done') {
    const { stage } = state
    const replays = await replayStage({ ...ports, weighing }, sessions, state, {
      report: (done, of) => report(stage, done, of),
      signal,
    })
    if (replays === null) return null
    if (stage === 'test') result = tuneResult(state, replays)
    state = tuneNext(state, replays.map(scoreOf))
    if (state.stage !== 'done') await keep?.(progressOf(state, ports.prices))
  }
  if (result === null) throw new Error('a tuning ends with its test')
  return withEvidence({ ...ports, weighing }, sessions, state, result, { signal, report })
}

/** The replays of each task of a stage, in the order of its sessions; each session is opened once. null: stopped. */
async function replayStage(
  { executor, policies, weighing }: WeighedPorts,
  sessions: readonly ReadySession[],
  state: TuneState,
  { signal, report }: { readonly signal?: AbortSignal; readonly report: (done: number, of: number) => void },
): Promise<SessionReplay[][] | null> {
  const tasks = tuneTasks(state)
  const wanted = sessions.map((_, i) => tasks.flatMap((task, t) => (task.sessions.includes(i) ? [t] : [])))
  const used = sessions.flatMap((_, i) => ((wanted[i]?.length ?? 0) > 0 ? [i] : []))
  const found = tasks.map(() => new Map<number, SessionReplay>())
  const choiceOf = (candidate: TuneCandidate, session: ReplayCandidate): PolicyChoice =>
    'id' in candidate
      ? policies.choiceFor(candidate.id, session)
      : { kind: 'point', id: 'candidate', base: state.ask.base, genes: candidate.genes }
  const sent = sentWeighing(weighing)
  let done = 0
  let problem: string | null = null
  await executor.run(
    used.flatMap((i) => {
      const session = sessions[i]
      if (session === undefined) return []
      const { store, transcript, title, packed } = session
      const of = (wanted[i] ?? []).flatMap((t) => tasks[t]?.candidate ?? [])
      const choices = of.map((candidate) => choiceOf(candidate, session))
      const task = { store, transcript, title, packed, weighing: sent, policies: choices, regrets: 0 }
      return [{ ...task, kind: 'replay' as const }]
    }),
    (index, one) => {
      done += 1
      report(done, used.length)
      const i = used[index] ?? -1
      if (!one.ok) problem = one.problem
      else if (one.kind === 'replay')
        for (const [k, t] of (wanted[i] ?? []).entries()) found[t]?.set(i, one.replays[k] as SessionReplay)
    },
    signal,
  )
  if (signal?.aborted) return null
  // A session that could be read a moment ago: half a comparison would be none.
  if (problem !== null) throw new Error(`A session could not be replayed any more: ${problem}`)
  return tasks.map((task, t) => task.sessions.flatMap((i) => found[t]?.get(i) ?? []))
}

/** The picks beside what is in force, what was, and the oracle, over the sessions that the search never saw. */
async function withEvidence(
  ports: WeighedPorts,
  sessions: readonly ReadySession[],
  { split, ask }: TuneState,
  result: TuneResult,
  { signal, report }: { readonly signal?: AbortSignal; readonly report: TuneReport },
): Promise<ExperimentResult | null> {
  const given = result.picks.map(
    ({ pick, policy }): GivenPolicy => ({
      ...{ id: `tuned-${pick}`, label: PICK_LABELS[pick], policy, isTuned: true },
    }),
  )
  const policies = withGiven(ports.policies, given)
  const entries = [...given.map(({ id }) => id), ...BESIDE].map((id) => knownPolicy(policies, id))
  const tested = split.test.flatMap((i) => sessions[i] ?? [])
  const gathered = await replayOver({ ...ports, policies }, tested, entries, {
    signal,
    report: (done, of) => report('evidence', done, of),
  })
  if (gathered === null) return null
  return gathered.result(ports.prices, {
    split: result.split,
    knobs: result.knobs,
    base: ask.base,
    picks: result.picks.map(({ pick, policy, overLimit, gain, verdict, ofOracle }) => ({
      ...{ pick, policy, overLimit, gain, verdict, ofOracle, name: `tuned-${pick}` },
    })),
  })
}
