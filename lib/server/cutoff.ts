import 'server-only'
import { policyWindow } from '../core/budget/guard'
import { adviseCutoff, cutoffCurve } from '../core/logs/advise-cutoff'
import { type JudgedSession, judgeDrops, type StoredText } from '../core/logs/judge-drops'
import type { AnyLogRecord } from '../core/logs/log-fields'
import { changedFates, type DropSetting, type JudgedDrop, NEEDED_WEIGHT, whatIf } from '../core/logs/what-if'
import type { Policy } from '../core/policy/policy'
import { addResults, trialDrops } from '../core/replay/drop-trial'
import type { Database } from '../db/client'
import { findKnownStores } from '../db/queries/known-stores'
import { readLiveStamp } from '../db/queries/live-stamp'
import { ANY_LINE, countLogLines, findLoggedSessions, findLogLines } from '../db/queries/log-lines'
import type { SessionDetail } from '../db/queries/session-detail'
import { findNewestSessions, findSessionNames } from '../db/queries/transcripts-of'
import { shownText } from '../view/activity'
import type { ChangedRow, CutoffParams, CutoffView, TrialView } from '../view/cutoff'
import { sessionTitle } from '../view/session-title'
import { policiesOfStores } from '../wire/log-tail'
import { transcriptsOf } from './cold-chunk'
import { getColdFolders } from './cold-library'
import { getDatabase } from './database'
import { getJudgedSession, getPreparedTrial } from './judged-sessions'
import { oncePerProcess } from './process-memory'
import { RecentlyUsed } from './recently-used'
import { getSession } from './session-record'
import { getSetup } from './setup'

/** Newest drops that are looked at, and recoveries. */
const MOST_DROPS = 20_000
/** Drops whose texts are looked up, and sessions whose transcripts are read for later needs. */
const MOST_TEXTS = 2_000
const MOST_SESSIONS = 10
const SHOWN_CHANGES = 50
const NAMED_SESSIONS = 200
/** Sessions of a trial. */
const TRIED_SESSIONS = 5

const kept = oncePerProcess('judged-drops', () => new RecentlyUsed<string, Promise<readonly JudgedDrop[]>>(4))

/** What two settings of the thresholds would make of the logged drops (W4, W5). */
export async function getCutoff(params: CutoffParams): Promise<CutoffView> {
  const database = await getDatabase()
  const session = params.session === '' ? null : params.session
  const inForce = settingOf(await policyInForce(database))
  const [before, after] = [params.before ?? inForce, params.after ?? inForce]
  const drops = await judgedDrops(database, session)
  const sessions = findLoggedSessions(database, NAMED_SESSIONS)
  const names = await findSessionNames(database, sessions)
  const titleOf = (id: string) => {
    const named = names.get(id)
    return named === undefined ? shownText(id) : sessionTitle(named)
  }
  const changed = changedFates(drops, before, after)
  return {
    drops: drops.length,
    logged: countLogLines(database, { ...ANY_LINE, kind: 'drops', session }),
    needsKnown: drops.filter(({ needed }) => needed !== null).length,
    inForce,
    before: whatIf(drops, before),
    after: whatIf(drops, after),
    curve: cutoffCurve(drops, Math.max(0.5, before.cutoff, after.cutoff)),
    changed: changed.slice(0, SHOWN_CHANGES).map(
      ({ drop, ...fates }, i): ChangedRow => ({
        key: `${i}`,
        chunkId: drop.chunkId,
        shownId: shownText(drop.chunkId),
        sessionId: drop.sessionId,
        shownSession: drop.sessionId === null ? '?' : titleOf(drop.sessionId),
        score: drop.score ?? 0,
        tokens: drop.tokens,
        ...fates,
        against: againstWords(drop),
      }),
    ),
    changedTotal: changed.length,
    advice: adviseCutoff(drops, before),
    sessions: sessions.map((value) => ({ value, label: titleOf(value) })),
  }
}

