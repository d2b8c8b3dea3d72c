import { answerFound } from '@/lib/server/door/answer-found'
import { getPolicySession } from '@/lib/server/policy/policy-session'

/** What decides about the policy of a session. */
export async function GET(_request: Request, { params }: RouteContext<'/api/policies/sessions/[id]'>) {
  const { id } = await params
  return answerFound(`session ${id}`, () => getPolicySession(id))
}
