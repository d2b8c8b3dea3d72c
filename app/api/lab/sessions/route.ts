import { answerJson } from '@/lib/server/door/answer'
import { countChosen } from '@/lib/server/lab/lab-page'

/** How many sessions a choice takes. */
export function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  const since = Number(searchParams.get('since') ?? Number.NaN)
  const choice = {
    stores: searchParams.getAll('store'),
    agents: searchParams.getAll('agent'),
    ids: searchParams.getAll('session'),
    since: Number.isFinite(since) ? since : null,
  }
  return answerJson(() => countChosen(choice))
}
