import 'server-only'
import type { SessionDetail } from '../db/queries/session-detail'
import { sessionNeighbours } from '../db/queries/session-detail'
import { readCompactions } from '../db/queries/session-marks'
import { type CallColumns, sliceCalls } from '../view/call-columns'
import type { ContextTabData } from '../view/context-tab'
import { type FrameSeries, reduceFrames } from '../view/frames-series'
import { type CallRange, callsOfPage, clampCall, pageOfCall } from '../view/scrub'
import { type SessionSummary, sessionHead } from '../view/session-head'
import { sessionMarks } from '../view/session-marks'
import type { ContextSelection } from '../view/session-selection'
import { getDatabase } from './database'
import { getPoliciesInForce } from './policies-in-force'
import { loadSubjectOf } from './policy-session'
import { getCalls } from './session-calls'
import { getSession } from './session-record'

/** The head of a session; null when there is no such session. */
export async function getSessionSummary(id: string): Promise<SessionSummary | null> {
  const session = await getSession(id)
  return session && summaryOf(session)
}

async function summaryOf(session: SessionDetail): Promise<SessionSummary> {
  const database = await getDatabase()
  const calls = await getCalls(session)
  const compactions = await readCompactions(database, session.row)
  const { loads } = await getPoliciesInForce()
  return {
    head: sessionHead(session, loads.of(loadSubjectOf(session))),
    marks: sessionMarks(calls, compactions),
    ...sessionNeighbours(database, session),
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
  if (!session) return null
  const calls = await getCalls(session)
  const page = pageOfCall(clampCall(selection.call ?? session.calls, session.calls))
  const { from, to } = callsOfPage(page)
  return {
    summary: await summaryOf(session),
    all: reduceFrames(calls, { from: 1, to: session.calls }),
    zoomed: selection.range === null ? null : reduceFrames(calls, selection.range),
    page,
    calls: sliceCalls(calls, from, to),
  }
}
