import 'server-only'
import type { ActivityParams, ActivityRow } from '../../view/activity/activity'
import { csvRows } from '../../view/text/csv'
import { shownText } from '../../view/text/shown-text'
import { getDatabase } from '../process/database'
import { activityRows, questionOf } from './activity'

/** Rows that are read at once. */
const AT_ONCE = 1_000

const HEADER = ['time', 'log', 'session', 'chunk', 'what', 'more', 'place']

/** The rows of the logs that fit, newest first, written while they are read. */
export async function exportActivity(
  params: ActivityParams,
  form: 'csv' | 'json',
): Promise<ReadableStream<Uint8Array>> {
  const database = await getDatabase()
  const question = questionOf(params)
  const encoder = new TextEncoder()
  let skip = 0
  return new ReadableStream({
    start(controller) {
      if (form === 'csv') controller.enqueue(encoder.encode(csvRows([HEADER])))
    },
    async pull(controller) {
      const rows = await activityRows(database, question, skip, AT_ONCE)
      skip += rows.length
      if (rows.length > 0) controller.enqueue(encoder.encode(form === 'csv' ? csvOf(rows) : jsonOf(rows)))
      if (rows.length < AT_ONCE) controller.close()
    },
  })
}

function cellsOf({ at, kind, shownSession, chunk, what, more, place }: ActivityRow) {
  const shownChunk = chunk === null ? null : shownText(chunk)
  return [at === null ? null : new Date(at).toISOString(), kind, shownSession, shownChunk, what, more, place]
}

function csvOf(rows: readonly ActivityRow[]): string {
  return csvRows(rows.map(cellsOf))
}

function jsonOf(rows: readonly ActivityRow[]): string {
  return rows
    .map((row) => `${JSON.stringify(Object.fromEntries(cellsOf(row).map((cell, i) => [HEADER[i], cell])))}\n`)
    .join('')
}
