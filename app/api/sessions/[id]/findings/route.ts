import { answerJson } from '@/lib/server/door/answer'
import { getSessionFindings } from '@/lib/server/findings/findings'

/** What is wrong or dear in a session, the worst first. */
export async function GET(_request: Request, { params }: RouteContext<'/api/sessions/[id]/findings'>) {
  const { id } = await params
  return answerJson(() => getSessionFindings(id))
}
