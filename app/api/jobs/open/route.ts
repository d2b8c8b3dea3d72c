import { answerJson } from '@/lib/server/answer'
import { getOpenJobs } from '@/lib/server/jobs'

/** Jobs that have not ended. */
export function GET(): Promise<Response> {
  return answerJson(getOpenJobs)
}
