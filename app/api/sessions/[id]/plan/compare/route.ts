import { getComparison } from '@/lib/server/compaction/session-plan'
import { answerFound } from '@/lib/server/door/answer-found'
import { readPlanKnobs } from '@/lib/view/compaction/plan-knobs'

/** What each policy would make of the session at the call in the address. Nothing is written; no model is asked. */
export async function GET(request: Request, { params }: RouteContext<'/api/sessions/[id]/plan/compare'>) {
  const { id } = await params
  const knobs = readPlanKnobs(Object.fromEntries(new URL(request.url).searchParams))
  return answerFound(`session ${id}, or no such call in it`, () => getComparison(id, knobs))
}
