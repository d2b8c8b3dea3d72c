import { answerFound, badRequest } from '@/lib/server/door/answer-found'
import { getContextPage } from '@/lib/server/session/session-context'
import { CONTEXT_PAGE_ROWS } from '@/lib/view/session/context-page'
import { parseSelection, wholeNumber } from '@/lib/view/session/session-selection'

/** One page of what the model saw at a call, sorted and filtered as asked; pages count from 1. */
export async function GET(request: Request, { params }: RouteContext<'/api/sessions/[id]/context'>) {
  const { id } = await params
  const search = new URL(request.url).searchParams
  const { call, sort, descending, category } = parseSelection(Object.fromEntries(search))
  if (call === null) return badRequest('call must be a whole number from 1 on.')
  const page = wholeNumber(search.get('page')) ?? 1
  return answerFound(`call ${call} in session ${id}`, () =>
    getContextPage(id, {
      call,
      sort,
      descending,
      category,
      offset: (page - 1) * CONTEXT_PAGE_ROWS,
      limit: CONTEXT_PAGE_ROWS,
    }),
  )
}
