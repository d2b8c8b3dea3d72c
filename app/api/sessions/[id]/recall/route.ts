import { answerFound } from '@/lib/server/answer-found'
import { getSessionRecall } from '@/lib/server/session-recall'

/** What would be recalled for a session now; `q` stands for what its user would say. */
export async function GET(request: Request, { params }: RouteContext<'/api/sessions/[id]/recall'>) {
  const { id } = await params
  const asked = new URL(request.url).searchParams.get('q') ?? ''
  return answerFound(`session ${id}`, () => getSessionRecall(id, asked.slice(0, 2_000)))
}
