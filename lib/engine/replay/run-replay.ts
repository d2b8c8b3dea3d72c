import type {
  ExperimentResult,
  ReplayedPolicy,
  ReplayedSession,
  TuneOutcome,
} from '../../core/replay/experiment-result'
import type { ExperimentSpec } from '../../core/replay/experiment-spec'
import type { Regret, SessionReplay } from '../../core/replay/replay-result'
import { REPLAY_VERSION } from '../../core/replay/replay-session'
import { sumReplays } from '../../core/replay/sum-replays'
import { chooseSessions } from './choose-sessions'
import type { PolicyCatalogue, PolicyEntry } from './policy-choice'
import { type GatheredWeighing, type ReadySession, readySessions } from './ready-sessions'
import type { ReplayExecutor } from './replay-executor'
import type { ReplayCandidate } from './replay-ports'
import { sentWeighing, weighedBy } from './sent-weighing'

/** Of each policy so many unmet needs are kept as evidence, over all sessions. */
const MOST_EVIDENCE = 50

export type RunReplayPorts = {
  readonly candidates: () => readonly ReplayCandidate[] | Promise<readonly ReplayCandidate[]>
  readonly policies: PolicyCatalogue
  readonly executor: ReplayExecutor
  /** Which list prices are of, and a mark of the operator's own. */
  readonly prices: string
}

/** How far a run is: sessions made ready or replayed, of all. */
export type ReplayProgress = (stage: 'prepare' | 'replay', done: number, of: number) => void

/** Something that was asked for cannot be replayed; the message says what, and what there is. */
export class ReplayRefused extends Error {
  readonly code = 'REPLAY_REFUSED'
}

/**
 * Replays policies over recorded sessions. The same sessions, policies and prices give the same result, whatever the
 * number of threads. null: it was stopped.
 * @throws ReplayRefused when a policy is not known, or no session is like that
 */
export async function runReplay(
  ports: RunReplayPorts,
  spec: Pick<ExperimentSpec, 'sessions' | 'policies'>,
  { signal, report }: { readonly signal?: AbortSignal; readonly report: ReplayProgress },
): Promise<ExperimentResult | null> {
  const entries = spec.policies.map((id) => knownPolicy(ports.policies, id))
  const sessions = chooseSessions(await ports.candidates(), spec.sessions)
  if (sessions.length === 0) throw new ReplayRefused('No session with a call is like that.')
  const { length } = sessions
  report('prepare', 0, length)
  const ready = await readySessions(
    ports.executor,
    sessions,
    (done) => report('prepare', done, length),
    signal,
  )
  if (signal?.aborted) return null
  const packed = (i: number) => ready.sessions[i]?.packed ?? null
  const gathered = await replayOver(
    { ...ports, weighing: ready.weighing },
    sessions.map((session, i) => ({ ...session, packed: packed(i) })),
    entries,
    { signal, report: (done, of) => report('replay', done, of) },
  )
  return gathered?.result(ports.prices) ?? null
}

/** The same over sessions that were chosen. null: it was stopped. */
export async function replayOver(
  ports: Pick<RunReplayPorts, 'policies' | 'executor'> & { readonly weighing: GatheredWeighing },
  sessions: readonly (ReplayCandidate & Pick<ReadySession, 'packed'>)[],
  entries: readonly PolicyEntry[],
  { signal, report }: { readonly signal?: AbortSignal; readonly report: (done: number, of: number) => void },
): Promise<GatheredReplays | null> {
  const gathered = new GatheredReplays(sessions.length, entries, ports.weighing)
  const weighing = sentWeighing(ports.weighing)
  await ports.executor.run(
    sessions.map(({ packed, ...session }) => ({
      ...{ kind: 'replay', weighing, packed },
      store: session.store,
      transcript: session.transcript,
      title: session.title,
      policies: entries.map(({ id }) => ports.policies.choiceFor(id, session)),
      regrets: MOST_EVIDENCE,
    })),
    (index, done) => {
      if (done.ok && done.kind === 'replay') gathered.take(index, done)
      else if (!done.ok) gathered.fail(index, sessions[index], done.problem)
      report(gathered.done, sessions.length)
    },
    signal,
  )
  return signal?.aborted ? null : gathered
}

export function knownPolicy({ entries }: PolicyCatalogue, id: string): PolicyEntry {
  const entry = entries.find((one) => one.id === id)
  if (entry !== undefined) return entry
  throw new ReplayRefused(
    `There is no policy ${JSON.stringify(id)}. There are: ${entries.map((one) => one.id).join(', ')}.`,
  )
}

/** An unmet need, and the place of its session. */
type Evidence = { readonly index: number; readonly regret: Regret }

type Problem = ExperimentResult['problems'][number]

/** What comes of the sessions, in whatever order, until all are there. */
export class GatheredReplays {
  done = 0
  private readonly sessions: (ReplayedSession | undefined)[]
  private readonly replays: (readonly SessionReplay[] | undefined)[]
  private readonly problems: (Problem | undefined)[]
  private readonly regrets: Evidence[][]
  private readonly unmet: number[]

  constructor(
    count: number,
    private readonly entries: readonly PolicyEntry[],
    private readonly weighing: GatheredWeighing,
  ) {
    this.sessions = new Array(count)
    this.replays = new Array(count)
    this.problems = new Array(count)
    this.regrets = entries.map(() => [])
    this.unmet = entries.map(() => 0)
  }

  take(
    index: number,
    one: {
      readonly session: ReplayedSession
      readonly replays: readonly SessionReplay[]
      readonly regrets: readonly (readonly Regret[])[]
      readonly unmet: readonly number[]
    },
  ): void {
    this.done += 1
    // Without a call there is nothing to replay; before it was read, that was not known.
    if (one.session.calls === 0) return
    this.sessions[index] = one.session
    this.replays[index] = one.replays
    for (const [i, found] of one.regrets.entries())
      this.regrets[i] = [...(this.regrets[i] ?? []), ...found.map((regret) => ({ index, regret }))]
        .sort(heavierFirst)
        .slice(0, MOST_EVIDENCE)
    for (const [i, count] of one.unmet.entries()) this.unmet[i] = (this.unmet[i] ?? 0) + count
  }

  fail(index: number, candidate: ReplayCandidate | undefined, problem: string): void {
    this.problems[index] = {
      transcriptId: candidate?.transcript.id ?? '',
      title: candidate?.title ?? '',
      problem,
    }
    this.done += 1
  }

  result(prices: string, tune: TuneOutcome | null = null): ExperimentResult {
    const replays = this.replays.filter((one) => one !== undefined)
    return {
      versions: { replay: REPLAY_VERSION, prices },
      weighing: weighedBy(this.weighing),
      sessions: this.sessions.filter((one) => one !== undefined),
      problems: this.problems.filter((one) => one !== undefined),
      policies: this.entries.map(
        ({ id, label, about, role }, i): ReplayedPolicy => ({
          ...{ name: id, label, about, role },
          sum: sumReplays(replays.flatMap((of) => of[i] ?? [])),
          regrets: (this.regrets[i] ?? []).map(({ regret }) => regret),
          unmet: this.unmet[i] ?? 0,
        }),
      ),
      tune,
    }
  }
}

/** Of equal weight by session and need, whichever session was done first. */
function heavierFirst(a: Evidence, b: Evidence): number {
  return b.regret.weight - a.regret.weight || a.index - b.index || a.regret.need - b.regret.need
}
