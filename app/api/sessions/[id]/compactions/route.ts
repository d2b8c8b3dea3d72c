import { getCompactions } from '@/lib/server/compaction/session-compactions'
import { answerFound } from '@/lib/server/door/answer-found'

/** Every compaction and reset of a session, newest first. */
export async function GET(_request: Request, { params }: RouteContext<'/api/sessions/[id]/compactions'>) {
  const { id } = await params
  return answerFound(`session ${id}`, () => getCompactions(id))
}
