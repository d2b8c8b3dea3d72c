import { reasonOf } from '../../core/words/reason-of'
import 'server-only'
import { SourceProblem } from '../../engine/read/source-problem'

/**
 * Runs a read and answers it as JSON; a failure becomes `{ problem }` with a message for the reader, so that a page can
 * say what is wrong. Never cached: the next change may be a second away.
 */
export async function answerJson<T>(read: () => Promise<T>): Promise<Response> {
  const headers = { 'cache-control': 'no-store' }
  try {
    return Response.json(await read(), { headers })
  } catch (error) {
    const problem = reasonOf(error)
    return Response.json({ problem }, { status: statusOf(error), headers })
  }
}

/** A transcript that left its store since the list was made is no fault of ours. */
function statusOf(error: unknown): 404 | 500 {
  return error instanceof SourceProblem && error.code === 'missing' ? 404 : 500
}
