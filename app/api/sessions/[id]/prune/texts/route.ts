import { answerFound } from '@/lib/server/door/answer-found'
import { getPruneTexts } from '@/lib/server/pruning/session-prune'
import { readPruneKnobs } from '@/lib/view/pruning/prune-knobs'
import { PRUNE_ACTIONS } from '@/lib/view/pruning/prune-preview'
import { wholeNumber } from '@/lib/view/session/session-selection'

/** One page of the texts that rules could ask for, of one decision or of all; pages count from 1. */
export async function GET(request: Request, { params }: RouteContext<'/api/sessions/[id]/prune/texts'>) {
  const { id } = await params
  const search = new URL(request.url).searchParams
  const knobs = readPruneKnobs(Object.fromEntries(search))
  const action = PRUNE_ACTIONS.find((known) => known === search.get('action')) ?? null
  const page = (wholeNumber(search.get('page')) ?? 1) - 1
  return answerFound(`session ${id}, or no such call in it`, () => getPruneTexts(id, knobs, { action, page }))
}
