import { answerFound } from '@/lib/server/door/answer-found'
import { getSessionPolicy } from '@/lib/server/policy/session-policy'

/** The draft for a session, and what its runtime really does. */
export async function GET(_request: Request, { params }: RouteContext<'/api/sessions/[id]/policy'>) {
  const { id } = await params
  return answerFound(`session ${id}`, () => getSessionPolicy(id))
}
