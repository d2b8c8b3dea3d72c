import { runtimeVersion } from '../../../adapters/stores/runtime-version'
import { runtimeStore } from '../../../compose/stores/runtime-stores'
import { inspectCompactions } from '../../../core/compaction/inspect'
import { type FittedCompaction, fittedOf, policyFit } from '../../../core/compaction/policy-fit'
import type { LabelledFile } from '../../../core/policy/effective'
import { readPolicy } from '../../../core/policy/read-policy'
import { type RuntimeStore, runtimePolicy } from '../../../core/policy/runtime/runtime-policy'
import { parseSource } from '../../../core/policy/source-tree'
import { RECORDED } from '../../../core/replay/policies/recorded'
import { runtimeReplay } from '../../../core/replay/policies/runtime-policies'
import { replaySession } from '../../../core/replay/replay'
import type { ReplayPolicy } from '../../../core/replay/replay-policy'
import type { ReplaySession } from '../../../core/replay/replay-session'
import { NO_PRICES } from '../../../core/tokens/own-prices'
import { Branches } from '../../../core/transcript/branches'
import { inspectSession } from '../../../engine/read/inspect-session'
import { policySubjectOf } from '../../../engine/read/session-subject'
import { prepareSession } from '../../../engine/replay/prepare-session'
import { explanationWords } from '../../../view/policy/fit-words'
import type { BenchContext, Measurement } from '../report'
import { type LabSession, labSessions, sessionsIn } from './lab-sessions'

/** A compaction is found when it comes no more than this many calls off. */
const WITHIN_CALLS = 1

/** Sessions that somebody put together by hand: they have records of compactions, and no calls that led to them. */
const BY_HAND = [
  ['claude-code/jazzyalex+agent-sessions', 'claude-code'],
  ['codex/jazzyalex+agent-sessions', 'codex'],
] as const
/** The same session as in 2026.7.1, imported by a release with a database, and continued. */
const IMPORTED = 'openclaw-2026.9.6'

/** What the runs of Codex in the corpus were set to, as the script that made them says; no record holds it. */
const SETTINGS_OF_RUNS: readonly (readonly [owner: string, file: string, text: string])[] = [
  ['codex-0.169.0-local', 'config.toml', 'model_auto_compact_token_limit = 24000\n'],
  ['codex-0.169.0-remote', 'config.toml', 'model_auto_compact_token_limit = 24000\n'],
]

/** A session with recorded compactions: what its runtime's policy says of them, and where a replay has them. */
type Compacted = {
  readonly owner: string
  readonly byHand: boolean
  readonly fitted: readonly FittedCompaction[]
  readonly calls: number
  /** Calls before each record, in file order; before each compaction of a replay “as it was”; and before each one that
   * the policy of its runtime makes of the same calls by itself. */
  readonly recorded: readonly number[]
  readonly asItWas: readonly number[]
  readonly byPolicy: readonly number[]
}

/**
 * Recorded compactions of the corpus: how many the policy of their runtime explains within one call, how many a replay
 * "as it was" has within one call of the record, and how many that policy makes by itself when the session is replayed.
 * Each that is not explained is logged with why.
 */
export async function recordedCompactions(corpus: string, log: BenchContext['log']): Promise<Measurement[]> {
  const all: Compacted[] = []
  for await (const session of sessionsIn(corpus, [], [[IMPORTED, false]])) all.push(await compacted(session))
  for await (const session of labSessions(corpus)) all.push(await compacted(session))
  const files = BY_HAND.map(([folder, kind]) => [folder, kind, false] as const)
  for await (const session of sessionsIn(corpus, files, [])) all.push(await compacted(session, true))
  const found = all.filter(({ recorded }) => recorded.length > 0)
  if (found.length === 0) {
    log('no compaction is recorded in this corpus: nothing to explain')
    return []
  }
  const records = found.reduce((sum, { recorded }) => sum + recorded.length, 0)
  return [explained(found, log, records), ...replayed(found, log)]
}

