import { answerJson } from '@/lib/server/door/answer'
import { getLabPage } from '@/lib/server/lab/lab-page'
import { readLabPlace } from '@/lib/view/lab/lab-place'

/** The lab: what experiments can be made of, those that were made, and the one that is open. */
export function GET(request: Request): Promise<Response> {
  const place = readLabPlace(Object.fromEntries(new URL(request.url).searchParams))
  return answerJson(() => getLabPage(place))
}
