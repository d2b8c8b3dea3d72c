import { answerJson } from '@/lib/server/answer'
import { getSessionFacets } from '@/lib/server/session-list'

export function GET(): Promise<Response> {
  return answerJson(getSessionFacets)
}
