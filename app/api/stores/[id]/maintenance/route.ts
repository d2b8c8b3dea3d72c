import { answerFound } from '@/lib/server/door/answer-found'
import { getMaintenance } from '@/lib/server/maintenance/maintenance'
import { readTrial } from '@/lib/view/maintenance/maintenance-trial'

/** What maintenance would remove, by the store's own limits or by those in the address. Nothing is written. */
export async function GET(request: Request, { params }: RouteContext<'/api/stores/[id]/maintenance'>) {
  const { id } = await params
  const trial = readTrial(new URL(request.url).searchParams)
  return answerFound(`store ${id}`, () => getMaintenance(id, trial))
}
