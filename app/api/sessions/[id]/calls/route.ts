import { answerFound, badRequest } from '@/lib/server/answer-found'
import { getCallPage } from '@/lib/server/session-page'
import { wholeNumber } from '@/lib/view/session-selection'

/** One page of exact calls; pages count from 1. */
export async function GET(request: Request, { params }: RouteContext<'/api/sessions/[id]/calls'>) {
  const { id } = await params
  const page = wholeNumber(new URL(request.url).searchParams.get('page'))
  if (page === null) return badRequest('page must be a whole number from 1 on.')
  return answerFound(`session ${id}`, () => getCallPage(id, page - 1))
}
