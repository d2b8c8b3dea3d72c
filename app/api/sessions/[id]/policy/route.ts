import { answerFound } from '@/lib/server/answer-found'
import { getSessionPolicy } from '@/lib/server/session-policy'

/** The policy in force for a session. */
export async function GET(_request: Request, { params }: RouteContext<'/api/sessions/[id]/policy'>) {
  const { id } = await params
  return answerFound(`session ${id}`, () => getSessionPolicy(id))
}
