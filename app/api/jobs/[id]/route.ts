import { answerJson } from '@/lib/server/door/answer'
import { answerFound } from '@/lib/server/door/answer-found'
import { cancelJob, getJob } from '@/lib/server/jobs/jobs'
import { answerWords } from '@/lib/view/actions/action-answer'

export async function GET(_request: Request, { params }: RouteContext<'/api/jobs/[id]'>) {
  const { id } = await params
  return answerFound(`job ${id}`, () => getJob(id))
}

/** Asks the job to stop; the answer says what that means. */
export async function DELETE(_request: Request, { params }: RouteContext<'/api/jobs/[id]'>) {
  const { id } = await params
  return answerJson(async () => {
    const answer = await cancelJob(id)
    return { ok: answer.kind === 'done', message: answerWords(answer) }
  })
}
