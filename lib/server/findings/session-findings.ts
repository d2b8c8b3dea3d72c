import 'server-only'
import { findFindings } from '../../db/queries/findings'
import {
  type SessionFindingsSummary,
  type SessionFindingsView,
  sessionFindingsSummary,
  sessionFindingsView,
} from '../../view/findings/session-findings'
import { getDatabase } from '../process/database'
import { getAppliedRemedies } from './applied-remedies'
import { MOST_OF_SESSION } from './findings'
import { everMuted } from './mutes'

/** All findings of a session, those that are gone as well. @param id as addresses carry it */
export async function getSessionFindingsView(id: string): Promise<SessionFindingsView> {
  const mutes = everMuted()
  const page = { skip: 0, limit: MOST_OF_SESSION }
  const { rows } = findFindings(await getDatabase(), { session: id, which: 'all' }, page)
  const notes = { mutes, applied: await getAppliedRemedies(), now: Date.now() }
  return sessionFindingsView(rows, notes)
}

/** What tabs and chart of a session say of its findings. */
export async function getSessionFindingsSummary(id: string): Promise<SessionFindingsSummary> {
  const page = { skip: 0, limit: MOST_OF_SESSION }
  const { rows } = findFindings(await getDatabase(), { session: id }, page)
  return sessionFindingsSummary(rows, mutesOrNone(), Date.now())
}

/** A list of mutes that cannot be read is said on the page of findings; no session is hidden for it. */
function mutesOrNone(): ReturnType<typeof everMuted> {
  try {
    return everMuted()
  } catch {
    return []
  }
}
