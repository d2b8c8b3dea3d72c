import { answerJson } from '@/lib/server/door/answer'
import { badRequest } from '@/lib/server/door/answer-found'
import { getFindingGroups } from '@/lib/server/findings/findings'
import { FINDINGS_ASKED, findingsAsked } from '@/lib/server/findings/findings-filter'

/** Findings of all sessions by cause, the worst first. */
export async function GET(request: Request) {
  const asked = findingsAsked(request.url)
  if (asked === null) return badRequest(FINDINGS_ASKED)
  return answerJson(() => getFindingGroups(asked.filter, { skip: 0, limit: asked.limit }))
}
