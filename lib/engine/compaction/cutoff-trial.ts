import { adviseCutoff } from '../../core/logs/advise-cutoff'
import { type JudgedSession, judgeDrops } from '../../core/logs/judge-drops'
import type { AnyLogRecord } from '../../core/logs/log-fields'
import { changedActions, type DropSetting, type JudgedDrop, whatIf } from '../../core/logs/what-if'
import type { Policy } from '../../core/policy/policy'
import { scorerOf } from '../../core/relevance/scorer-of'
import { addResults, type PreparedTrial, prepareTrial, trialDrops } from '../../core/replay/drop-trial'
import { needsOf, RARE } from '../../core/replay/needs/needs'
import { reasonOf } from '../../core/words/reason-of'
import type { InspectedSession } from '../read/inspect-session'
import type { StoreReader } from '../read/ports'
import { planWindow } from './plan-session'
import { chunksOfSession } from './trial-session'

/**
 * So many of the newest drops are judged, and so many recoveries. Each is held in memory, and logs may be of any size;
 * with fewer, what is wanted months later would not be held against what was dropped.
 */
export const MOST_DROPS = 100_000

/** Sessions whose transcripts are read for later needs, and sessions that are looked for to find them. */
const MOST_SESSIONS = 10
const MOST_LOOKED_FOR = 100

/** Drops whose texts are looked up in cold storage, since their transcripts have no chunk of their name. */
const MOST_TEXTS = 2_000

/** A session as drops of it are judged and tried. */
export type LoggedSession = JudgedSession & {
  /** Tokens in its context at which a pass is due. */
  readonly dueAt: (policy: Policy) => number
}

/** Reads what drops of a session are judged by. @throws SourceProblem when entries are not where they were read */
export async function readLoggedSession(
  reader: StoreReader,
  session: InspectedSession,
): Promise<LoggedSession> {
  const { chunks } = await chunksOfSession(reader, session)
  const { store, transcript, next } = session
  const place = { session: { store, transcript }, frame: { window: next.window, model: next.model } }
  return {
    chunks,
    needs: needsOf(chunks, RARE),
    dueAt: (policy) => Math.round(planWindow(place, policy) * policy.lines.compact.at),
  }
}

export type CutoffPorts = {
  /** null: its transcript is not here. @throws Error when it cannot be read */
  readonly session: (sessionId: string) => Promise<LoggedSession | null>
  /** What cold storage has of chunks with these ids. */
  readonly stored: (chunkIds: readonly string[]) => Promise<readonly StoredChunk[]>
}

type StoredChunk = {
  readonly chunkId: string
  readonly sessionId: string
  readonly content: string
  readonly place: { readonly entryIds: readonly string[] } | null
}

/** Logged drops, judged. */
export type JudgedLog = {
  readonly drops: readonly JudgedDrop[]
  /** Those whose transcripts were read, by their ids. */
  readonly sessions: ReadonlyMap<string, LoggedSession>
  /** Ids of those whose transcripts are here and cannot be read, and why: what was needed in them is unknown. */
  readonly unread: ReadonlyMap<string, string>
}

/** Judges logged drops by what came back, and by what was needed later in the sessions that were dropped from last. */
export async function judgeLogged(ports: CutoffPorts, records: readonly AnyLogRecord[]): Promise<JudgedLog> {
  const newest = records
    .flatMap((record) => (record.kind === 'drops' ? [record] : []))
    .toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0))
  const logged = new Set(newest.flatMap(({ sessionId }) => sessionId ?? []))
  const sessions = new Map<string, LoggedSession>()
  const unread = new Map<string, string>()
  for (const id of [...logged].slice(0, MOST_LOOKED_FOR)) {
    if (sessions.size >= MOST_SESSIONS) break
    try {
      const session = await ports.session(id)
      if (session !== null) sessions.set(id, session)
    } catch (error) {
      unread.set(id, reasonOf(error))
    }
  }
  const names = new Map([...sessions].map(([id, { chunks }]) => [id, new Set(chunks.map((one) => one.id))]))
  const unnamed = newest.flatMap(({ sessionId, chunkId }) => {
    const known = names.get(sessionId ?? '')
    return known === undefined || chunkId === null || known.has(chunkId) ? [] : [chunkId]
  })
  const texts = new Map(
    (unnamed.length === 0 ? [] : await ports.stored([...new Set(unnamed)].slice(0, MOST_TEXTS))).map(
      ({ chunkId, sessionId, content, place }) => [
        `${sessionId} ${chunkId}`,
        { content, entryIds: place?.entryIds ?? [] },
      ],
    ),
  )
  const drops = judgeDrops({
    records,
    session: (id) => sessions.get(id) ?? null,
    stored: (chunkId, session) => texts.get(`${session} ${chunkId}`) ?? null,
  })
  return { drops, sessions, unread }
}

/** The thresholds that a policy has in force. */
export function settingOf({ relevance }: Policy): DropSetting {
  return { cutoff: relevance.cutoff, keep: relevance.keep }
}

/** What two settings of the thresholds would make of judged drops, and which key they speak for. */
export function compareCutoffs(drops: readonly JudgedDrop[], before: DropSetting, after: DropSetting) {
  return {
    needsKnown: drops.filter(({ needed }) => needed !== null).length,
    before: whatIf(drops, before),
    after: whatIf(drops, after),
    advice: adviseCutoff(drops, before),
    changed: changedActions(drops, before, after),
  }
}

/**
 * Both settings tried on the same transcripts, as if nothing had ever been dropped.
 * @param from tokens at which a pass is due; null: where the policy has it for each session
 */
export function tryCutoffs(
  policy: Policy,
  sessions: readonly LoggedSession[],
  {
    before,
    after,
    from,
  }: { readonly before: DropSetting; readonly after: DropSetting; readonly from: number | null },
) {
  const tried = sessions.map((session) => {
    const prepared = preparedTrial(session, policy.relevance)
    return { prepared, calls: prepared.calls, from: from ?? session.dueAt(policy) }
  })
  const run = (setting: DropSetting) => {
    const changed = { ...policy, relevance: { ...policy.relevance, ...setting } }
    return addResults(tried.map((one) => trialDrops(one.prepared, changed, one.from)))
  }
  return {
    tried: tried.map(({ calls, from: at }) => ({ calls, from: at })),
    before: run(before),
    after: run(after),
  }
}

type Prepared = { readonly key: string; readonly trial: PreparedTrial }

/** Thresholds move over the same sessions; scores are worked out once. */
const known = new WeakMap<LoggedSession, Prepared>()

function preparedTrial(session: LoggedSession, relevance: Policy['relevance']): PreparedTrial {
  const { cutoff: _cutoff, keep: _keep, ...scoring } = relevance
  const key = JSON.stringify(scoring)
  const before = known.get(session)
  if (before?.key === key) return before.trial
  const trial = prepareTrial(session.chunks, scorerOf(relevance), RARE)
  known.set(session, { key, trial })
  return trial
}
