import { getCompactionStatus } from '@/lib/server/compaction/compaction-status'
import { answerFound } from '@/lib/server/door/answer-found'

/** Whether a session can be compacted now, and who works with it. */
export async function GET(_request: Request, { params }: RouteContext<'/api/sessions/[id]/plan/standing'>) {
  const { id } = await params
  return answerFound(`session ${id}`, () => getCompactionStatus(id))
}
