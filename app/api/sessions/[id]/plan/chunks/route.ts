import { getChunks } from '@/lib/server/compaction/session-plan'
import { answerFound } from '@/lib/server/door/answer-found'
import { ACTIONS } from '@/lib/view/compaction/compact-plan'
import { readPlanKnobs } from '@/lib/view/compaction/plan-knobs'
import { wholeNumber } from '@/lib/view/session/session-selection'

/** One page of a plan's chunks, of one decision or of all; pages count from 1. */
export async function GET(request: Request, { params }: RouteContext<'/api/sessions/[id]/plan/chunks'>) {
  const { id } = await params
  const search = new URL(request.url).searchParams
  const knobs = readPlanKnobs(Object.fromEntries(search))
  const action = ACTIONS.find((known) => known === search.get('action')) ?? null
  const page = (wholeNumber(search.get('page')) ?? 1) - 1
  return answerFound(`session ${id}, or no such call in it`, () => getChunks(id, knobs, { action, page }))
}
