import { answerFound } from '@/lib/server/answer-found'
import { getStanding } from '@/lib/server/compaction-standing'

/** Whether a session can be compacted now, and who works with it. */
export async function GET(_request: Request, { params }: RouteContext<'/api/sessions/[id]/plan/standing'>) {
  const { id } = await params
  return answerFound(`session ${id}`, () => getStanding(id))
}
