import { getCompaction } from '@/lib/server/compaction/session-compactions'
import { answerFound, badRequest } from '@/lib/server/door/answer-found'
import { entryNumber } from '@/lib/view/session/session-selection'

/** The summary of a compaction and what it lost; credentials are covered. */
export async function GET(
  _request: Request,
  { params }: RouteContext<'/api/sessions/[id]/compactions/[seq]'>,
) {
  const { id, seq: text } = await params
  const seq = entryNumber(text)
  if (seq === null) return badRequest('The compaction is named by the number of its entry, from 0 on.')
  return answerFound(`compaction at entry ${seq} of session ${id}`, () => getCompaction(id, seq))
}
