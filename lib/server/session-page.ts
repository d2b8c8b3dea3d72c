import 'server-only'
import type { SessionDetail } from '../db/queries/session-detail'
import { sessionNeighbours } from '../db/queries/session-detail'
import { readCompactions } from '../db/queries/session-marks'
import { type CallColumns, sliceCalls } from '../view/call-columns'
import { type FrameSeries, reduceFrames } from '../view/frames-series'
import { type CallRange, callsOfPage } from '../view/scrub'
import { type SessionHead, sessionHead } from '../view/session-head'
import { type SessionMarks, sessionMarks } from '../view/session-marks'
import { getDatabase } from './database'
import { getCalls } from './session-calls'
import { getSession } from './session-record'

/** What every page of a session shows, and what stands on its chart beside the frames. */
export type SessionSummary = {
  readonly head: SessionHead
  readonly marks: SessionMarks
  /** Ids of the sessions before and after it in the list, newest first; null at either end. */
  readonly newer: string | null
  readonly older: string | null
}

/** The head of a session; null when there is no such session. */
export async function getSessionSummary(id: string): Promise<SessionSummary | null> {
  const session = await getSession(id)
  return session && summaryOf(session)
}

async function summaryOf(session: SessionDetail): Promise<SessionSummary> {
  const database = await getDatabase()
  const calls = await getCalls(session)
  const compactions = await readCompactions(database, session.row)
  return {
    head: sessionHead(session),
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
