import { answerJson } from '@/lib/server/door/answer'
import { getFindingsPage } from '@/lib/server/findings/findings-page'
import { readFindingsPlace } from '@/lib/view/findings/findings-page'

/** The page of findings: causes over all sessions, the worst first. */
export async function GET(request: Request) {
  const place = readFindingsPlace(Object.fromEntries(new URL(request.url).searchParams))
  return answerJson(() => getFindingsPage(place))
}
