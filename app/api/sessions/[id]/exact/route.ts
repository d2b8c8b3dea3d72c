import { answerFound, badRequest } from '@/lib/server/door/answer-found'
import { countExactly } from '@/lib/server/session/session-exact'
import { entryNumber, wholeNumber } from '@/lib/view/session/session-selection'

/** What a call was sent, or one entry of it, counted with a tokenizer. */
export async function GET(request: Request, { params }: RouteContext<'/api/sessions/[id]/exact'>) {
  const { id } = await params
  const search = new URL(request.url).searchParams
  const call = wholeNumber(search.get('call'))
  const entry = search.get('entry')
  const seq = entryNumber(entry)
  if (call === null) return badRequest('call must be a whole number from 1 on.')
  if (entry !== null && seq === null) return badRequest('entry must be a whole number from 0 on.')
  return answerFound(`call ${call} with such an entry in session ${id}`, () =>
    countExactly(id, { call, seq, signal: request.signal }),
  )
}
