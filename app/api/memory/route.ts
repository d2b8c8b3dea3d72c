import { answerJson } from '@/lib/server/door/answer'
import { getMemory } from '@/lib/server/memory/memory'

/** What agents remember; facts are those that fit the words of `q`. */
export function GET(request: Request): Promise<Response> {
  const query = new URL(request.url).searchParams.get('q') ?? ''
  return answerJson(() => getMemory(query.slice(0, 200)))
}