/** Both settings on the same transcripts: of the session asked for, else of those with drops, else the newest. */
export async function getTrial(params: CutoffParams): Promise<TrialView> {
  const database = await getDatabase()
  const policy = await policyInForce(database)
  const [before, after] = [params.before ?? settingOf(policy), params.after ?? settingOf(policy)]
  const logged = params.session === '' ? findLoggedSessions(database, TRIED_SESSIONS) : [params.session]
  const found = await sessionsOf(logged)
  const sessions =
    found.length > 0
      ? found
      : (await Promise.all((await findNewestSessions(database, TRIED_SESSIONS)).map(getSession))).filter(
          (session) => session !== null,
        )
  const tried = []
  const problems: string[] = []
  for (const session of sessions) {
    try {
      const trial = await getPreparedTrial(session, policy.relevance)
      const from = params.from ?? triggerOf(policy, session)
      const run = (setting: DropSetting) =>
        trialDrops(trial, { ...policy, relevance: { ...policy.relevance, ...setting } }, from)
      tried.push({ session, calls: trial.calls, from, before: run(before), after: run(after) })
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error))
    }
  }
  const froms = tried.map(({ from }) => from)
  return {
    sessions: tried.map(({ session, calls }) => ({ id: session.id, title: sessionTitle(session), calls })),
    scorer: policy.relevance.scorer,
    from: { lowest: Math.min(...froms, Number.MAX_SAFE_INTEGER), highest: Math.max(...froms, 0) },
    before: { setting: before, result: addResults(tried.map((one) => one.before)) },
    after: { setting: after, result: addResults(tried.map((one) => one.after)) },
    problems,
  }
}

function settingOf({ relevance }: Policy): DropSetting {
  return { cutoff: relevance.cutoff, keep: relevance.keep }
}

async function policyInForce(database: Database): Promise<Policy> {
  const [own, ...stores] = await policiesOfStores(getSetup(), findKnownStores(database))
  // The one that drops: a store's, if its agents are configured.
  const policy = stores[0] ?? own
  if (policy === undefined) throw new Error('No policy is in force.')
  return policy
}

/** Where a pass is due in a session: its share of the window. Tokens. */
function triggerOf(policy: Policy, { model, window }: SessionDetail): number {
  const index = window === null ? null : { tokens: window, model }
  return Math.round(policyWindow(policy, { index }, model).tokens * policy.lines.compact.at)
}

/** Judged once until a log changes. */
function judgedDrops(database: Database, session: string | null): Promise<readonly JudgedDrop[]> {
  const { logs, revision } = readLiveStamp(database)
  const key = `${database.url} ${logs} ${revision} ${session}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const judged = judge(database, session)
  kept.set(key, judged)
  judged.catch(() => kept.delete(key))
  return judged
}

async function judge(database: Database, session: string | null): Promise<readonly JudgedDrop[]> {
  const read = (kind: 'drops' | 'recovery') =>
    findLogLines(database, { ...ANY_LINE, kind, session }, { skip: 0, limit: MOST_DROPS }).map(
      ({ record }) => record,
    )
  const records = [...read('drops'), ...read('recovery')]
  const ids = [
    ...new Set(records.flatMap(({ kind, sessionId }) => (kind === 'drops' ? (sessionId ?? []) : []))),
  ]
  const sessions = new Map<string, JudgedSession>()
  for (const found of await sessionsOf(ids.slice(0, MOST_SESSIONS))) {
    // A transcript that cannot be read leaves it unknown what was needed.
    const judged = await getJudgedSession(found).catch(() => null)
    if (judged !== null) sessions.set(found.sessionId, judged)
  }
  const texts = await textsOf(records.filter(({ sessionId }) => sessions.has(sessionId ?? '')))
  return judgeDrops({
    records,
    session: (id) => sessions.get(id) ?? null,
    stored: (chunkId, sessionId) => texts.get(`${sessionId} ${chunkId}`) ?? null,
  })
}

async function sessionsOf(ids: readonly string[]): Promise<SessionDetail[]> {
  const all = await Promise.all(ids.map((sessionId) => transcriptsOf({ sessionId })))
  return all.flatMap(([newest]) => newest ?? [])
}

async function textsOf(records: readonly AnyLogRecord[]): Promise<Map<string, StoredText>> {
  const texts = new Map<string, StoredText>()
  const wanted = records.flatMap((record) =>
    record.kind === 'drops' && record.chunkId !== null ? record.chunkId : [],
  )
  for (const { index } of await getColdFolders()) {
    if (index === null) continue
    await index.cold.refresh()
    for (const id of wanted.slice(0, MOST_TEXTS))
      for (const { chunkId, sessionId, content, place } of index.cold.namedNow(id))
        texts.set(`${sessionId} ${chunkId}`, { content, entryIds: place?.entryIds ?? [] })
  }
  return texts
}

function againstWords({ recovered, needed }: JudgedDrop): string | null {
  const back =
    recovered === null
      ? null
      : recovered === 'relevance'
        ? 'came back by itself'
        : `brought back (${shownText(recovered)})`
  const later =
    needed !== null && needed >= NEEDED_WEIGHT ? `needed later (weight ${needed.toFixed(1)})` : null
  return [back, later].filter((words) => words !== null).join(', ') || null
}
