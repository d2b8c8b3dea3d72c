import { answerFound, badRequest } from '@/lib/server/door/answer-found'
import { getCallPage } from '@/lib/server/session/session-page'
import { wholeNumber } from '@/lib/view/session/session-selection'

/** One page of exact calls; pages count from 1. */
export async function GET(request: Request, { params }: RouteContext<'/api/sessions/[id]/calls'>) {
  const { id } = await params
  const page = wholeNumber(new URL(request.url).searchParams.get('page'))
  if (page === null) return badRequest('page must be a whole number from 1 on.')
  return answerFound(`session ${id}`, () => getCallPage(id, page - 1))
}
