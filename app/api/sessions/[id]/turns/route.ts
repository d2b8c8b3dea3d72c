import { answerFound, badRequest } from '@/lib/server/door/answer-found'
import { getTurnPage } from '@/lib/server/session/session-transcript'
import { wholeNumber } from '@/lib/view/session/session-selection'

/** One page of the turns of a session; pages count from 1. */
export async function GET(request: Request, { params }: RouteContext<'/api/sessions/[id]/turns'>) {
  const { id } = await params
  const page = wholeNumber(new URL(request.url).searchParams.get('page'))
  if (page === null) return badRequest('page must be a whole number from 1 on.')
  return answerFound(`session ${id}`, () => getTurnPage(id, page - 1))
}
