import { getDigestPreview } from '@/lib/server/compaction/digest-preview'
import { answerFound } from '@/lib/server/door/answer-found'
import { readPlanKnobs } from '@/lib/view/compaction/plan-knobs'

/** The digest that a plan would leave. No model is asked; nothing is written. */
export async function GET(request: Request, { params }: RouteContext<'/api/sessions/[id]/plan/digest'>) {
  const { id } = await params
  const knobs = readPlanKnobs(Object.fromEntries(new URL(request.url).searchParams))
  return answerFound(`session ${id}, or nothing to compact in it`, () => getDigestPreview(id, knobs))
}
