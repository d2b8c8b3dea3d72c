import { answerFound } from '@/lib/server/door/answer-found'
import { findInSession } from '@/lib/server/session/session-find'

/** Entries of the session in which the words `q` occur, in the order of the file. */
export async function GET(request: Request, { params }: RouteContext<'/api/sessions/[id]/find'>) {
  const { id } = await params
  const q = new URL(request.url).searchParams.get('q') ?? ''
  return answerFound(`session ${id}`, () => findInSession(id, q.slice(0, 500)))
}
