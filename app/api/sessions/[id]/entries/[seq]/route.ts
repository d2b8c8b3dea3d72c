import { answerFound, badRequest } from '@/lib/server/door/answer-found'
import { getEntryDetail } from '@/lib/server/session/session-transcript'
import { isRevealing } from '@/lib/view/session/reveal'
import { entryNumber } from '@/lib/view/session/session-selection'

/** One entry: its parts, its place in the file, and the beginning of the raw line; credentials open with `reveal`. */
export async function GET(request: Request, { params }: RouteContext<'/api/sessions/[id]/entries/[seq]'>) {
  const { id, seq } = await params
  const number = entryNumber(seq)
  if (number === null) return badRequest('The entry must be a whole number from 0 on.')
  return answerFound(`entry ${number} in session ${id}`, () =>
    getEntryDetail(id, number, { reveal: isRevealing(request) }),
  )
}
