import { getColdStorage } from '@/lib/server/cold/cold-storage'
import { answerJson } from '@/lib/server/door/answer'
import { parseColdParams } from '@/lib/view/cold/cold-storage'

export function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  return answerJson(() => getColdStorage(parseColdParams((name) => searchParams.get(name))))
}
