import { answerFound } from '@/lib/server/door/answer-found'
import { getPrune } from '@/lib/server/pruning/session-prune'
import { readPruneKnobs } from '@/lib/view/pruning/prune-knobs'

/** What rules of pruning would take out with the knobs in the address. Nothing is written. */
export async function GET(request: Request, { params }: RouteContext<'/api/sessions/[id]/prune'>) {
  const { id } = await params
  const knobs = readPruneKnobs(Object.fromEntries(new URL(request.url).searchParams))
  return answerFound(`session ${id}, or no such call in it`, () => getPrune(id, knobs))
}
