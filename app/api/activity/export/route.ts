import { exportActivity } from '@/lib/server/activity/activity-export'
import { parseActivityParams } from '@/lib/view/activity/activity'

/** All rows that fit, credentials covered, as CSV or as one JSON object per line. */
export async function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  const form = searchParams.get('form') === 'json' ? 'json' : 'csv'
  const stream = await exportActivity(
    parseActivityParams((name) => searchParams.get(name)),
    form,
  )
  const type = form === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson'
  return new Response(stream, {
    headers: {
      'content-type': type,
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="plimsoll-activity.${form === 'csv' ? 'csv' : 'jsonl'}"`,
    },
  })
}
