import type { ReplayedSession } from '../../core/replay/experiment-result'
import { refuseNeeds } from '../../core/replay/needs/refuse-needs'
import { type NeedWeighing, weighNeeds } from '../../core/replay/needs/weigh-needs'
import { packReplay, unpackReplay } from '../../core/replay/pack-replay'
import { replayWithRegrets } from '../../core/replay/regrets'
import { replaySession } from '../../core/replay/replay'
import type { Regret, SessionReplay } from '../../core/replay/replay-result'
import type { ReplaySession } from '../../core/replay/replay-session'
import type { OwnPrices } from '../../core/tokens/own-prices'
import { reasonOf } from '../../core/words/reason-of'
import type { StoreReader } from '../read/ports'
import { type PolicyChoice, replayPolicyOf } from './policy-choice'
import { prepareSession } from './prepare-session'
import type { PreparedSessions, RefusedNeeds, ReplayCandidate } from './replay-ports'

/** What a thread that replays works with. */
export type ReplayWorkPorts = {
  readonly reader: StoreReader
  /** null: nothing is kept. */
  readonly prepared: PreparedSessions | null
  readonly refused: Pick<RefusedNeeds, 'of'> | null
  readonly prices: OwnPrices
}

/** What is known of sessions from before; null: nothing is kept. */
export type KeptSessions = {
  readonly prepared: Pick<PreparedSessions, 'read'> | null
  readonly refused: Pick<RefusedNeeds, 'of'> | null
}

type SessionTask = Pick<ReplayCandidate, 'store' | 'transcript' | 'title'>

/** Something to do with one session. Plain data, which a thread can be given. */
export type ReplayTask =
  /** It is made ready. */
  | (SessionTask & { readonly kind: 'ready' })
  /** It is replayed under some policies. */
  | (SessionTask & {
      readonly kind: 'replay'
      /** As it was packed before; null: it is looked for, or made ready. */
      readonly packed: Uint8Array | null
      /** null: its needs are taken as they are in the session alone. */
      readonly weighing: NeedWeighing | null
      readonly policies: readonly PolicyChoice[]
      /** Of each policy so many unmet needs are wanted. */
      readonly regrets: number
    })

/** A session that was made ready, with what sessions are weighed by among each other. */
type ReadyTask = Pick<ReplaySession, 'owner' | 'startedAt' | 'spanHashes' | 'writtenAgain'> & {
  readonly ok: true
  readonly kind: 'ready'
  readonly calls: number
  /** The session, where nothing keeps it. */
  readonly packed: Uint8Array | null
}

/** What came of a task; sessions that cannot be read say why. */
export type ReplayedTask =
  | ReadyTask
  | {
      readonly ok: true
      readonly kind: 'replay'
      readonly session: ReplayedSession
      /** One for each policy, as the task names them. */
      readonly replays: readonly SessionReplay[]
      readonly regrets: readonly (readonly Regret[])[]
      /** All needs that each policy leaves unmet. */
      readonly unmet: readonly number[]
    }
  | { readonly ok: false; readonly problem: string }

/** Does a task: the session is made ready, unless it is, and replayed. No more than one session is in memory. */
export async function doReplayTask(ports: ReplayWorkPorts, task: ReplayTask): Promise<ReplayedTask> {
  try {
    if (task.kind === 'ready') return await makeReady(ports, task)
    const packed = task.packed === null ? null : unpackReplay(task.packed)
    const refused = ports.refused?.of(task.transcript.id) ?? []
    const ready = refuseNeeds(packed ?? (await readyForReplay(ports, task)).session, refused)
    const session = task.weighing === null ? ready : weighNeeds(ready, task.weighing)
    const found = task.policies.map((choice) => {
      const policy = replayPolicyOf(choice)
      if (task.regrets > 0) return replayWithRegrets(session, policy, ports.prices)
      return { replay: replaySession(session, policy, ports.prices), regrets: [] }
    })
    return {
      ok: true,
      kind: 'replay',
      session: replayedOf(session, task),
      replays: found.map(({ replay }) => replay),
      regrets: found.map(({ regrets }) => regrets.slice(0, task.regrets)),
      unmet: found.map(({ regrets }) => regrets.length),
    }
  } catch (error) {
    return { ok: false, problem: reasonOf(error) }
  }
}

async function makeReady(ports: ReplayWorkPorts, task: SessionTask): Promise<ReadyTask> {
  const { session, isKept } = await readyForReplay(ports, task)
  const { owner, startedAt, spanHashes, writtenAgain, calls } = session
  return {
    ...{ ok: true, kind: 'ready', owner, startedAt, spanHashes, writtenAgain },
    calls: calls.count,
    packed: isKept ? null : packReplay(session),
  }
}

/** A session that was made ready before, of the same source and by the same version; null: it has to be made. */
export function keptForReplay(
  { prepared, refused }: KeptSessions,
  { transcript }: Pick<SessionTask, 'transcript'>,
): ReplaySession | null {
  const source = sourceKey(transcript.stamp)
  const kept = source === null ? null : (prepared?.read(transcript.id, source) ?? null)
  const session = kept === null ? null : unpackReplay(kept)
  return session === null ? null : refuseNeeds(session, refused?.of(transcript.id) ?? [])
}

/**
 * A session made ready for replay: as it was kept, else anew, and then kept where it can be.
 * @throws SourceProblem when it cannot be read
 */
async function readyForReplay(
  { reader, prepared }: ReplayWorkPorts,
  { store, transcript }: SessionTask,
): Promise<{ readonly session: ReplaySession; readonly isKept: boolean }> {
  const kept = keptForReplay({ prepared, refused: null }, { transcript })
  if (kept !== null) return { session: kept, isKept: true }
  const session = await prepareSession(reader, store, transcript)
  const source = sourceKey(transcript.stamp)
  if (source === null || prepared === null) return { session, isKept: false }
  try {
    await prepared.keep(transcript.id, source, packReplay(session))
    return { session, isKept: prepared.read(transcript.id, source) !== null }
  } catch {
    // The database is busy with other work, or cannot be used: the session is ready all the same.
    return { session, isKept: false }
  }
}

/** What a source is known by; null: it was not looked at, so that nothing can be said of it later. */
function sourceKey({ dev, ino, size, mtimeMs }: SessionTask['transcript']['stamp']): string | null {
  return size === 0 && mtimeMs === 0 ? null : `${dev}:${ino}:${size}:${mtimeMs}`
}

function replayedOf(session: ReplaySession, { title }: Pick<SessionTask, 'title'>): ReplayedSession {
  const { transcriptId, storeId, sessionId, agent, startedAt, calls, needs, fit, excluded, passedOver } =
    session
  let weight = 0
  for (const one of needs.weight) weight += one
  return {
    ...{ transcriptId, storeId, sessionId, agent, title, startedAt, fit, excluded, passedOver },
    ...{ calls: calls.count, needs: needs.count, weight },
  }
}
