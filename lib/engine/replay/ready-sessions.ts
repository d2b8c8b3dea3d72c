import { type KindPrecision, precisionsOf } from '../../core/replay/needs/need-precision'
import { refuseNeeds } from '../../core/replay/needs/refuse-needs'
import type { NeedWeighing } from '../../core/replay/needs/weigh-needs'
import { unpackReplay } from '../../core/replay/pack-replay'
import type { ReplaySession, WrittenAgain } from '../../core/replay/replay-session'
import { SharedSpanCount, type SharedSpans } from '../../core/replay/spans/shared-spans'
import type { ReplayExecutor } from './replay-executor'
import type { ReplayCandidate } from './replay-ports'
import { type KeptSessions, keptForReplay, type ReplayedTask } from './replay-work'

/** Sessions that are kept nowhere are held in memory from one stage to the next, up to so many bytes of them. */
const MOST_HELD = 256 * 1024 * 1024

/** A session that is ready, with what a split and a thread ask of it. */
export type ReadySession = ReplayCandidate & {
  readonly owner: string
  readonly startedAt: ReplaySession['startedAt']
  /** Calls that are replayed. */
  readonly ready: number
  /** As it was packed, where nothing keeps it; null: a thread finds it, or makes it anew. */
  readonly packed: Uint8Array | null
}

/** What the needs of sessions are weighed by, and what that rests on. */
export type GatheredWeighing = NeedWeighing & {
  readonly shared: SharedSpans
  readonly precisions: readonly KindPrecision[]
}

/**
 * Makes sessions ready and weighs their needs among each other: how many owners have a span, and how sure a need of each
 * kind is by the compactions that were recorded. The same sessions give the same, in whatever order they are done.
 * @returns one for each session; undefined: it cannot be read
 */
export async function readySessions(
  executor: ReplayExecutor,
  chosen: readonly ReplayCandidate[],
  onDone: (done: number) => void,
  signal?: AbortSignal,
): Promise<{
  readonly sessions: readonly (ReadySession | undefined)[]
  readonly weighing: GatheredWeighing
}> {
  const sessions: (ReadySession | undefined)[] = new Array(chosen.length)
  const counts: WrittenAgain[] = []
  const spans = new SharedSpanCount()
  let [done, held] = [0, 0]
  await executor.run(
    chosen.map(({ store, transcript, title }) => ({ store, transcript, title, kind: 'ready' as const })),
    (index, one) => {
      done += 1
      onDone(done)
      const candidate = chosen[index]
      if (!one.ok || one.kind !== 'ready' || candidate === undefined) return
      const { owner, startedAt, calls, spanHashes, writtenAgain, packed } = one
      held += packed?.length ?? 0
      sessions[index] = {
        ...{ ...candidate, owner, startedAt, ready: calls },
        packed: held <= MOST_HELD ? packed : null,
      }
      if (calls === 0) return
      spans.add(owner, spanHashes)
      counts.push(writtenAgain)
    },
    signal,
  )
  const shared = spans.finish()
  const precisions = precisionsOf(counts)
  return { sessions, weighing: { shared, precisions, precision: precisions.map((one) => one.precision) } }
}

/** One session that is ready, less what the operator refused; else why it is not. */
export type OneReady =
  | { readonly ok: true; readonly session: ReplaySession }
  | { readonly ok: false; readonly problem: string }

/**
 * One session as it was kept, else made ready by `executor`, which need not be able to keep it: a session that is being
 * read again, or that another process writes beside, is ready too.
 */
export async function oneReadySession(
  executor: () => Promise<ReplayExecutor>,
  kept: KeptSessions,
  candidate: ReplayCandidate,
): Promise<OneReady> {
  const known = keptForReplay(kept, candidate)
  if (known !== null) return { ok: true, session: known }
  const { store, transcript, title } = candidate
  let made: ReplayedTask | null = null
  const note = (_index: number, done: ReplayedTask) => {
    made = done
  }
  await (await executor()).run([{ kind: 'ready', store, transcript, title }], note)
  return readyOf(made, kept, candidate)
}

function readyOf(made: ReplayedTask | null, kept: KeptSessions, candidate: ReplayCandidate): OneReady {
  if (made?.ok === false) return made
  const packed = made?.kind === 'ready' && made.packed !== null ? unpackReplay(made.packed) : null
  const session =
    packed === null
      ? keptForReplay(kept, candidate)
      : refuseNeeds(packed, kept.refused?.of(candidate.transcript.id) ?? [])
  return session === null ? { ok: false, problem: 'its transcript changed meanwhile' } : { ok: true, session }
}
