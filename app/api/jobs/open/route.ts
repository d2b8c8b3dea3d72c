import { answerJson } from '@/lib/server/door/answer'
import { getOpenJobs } from '@/lib/server/jobs/jobs'

/** Jobs that have not ended. */
export function GET(): Promise<Response> {
  return answerJson(getOpenJobs)
}
