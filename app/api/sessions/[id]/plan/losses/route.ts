import { getLossesPreview } from '@/lib/server/compaction/digest-preview'
import { answerFound } from '@/lib/server/door/answer-found'
import { readPlanKnobs } from '@/lib/view/compaction/plan-knobs'

/** What would be lost by name beside the digest of a plan. No model is asked; nothing is written. */
export async function GET(request: Request, { params }: RouteContext<'/api/sessions/[id]/plan/losses'>) {
  const { id } = await params
  const knobs = readPlanKnobs(Object.fromEntries(new URL(request.url).searchParams))
  return answerFound(`session ${id}, or nothing to compact in it`, () => getLossesPreview(id, knobs))
}
