import { answerFound } from '@/lib/server/door/answer-found'
import { streamCallsCsv } from '@/lib/server/session/session-export'

/** Every call of a session as CSV, whatever a page shows of it. */
export async function GET(_request: Request, { params }: RouteContext<'/api/sessions/[id]/calls.csv'>) {
  const { id } = await params
  const stream = await streamCallsCsv(id)
  if (stream === null) return answerFound(`session ${id}`, async () => null)
  return new Response(stream, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${id}-calls.csv"`,
      'cache-control': 'no-store',
    },
  })
}
