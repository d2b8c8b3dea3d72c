import type { ReplayedSession } from '../../core/replay/experiment-result'
import { packReplay, unpackReplay } from '../../core/replay/pack-replay'
import { refuseNeeds } from '../../core/replay/refuse-needs'
import { regretsOf } from '../../core/replay/regrets'
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

/** One session under some policies. Plain data, which a thread can be given. */
export type ReplayTask = Pick<ReplayCandidate, 'store' | 'transcript' | 'title'> & {
  readonly policies: readonly PolicyChoice[]
  /** Of each policy so many unmet needs are wanted. */
  readonly regrets: number
}

/** What came of a task; sessions that cannot be read say why. */
export type ReplayedTask =
  | {
      readonly ok: true
      readonly session: ReplayedSession
      readonly owner: string
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
    const session = await readyForReplay(ports, task)
    const policies = task.policies.map(replayPolicyOf)
    const found = policies.map((policy) =>
      task.regrets === 0 ? null : regretsOf(session, policy, Number.POSITIVE_INFINITY),
    )
    return {
      ok: true,
      session: replayedOf(session, task),
      owner: session.owner,
      replays: policies.map((policy) => replaySession(session, policy, ports.prices)),
      regrets: found.map((regrets) => regrets?.slice(0, task.regrets) ?? []),
      unmet: found.map((regrets) => regrets?.length ?? 0),
    }
  } catch (error) {
    return { ok: false, problem: reasonOf(error) }
  }
}

/** A session that was made ready before, of the same source and by the same version; null: it has to be made. */
export function keptForReplay(
  { prepared, refused }: Pick<ReplayWorkPorts, 'prepared' | 'refused'>,
  { transcript }: Pick<ReplayTask, 'transcript'>,
): ReplaySession | null {
  const source = sourceKey(transcript.stamp)
  const kept = source === null ? null : (prepared?.read(transcript.id, source) ?? null)
  const session = kept === null ? null : unpackReplay(kept)
  return session === null ? null : refuseNeeds(session, refused?.of(transcript.id) ?? [])
}

/**
 * A session made ready for replay: as it was kept, else anew, and then kept. What the operator said is no need does not
 * count.
 * @throws SourceProblem when it cannot be read
 */
async function readyForReplay(ports: ReplayWorkPorts, task: ReplayTask): Promise<ReplaySession> {
  const kept = keptForReplay(ports, task)
  if (kept !== null) return kept
  const { store, transcript } = task
  const { reader, prepared, refused } = ports
  const session = await prepareSession(reader, store, transcript)
  const source = sourceKey(transcript.stamp)
  if (source !== null) await prepared?.keep(transcript.id, source, packReplay(session))
  return refuseNeeds(session, refused?.of(transcript.id) ?? [])
}

/** What a source is known by; null: it was not looked at, so that nothing can be said of it later. */
function sourceKey({ dev, ino, size, mtimeMs }: ReplayTask['transcript']['stamp']): string | null {
  return size === 0 && mtimeMs === 0 ? null : `${dev}:${ino}:${size}:${mtimeMs}`
}

function replayedOf(session: ReplaySession, { title }: Pick<ReplayTask, 'title'>): ReplayedSession {
  const { transcriptId, storeId, sessionId, agent, startedAt, calls, needs, fit, excluded, passedOver } =
    session
  let weight = 0
  for (const one of needs.weight) weight += one
  return {
    ...{ transcriptId, storeId, sessionId, agent, title, startedAt, fit, excluded, passedOver },
    ...{ calls: calls.count, needs: needs.count, weight },
  }
}
