import { badRequest, jsonAnswer, notFound } from '@/lib/server/json-answer'
import { getCallPage } from '@/lib/server/session-page'
import { wholeNumber } from '@/lib/view/session-selection'

/** One page of exact calls; pages count from 1. */
export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  const page = wholeNumber(new URL(request.url).searchParams.get('page'))
  if (page === null) return badRequest('page must be a whole number from 1 on.')
  const calls = await getCallPage(id, page - 1)
  return calls ? jsonAnswer(calls) : notFound(`session ${id}`)
}
