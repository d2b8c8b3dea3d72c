import { answerJson } from '@/lib/server/answer'
import { getCutoff } from '@/lib/server/cutoff'
import { parseCutoffParams } from '@/lib/view/cutoff'

export function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  return answerJson(() => getCutoff(parseCutoffParams((name) => searchParams.get(name))))
}
