import { answerJson } from '@/lib/server/answer'
import { getAudit } from '@/lib/server/audit'
import { readAuditPage } from '@/lib/view/audit'

export function GET(request: Request): Promise<Response> {
  const page = readAuditPage(new URL(request.url).searchParams.get('page'))
  return answerJson(() => getAudit(page))
}
