import { answerJson } from '@/lib/server/door/answer'
import { getSessionFacets } from '@/lib/server/session-list/session-list'

export function GET(): Promise<Response> {
  return answerJson(getSessionFacets)
}
