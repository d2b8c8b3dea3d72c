import { answerJson } from '@/lib/server/answer'
import { getColdStorage } from '@/lib/server/cold-storage'
import { parseColdParams } from '@/lib/view/cold-storage'

export function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  return answerJson(() => getColdStorage(parseColdParams((name) => searchParams.get(name))))
}
