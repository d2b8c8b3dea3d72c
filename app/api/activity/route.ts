import { getActivity } from '@/lib/server/activity'
import { answerJson } from '@/lib/server/answer'
import { parseActivityParams } from '@/lib/view/activity'

export function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  return answerJson(() => getActivity(parseActivityParams((name) => searchParams.get(name))))
}
