import { answerFound } from '@/lib/server/door/answer-found'
import { getSessionRecall } from '@/lib/server/memory/session-recall'

/** What would be recalled for a session now; `q` is what its user would say. */
export async function GET(request: Request, { params }: RouteContext<'/api/sessions/[id]/recall'>) {
  const { id } = await params
  const asked = new URL(request.url).searchParams.get('q') ?? ''
  return answerFound(`session ${id}`, () => getSessionRecall(id, asked.slice(0, 2_000)))
}
