import { exportActivity } from '@/lib/server/activity/activity-export'
import { exportRows } from '@/lib/server/door/export-rows'
import { parseActivityParams } from '@/lib/view/activity/activity'

/** All rows that fit, credentials covered, as CSV or as one JSON object per line. */
export async function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  return exportRows(request, await exportActivity(parseActivityParams((name) => searchParams.get(name))))
}