async function compacted(one: LabSession, byHand = false): Promise<Compacted> {
  const { reader, store, transcript, owner } = one
  const session = await inspectSession(reader, store, transcript, { sizes: true, texts: false })
  const { facts, frames } = session
  const [runtime, subject] = [await runtimeOf(one), policySubjectOf(session)]
  const inspected = inspectCompactions(Branches.of(facts), frames, store.kind, {
    ...{ store: runtime, subject },
    recorded: transcript.index?.recorded ?? [],
  })
  const recorded = inspected.map(({ afterCall }) => afterCall)
  const found = { owner, byHand, calls: frames.length, fitted: fittedOf(inspected), recorded }
  if (recorded.length === 0) return { ...found, asItWas: [], byPolicy: [] }
  const ready = await prepareSession(reader, store, transcript)
  const own = runtimePolicy(runtime, { ...subject, provider: null, at: null })
  return {
    ...found,
    asItWas: compactionCalls(ready, RECORDED),
    byPolicy: compactionCalls(ready, runtimeReplay(own, 'runtime', own.runtime.name)),
  }
}

async function runtimeOf({ store, owner }: LabSession): Promise<RuntimeStore> {
  const runtime = runtimeStore([], store, await runtimeVersion(store), { stores: [] })
  const files = SETTINGS_OF_RUNS.flatMap(([whose, name, text]): LabelledFile[] =>
    whose === owner ? [{ label: name, file: readPolicy(parseSource(text, name)) }] : [],
  )
  return { ...runtime, files: [...runtime.files, ...files] }
}

/** The calls before which a policy compacts. */
function compactionCalls(session: ReplaySession, policy: ReplayPolicy): number[] {
  const calls: number[] = []
  const watched: ReplayPolicy = {
    ...policy,
    start: (walk) => {
      const step = policy.start(walk)
      return (call) => {
        const before = walk.compactions
        step(call)
        for (let made = before; made < walk.compactions; made++) calls.push(call)
      }
    },
  }
  replaySession(session, watched, NO_PRICES)
  return calls
}

function explained(found: readonly Compacted[], log: BenchContext['log'], records: number): Measurement {
  const fit = policyFit(
    found.flatMap(({ owner, byHand, fitted }) => (byHand ? [] : fitted.map((one) => ({ ...one, owner })))),
  )
  for (const { owner, line, explanation } of fit.others)
    log(`${owner}, line ${line}: not explained: ${explanation.reason}: ${explanationWords(explanation)}`)
  for (const { owner, recorded } of found.filter(({ byHand }) => byHand))
    log(`${owner}: ${recorded.length} records, put together by hand: not compared`)
  return {
    what: 'recorded compactions that the policy of their runtime does not explain within one call',
    value: 100 * (1 - (fit.share ?? 1)),
    unit: '%',
    limit: 5,
    note: `${fit.explained} of ${fit.compared} that a line decided about are explained, of ${records} records`,
  }
}

/** Where replays have the recorded compactions: what is recorded behind the last call changes no prompt. */
function replayed(found: readonly Compacted[], log: BenchContext['log']): Measurement[] {
  const runs = found.filter(({ byHand }) => !byHand)
  const was = new Matches('as it was', log)
  const policy = new Matches('by its policy', log)
  for (const { owner, calls, recorded, asItWas, fitted, byPolicy } of runs) {
    const places = recorded.filter((place) => place < calls)
    for (const place of recorded)
      if (place >= calls) log(`${owner}: no call came after the record behind call ${place}`)
    was.add(owner, places, asItWas)
    const byLine = fitted.every(({ explanation }) => explanation.verdict !== 'apart')
    if (byLine) policy.add(owner, places, byPolicy)
  }
  return [
    was.missed('“as it was”: recorded compactions that the replay does not have within one call'),
    policy.missed(
      'what a line decided about, and the runtime’s policy in a replay does not do within one call',
    ),
  ]
}

/** Counts how many recorded compactions are among those of a replay, and logs what is in one of them alone. */
class Matches {
  private records = 0
  private near = 0
  private more = 0

  constructor(
    private readonly name: string,
    private readonly log: BenchContext['log'],
  ) {}

  add(owner: string, recorded: readonly number[], made: readonly number[]): void {
    this.records += recorded.length
    const open = [...made]
    for (const place of recorded) {
      const at = open.findIndex((call) => Math.abs(call - place) <= WITHIN_CALLS)
      if (at >= 0) this.near += open.splice(at, 1).length
      else
        this.log(`${owner}, ${this.name}: recorded behind call ${place}, replayed behind ${made.join(', ')}`)
    }
    this.more += open.length
    for (const call of open) this.log(`${owner}, ${this.name}: behind call ${call} in the replay alone`)
  }

  missed(what: string): Measurement {
    const { records, near, more } = this
    return {
      ...{ what, unit: '%', limit: 5 },
      value: 100 * (1 - near / Math.max(1, records)),
      note: `${near} of ${records} are found; ${more} more in the replay alone`,
    }
  }
}
