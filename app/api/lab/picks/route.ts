import { answerJson } from '@/lib/server/door/answer'
import { getPickOffers } from '@/lib/server/lab/pick-offers'

/** As many as one tuning has of each. */
const MOST_PICKS = 3
const MOST_STORES = 100

/** For which stores the picks of a tuning can be set, and why not for the others. */
export function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  const remedies = searchParams.getAll('remedy').slice(0, MOST_PICKS)
  const sessions = searchParams.getAll('session').slice(0, MOST_STORES)
  return answerJson(() => getPickOffers(remedies, sessions))
}
