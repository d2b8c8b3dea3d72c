import { exportRows } from '@/lib/server/door/export-rows'
import { exportSessions } from '@/lib/server/session-list/session-export'
import { parseListParams } from '@/lib/view/session-list/session-list'

/** All sessions that fit, in the order of the list, as CSV or as one JSON object per line. */
export async function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  return exportRows(request, exportSessions(parseListParams((name) => searchParams.get(name))))
}
