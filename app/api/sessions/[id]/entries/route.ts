import { answerFound, badRequest } from '@/lib/server/door/answer-found'
import { getTranscriptPage } from '@/lib/server/session/session-transcript'
import { wholeNumber } from '@/lib/view/session/session-selection'

/** One page of the transcript with the texts of its entries, shortened; pages count from 1. */
export async function GET(request: Request, { params }: RouteContext<'/api/sessions/[id]/entries'>) {
  const { id } = await params
  const page = wholeNumber(new URL(request.url).searchParams.get('page'))
  if (page === null) return badRequest('page must be a whole number from 1 on.')
  return answerFound(`session ${id}`, () => getTranscriptPage(id, page - 1))
}
