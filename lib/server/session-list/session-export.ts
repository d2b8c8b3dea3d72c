import 'server-only'
import { EXPORTED_COLUMNS, sessionCells } from '../../view/session-list/session-export'
import { SESSION_PAGE_ROWS, type SessionListParams } from '../../view/session-list/session-list'
import type { ExportedTable } from '../door/export-rows'
import { getSessionList } from './session-list'

/** The list of sessions as its address says, whole. */
export function exportSessions(params: SessionListParams): ExportedTable {
  return {
    name: 'plimsoll-sessions',
    columns: EXPORTED_COLUMNS,
    read: async (skip) => (await getSessionList(params, skip)).rows.map(sessionCells),
    atOnce: SESSION_PAGE_ROWS,
  }
}
