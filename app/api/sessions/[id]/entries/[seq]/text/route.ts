import { answerFound, badRequest } from '@/lib/server/door/answer-found'
import { getEntryPiece } from '@/lib/server/session/session-transcript'
import { isRevealing } from '@/lib/view/session/reveal'
import { entryNumber } from '@/lib/view/session/session-selection'

/**
 * A further piece of one text of an entry: of its part `block`, or of the raw line without it; with `saved`, of the whole
 * output that was saved beside the transcript in place of that part.
 */
export async function GET(
  request: Request,
  { params }: RouteContext<'/api/sessions/[id]/entries/[seq]/text'>,
) {
  const { id, seq } = await params
  const search = new URL(request.url).searchParams
  const number = entryNumber(seq)
  const from = entryNumber(search.get('from') ?? '0')
  const block = search.get('block')
  if (number === null || from === null) return badRequest('Entry and from must be whole numbers from 0 on.')
  if (block !== null && entryNumber(block) === null)
    return badRequest('block must be a whole number from 0 on.')
  return answerFound(`such text in entry ${number} of session ${id}`, () =>
    getEntryPiece(id, number, {
      block: entryNumber(block),
      from,
      reveal: isRevealing(request),
      saved: search.get('saved') === '1',
    }),
  )
}
