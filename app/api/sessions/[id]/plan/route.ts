import { getPlan } from '@/lib/server/compaction/session-plan'
import { answerFound } from '@/lib/server/door/answer-found'
import { readPlanKnobs } from '@/lib/view/compaction/plan-knobs'

/** What a compaction would do with the knobs in the address. Nothing is written. */
export async function GET(request: Request, { params }: RouteContext<'/api/sessions/[id]/plan'>) {
  const { id } = await params
  const knobs = readPlanKnobs(Object.fromEntries(new URL(request.url).searchParams))
  return answerFound(`session ${id}, or no such call in it`, () => getPlan(id, knobs))
}
