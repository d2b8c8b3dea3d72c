import 'server-only'
import type { ActivityParams, ActivityRow } from '../../view/activity/activity'
import { shownText } from '../../view/text/shown-text'
import type { ExportedTable } from '../door/export-rows'
import { getDatabase } from '../process/database'
import { activityRows, questionOf } from './activity'

/** Rows that are read at once. */
const AT_ONCE = 1_000

/** The rows of the logs that fit, newest first, credentials covered. */
export async function exportActivity(params: ActivityParams): Promise<ExportedTable> {
  const database = await getDatabase()
  const question = questionOf(params)
  return {
    name: 'plimsoll-activity',
    columns: ['time', 'log', 'session', 'chunk', 'what', 'more', 'place'],
    read: async (skip) => (await activityRows(database, question, skip, AT_ONCE)).map(cellsOf),
    atOnce: AT_ONCE,
  }
}

function cellsOf({ at, kind, shownSession, chunk, what, more, place }: ActivityRow) {
  const shownChunk = chunk === null ? null : shownText(chunk)
  return [at === null ? null : new Date(at).toISOString(), kind, shownSession, shownChunk, what, more, place]
}
