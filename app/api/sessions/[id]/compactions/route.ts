import { answerFound } from '@/lib/server/answer-found'
import { getCompactions } from '@/lib/server/session-compactions'

/** Every compaction and reset of a session, newest first. */
export async function GET(_request: Request, { params }: RouteContext<'/api/sessions/[id]/compactions'>) {
  const { id } = await params
  return answerFound(`session ${id}`, () => getCompactions(id))
}
