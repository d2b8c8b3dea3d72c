import { getLaterNeeds } from '@/lib/server/compaction/later-needs'
import { answerFound } from '@/lib/server/door/answer-found'
import { readPlanKnobs } from '@/lib/view/compaction/plan-knobs'

/** What a plan at a past call would have lost of what was needed later. No model is asked; nothing is written. */
export async function GET(request: Request, { params }: RouteContext<'/api/sessions/[id]/plan/needs'>) {
  const { id } = await params
  const knobs = readPlanKnobs(Object.fromEntries(new URL(request.url).searchParams))
  return answerFound(`session ${id}, or nothing to compact in it`, () => getLaterNeeds(id, knobs))
}
