import { answerJson } from '@/lib/server/door/answer'
import { badRequest } from '@/lib/server/door/answer-found'
import { getFindings } from '@/lib/server/findings/findings'
import { FINDINGS_ASKED, findingsAsked } from '@/lib/server/findings/findings-filter'

/** A page of findings over all sessions, the worst first. */
export async function GET(request: Request) {
  const asked = findingsAsked(request.url)
  if (asked === null) return badRequest(FINDINGS_ASKED)
  const { filter, page, limit } = asked
  return answerJson(() => getFindings(filter, { page, limit }))
}
