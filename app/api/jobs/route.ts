import { answerJson } from '@/lib/server/door/answer'
import { getJobs } from '@/lib/server/jobs/jobs'
import { readAuditPage } from '@/lib/view/audit/audit'

/** Jobs that have not ended, and one page of those that have. */
export function GET(request: Request): Promise<Response> {
  const page = readAuditPage(new URL(request.url).searchParams.get('page'))
  return answerJson(() => getJobs(page))
}
