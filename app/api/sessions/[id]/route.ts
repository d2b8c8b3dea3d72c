import { answerFound } from '@/lib/server/door/answer-found'
import { getSessionSummary } from '@/lib/server/session/session-page'

/** The head of a session and the marks of its chart. */
export async function GET(_request: Request, { params }: RouteContext<'/api/sessions/[id]'>) {
  const { id } = await params
  return answerFound(`session ${id}`, () => getSessionSummary(id))
}
