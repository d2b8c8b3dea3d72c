import { answerFound, badRequest } from '@/lib/server/door/answer-found'
import { getCallProof } from '@/lib/server/session/session-proof'
import { wholeNumber } from '@/lib/view/session/session-selection'

/** Which requests of a session are proved by the hashes that its client recorded, and whether that of a call is. */
export async function GET(request: Request, { params }: RouteContext<'/api/sessions/[id]/proof'>) {
  const { id } = await params
  const call = wholeNumber(new URL(request.url).searchParams.get('call'))
  if (call === null) return badRequest('call must be a whole number from 1 on.')
  return answerFound(`call ${call} in session ${id}`, () => getCallProof(id, call))
}
