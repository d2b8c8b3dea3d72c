import 'server-only'
import { harnessName, mirrorWords, ownerOf } from '../../core/transcript/mirror'
import type { Database } from '../../db/client'
import { findCopies } from '../../db/queries/copies'
import type { SessionDetail } from '../../db/queries/session-detail'
import { findByRuntimeId, indexEntryOf, sessionNeighbours } from '../../db/queries/session-detail'
import { readCompactions } from '../../db/queries/session-marks'
import { findAgentParent, readAgentTree } from '../../db/queries/sub-agents'
import { type FrameSeries, reduceFrames } from '../../view/charts/frames-series'
import { agentTree } from '../../view/session/agent-tree'
import { type CallColumns, sliceCalls } from '../../view/session/call-columns'
import type { ContextTabData } from '../../view/session/context-tab'
import { type CallRange, callsOfPage, clampCall, pageOfCall } from '../../view/session/scrub'
import { type MirrorView, type SessionSummary, sessionHead } from '../../view/session/session-head'
import { sessionMarks } from '../../view/session/session-marks'
import type { ContextSelection } from '../../view/session/session-selection'
import { sessionTitle } from '../../view/session/session-title'
import { visibleLine } from '../../view/text/visible-text'
import { getGoneNote } from '../archive/archive-note'
import { getSessionFindingsSummary } from '../findings/session-findings'
import { getPoliciesInForce } from '../policy/policies-in-force'
import { sessionLoadSubject } from '../policy/policy-session'
import { getDatabase } from '../process/database'
import { oncePerRender } from '../process/once-per-render'
import { getCalls } from './session-calls'
import { getSession } from './session-record'

/** The head of a session; null when there is no such session. */
export const getSessionSummary = oncePerRender(async (id: string): Promise<SessionSummary | null> => {
  const session = await getSession(id)
  return session && summaryOf(session)
})

async function summaryOf(session: SessionDetail): Promise<SessionSummary> {
  const database = await getDatabase()
  const calls = await getCalls(session)
  const compactions = readCompactions(database, session.row)
  const { loads } = await getPoliciesInForce()
  const { head, copies } = findCopies(database, session.row)
  const parent = findAgentParent(database, session.row)
  return {
    head: sessionHead(session, loads.of(sessionLoadSubject(session))),
    mirror: mirrorOf(database, session),
    gone: await getGoneNote(session),
    marks: sessionMarks(calls, compactions),
    findings: await getSessionFindingsSummary(session.id),
    ...sessionNeighbours(database, session),
    copies: { head, count: copies },
    agents: agentTree(
      readAgentTree(database, session.row).map((one) => ({ ...one, title: sessionTitle(one) })),
      session.store.kind,
    ),
    worksFor: parent === null ? null : { id: parent.id, title: sessionTitle(parent) },
  }
}

function mirrorOf(database: Database, session: SessionDetail): MirrorView | null {
  const owner = ownerOf(indexEntryOf(session), session)
  if (owner === null) return null
  const id = owner.session === null ? null : findByRuntimeId(database, owner.session)
  return {
    words: visibleLine(mirrorWords(owner)),
    owner: visibleLine(harnessName(owner)),
    href: id === null ? null : `/sessions/${id}`,
  }
}

/** Frames of a range of calls, reduced to at most `columns`; null when there is no such session. */
export async function getFrames(
  id: string,
  range: CallRange | null,
  columns: number,
): Promise<FrameSeries | null> {
  const session = await getSession(id)
  if (!session) return null
  const calls = await getCalls(session)
  return reduceFrames(calls, range ?? { from: 1, to: session.calls }, columns)
}

/** The calls of one page (see `callsOfPage`), exact; null when there is no such session. */
export async function getCallPage(id: string, page: number): Promise<CallColumns | null> {
  const session = await getSession(id)
  if (!session) return null
  const { from, to } = callsOfPage(page)
  return sliceCalls(await getCalls(session), from, to)
}

/** The Context tab of a session for a selection; null when there is no such session. */
export async function getContextTab(
  id: string,
  selection: Pick<ContextSelection, 'call' | 'range'>,
): Promise<ContextTabData | null> {
  const session = await getSession(id)
  const summary = await getSessionSummary(id)
  if (!session || !summary) return null
  const calls = await getCalls(session)
  const page = pageOfCall(clampCall(selection.call ?? session.calls, session.calls))
  const { from, to } = callsOfPage(page)
  return {
    summary,
    all: reduceFrames(calls, { from: 1, to: session.calls }),
    zoomed: selection.range === null ? null : reduceFrames(calls, selection.range),
    page,
    calls: sliceCalls(calls, from, to),
  }
}
