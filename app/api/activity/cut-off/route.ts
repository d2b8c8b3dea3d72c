import { getCutoff } from '@/lib/server/activity/cutoff'
import { answerJson } from '@/lib/server/door/answer'
import { parseCutoffParams } from '@/lib/view/activity/cutoff'

export function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  return answerJson(() => getCutoff(parseCutoffParams((name) => searchParams.get(name))))
}
