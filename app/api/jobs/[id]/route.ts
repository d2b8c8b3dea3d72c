import { answerJson } from '@/lib/server/answer'
import { answerFound } from '@/lib/server/answer-found'
import { cancelJob, getJob } from '@/lib/server/jobs'

export async function GET(_request: Request, { params }: RouteContext<'/api/jobs/[id]'>) {
  const { id } = await params
  return answerFound(`job ${id}`, () => getJob(id))
}

/** Asks the job to stop; the answer says what that means. */
export async function DELETE(_request: Request, { params }: RouteContext<'/api/jobs/[id]'>) {
  const { id } = await params
  return answerJson(() => cancelJob(id))
}
