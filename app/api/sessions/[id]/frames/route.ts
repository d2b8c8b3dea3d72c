import { answerFound } from '@/lib/server/door/answer-found'
import { getFrames } from '@/lib/server/session/session-page'
import { DEFAULT_COLUMNS } from '@/lib/view/charts/frames-series'
import { wholeNumber } from '@/lib/view/session/session-selection'

/** Frames of the calls `from` to `to` (all without them), reduced to pixel columns. */
export async function GET(request: Request, { params }: RouteContext<'/api/sessions/[id]/frames'>) {
  const { id } = await params
  const search = new URL(request.url).searchParams
  const from = wholeNumber(search.get('from'))
  const to = wholeNumber(search.get('to'))
  const range = from !== null && to !== null && to >= from ? { from, to } : null
  return answerFound(`session ${id}`, () => getFrames(id, range, DEFAULT_COLUMNS))
}
