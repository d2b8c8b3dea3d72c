import { reasonOf } from '../../core/words/reason-of'
import 'server-only'
import { openPolicies } from '../../compose/policy/policies'
import { policiesOfStores } from '../../compose/policy/policy-sources'
import { highestOf, lowestOf } from '../../core/lists/long-lists'
import { cutoffCurve } from '../../core/logs/advise-cutoff'
import { type JudgedDrop, NEEDED_WEIGHT } from '../../core/logs/what-if'
import type { Policy } from '../../core/policy/policy'
import type { Database } from '../../db/client'
import { findKnownStores } from '../../db/queries/known-stores'
import { readLiveStamp } from '../../db/queries/live-stamp'
import { ANY_LINE, countLogLines, findLoggedSessions, findLogLines } from '../../db/queries/log-lines'
import type { SessionDetail } from '../../db/queries/session-detail'
import { findNewestSessions, findSessionNames } from '../../db/queries/transcripts-of'
import type { ColdChunk } from '../../engine/cold/cold-store'
import {
  compareCutoffs,
  type JudgedLog,
  judgeLogged,
  type LoggedSession,
  MOST_DROPS,
  settingOf,
  tryCutoffs,
} from '../../engine/compaction/cutoff-trial'
import type { ChangedRow, CutoffParams, CutoffView, TrialView } from '../../view/activity/cutoff'
import { sessionTitle } from '../../view/session/session-title'
import { shownText } from '../../view/text/shown-text'
import { transcriptsOf } from '../cold/cold-chunk'
import { getColdFolders } from '../cold/cold-library'
import { getDatabase } from '../process/database'
import { remember } from '../process/remember'
import { getSetup } from '../process/setup'
import { getSession } from '../session/session-record'
import { getLoggedSession } from './judged-sessions'

const SHOWN_CHANGES = 50
const NAMED_SESSIONS = 200
/** Sessions that are tried where no drop is logged. */
const NEWEST_SESSIONS = 5

const judged = remember<string, Promise<JudgedLog>>('judged-drops', 4)

/** What two settings of the thresholds would make of the logged drops. */
export async function getCutoff(params: CutoffParams): Promise<CutoffView> {
  const database = await getDatabase()
  const session = params.session === '' ? null : params.session
  const inForce = settingOf(await policyInForce(database))
  const [before, after] = [params.before ?? inForce, params.after ?? inForce]
  const { drops } = await judgedLog(database, session)
  const sessions = findLoggedSessions(database, NAMED_SESSIONS)
  const names = await findSessionNames(database, sessions)
  const titleOf = (id: string) => {
    const named = names.get(id)
    return named === undefined ? shownText(id) : sessionTitle(named)
  }
  const { changed, advice, needsKnown, ...results } = compareCutoffs(drops, before, after)
  return {
    drops: drops.length,
    logged: countLogLines(database, { ...ANY_LINE, kind: 'drops', session }),
    needsKnown,
    inForce,
    ...results,
    curve: cutoffCurve(drops, Math.max(0.5, before.cutoff, after.cutoff)),
    changed: changed.slice(0, SHOWN_CHANGES).map(
      ({ drop, ...actions }, i): ChangedRow => ({
        key: `${i}`,
        chunkId: drop.chunkId,
        shownId: shownText(drop.chunkId),
        sessionId: drop.sessionId,
        shownSession: drop.sessionId === null ? '?' : titleOf(drop.sessionId),
        score: drop.score ?? 0,
        tokens: drop.tokens,
        ...actions,
        against: againstWords(drop),
      }),
    ),
    changedTotal: changed.length,
    advice,
    sessions: sessions.map((value) => ({ value, label: titleOf(value) })),
  }
}

/** Both settings on the same transcripts: of the session asked for, else of those with drops, else the newest. */
export async function getTrial(params: CutoffParams): Promise<TrialView> {
  const database = await getDatabase()
  const policy = await policyInForce(database)
  const [before, after] = [params.before ?? settingOf(policy), params.after ?? settingOf(policy)]
  const found = await sessionsOf(params.session === '' ? await droppedFrom(database) : [params.session])
  const newest = found.length > 0 ? [] : await findNewestSessions(database, NEWEST_SESSIONS)
  const sessions = [...found, ...(await Promise.all(newest.map(getSession)))]
  const read: { readonly session: SessionDetail; readonly logged: LoggedSession }[] = []
  const problems: string[] = []
  for (const session of sessions) {
    if (session === null) continue
    try {
      read.push({ session, logged: await getLoggedSession(session) })
    } catch (error) {
      problems.push(reasonOf(error))
    }
  }
  const { from } = params
  const all = read.map(({ logged }) => logged)
  const { tried, ...results } = tryCutoffs(policy, all, { before, after, from })
  const froms = tried.map((one) => one.from)
  return {
    sessions: read.map(({ session }, i) => ({
      id: session.id,
      title: sessionTitle(session),
      calls: tried[i]?.calls ?? 0,
    })),
    scorer: policy.relevance.scorer,
    from: { lowest: lowestOf(froms, Number.MAX_SAFE_INTEGER), highest: highestOf(froms, 0) },
    before: { setting: before, result: results.before },
    after: { setting: after, result: results.after },
    problems,
  }
}

/** Sessions with drops. One that could not be read may be readable by now; if not, the trial says so. */
async function droppedFrom(database: Database): Promise<readonly string[]> {
  const { sessions, unread } = await judgedLog(database, null)
  return [...sessions.keys(), ...unread.keys()]
}

async function policyInForce(database: Database): Promise<Policy> {
  const stores = findKnownStores(database)
  // The one that drops: a store's, if its agents are configured.
  return policiesOfStores(await openPolicies(getSetup(), stores).documents(), stores)[0]
}

/** Judged once until a log changes. */
function judgedLog(database: Database, session: string | null): Promise<JudgedLog> {
  const { logs, revision } = readLiveStamp(database)
  const read = (kind: 'drops' | 'recovery') =>
    findLogLines(database, { ...ANY_LINE, kind, session }, { skip: 0, limit: MOST_DROPS }).map(
      ({ record }) => record,
    )
  return judged(session ?? '', `${database.url} ${logs} ${revision}`, () =>
    judgeLogged({ session: loggedSession, stored: storedChunks }, [...read('drops'), ...read('recovery')]),
  )
}

async function loggedSession(sessionId: string): Promise<LoggedSession | null> {
  const [newest] = await sessionsOf([sessionId])
  return newest === undefined ? null : getLoggedSession(newest)
}

async function storedChunks(ids: readonly string[]): Promise<readonly ColdChunk[]> {
  const found: ColdChunk[] = []
  for (const { index } of await getColdFolders()) {
    if (index === null) continue
    await index.cold.refresh()
    for (const id of ids) found.push(...index.cold.namedNow(id))
  }
  return found
}

async function sessionsOf(ids: readonly string[]): Promise<SessionDetail[]> {
  const all = await Promise.all(ids.map((sessionId) => transcriptsOf({ sessionId })))
  return all.flatMap(([newest]) => newest ?? [])
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
