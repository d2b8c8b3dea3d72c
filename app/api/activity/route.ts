import { getActivity } from '@/lib/server/activity/activity'
import { answerJson } from '@/lib/server/door/answer'
import { parseActivityParams } from '@/lib/view/activity/activity'

export function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  return answerJson(() => getActivity(parseActivityParams((name) => searchParams.get(name))))
}
