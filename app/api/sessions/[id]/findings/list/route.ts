import { answerJson } from '@/lib/server/door/answer'
import { getSessionFindingsView } from '@/lib/server/findings/session-findings'

/** The list of a session's findings as its page shows it. */
export async function GET(_request: Request, { params }: RouteContext<'/api/sessions/[id]/findings/list'>) {
  const { id } = await params
  return answerJson(() => getSessionFindingsView(id))
}
