import { getAudit } from '@/lib/server/audit/audit'
import { answerJson } from '@/lib/server/door/answer'
import { readAuditPage } from '@/lib/view/audit/audit'

export function GET(request: Request): Promise<Response> {
  const page = readAuditPage(new URL(request.url).searchParams.get('page'))
  return answerJson(() => getAudit(page))
}
