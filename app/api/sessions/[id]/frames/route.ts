import { jsonAnswer, notFound } from '@/lib/server/json-answer'
import { getFrames } from '@/lib/server/session-page'
import { DEFAULT_COLUMNS } from '@/lib/view/frames-series'
import { wholeNumber } from '@/lib/view/session-selection'

/** Frames of the calls `from` to `to` (all without them), reduced to pixel columns. */
export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  const search = new URL(request.url).searchParams
  const from = wholeNumber(search.get('from'))
  const to = wholeNumber(search.get('to'))
  const range = from !== null && to !== null && to >= from ? { from, to } : null
  const series = await getFrames(id, range, DEFAULT_COLUMNS)
  return series ? jsonAnswer(series) : notFound(`session ${id}`)
}
