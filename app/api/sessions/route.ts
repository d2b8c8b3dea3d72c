import type { NextRequest } from 'next/server'
import { answerJson } from '@/lib/server/door/answer'
import { getSessionList } from '@/lib/server/session-list/session-list'
import { parseListParams } from '@/lib/view/session-list/session-list'

/** One window of the list: the address's query as on the page, and `offset`. */
export function GET(request: NextRequest): Promise<Response> {
  const search = request.nextUrl.searchParams
  const params = parseListParams((name) => search.get(name))
  const offset = Number(search.get('offset') ?? '0')
  return answerJson(() => getSessionList(params, Number.isSafeInteger(offset) && offset > 0 ? offset : 0))
}
