import { answerJson } from '@/lib/server/door/answer'
import { getFills } from '@/lib/server/policy/policy-fills'

/** How full the calls of all sessions were, in a size that does not grow with them. */
export function GET(): Promise<Response> {
  return answerJson(getFills)
}
