import { answerFound } from '@/lib/server/door/answer-found'
import { exportExperiment } from '@/lib/server/lab/lab-page'

/** An experiment with all that came of it, as one document. */
export async function GET(_request: Request, { params }: RouteContext<'/api/lab/export/[id]'>) {
  const { id } = await params
  return answerFound(`experiment ${id}`, () => exportExperiment(id))
}
