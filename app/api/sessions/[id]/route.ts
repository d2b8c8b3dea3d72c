import { jsonAnswer, notFound } from '@/lib/server/json-answer'
import { getSessionSummary } from '@/lib/server/session-page'

/** The head of a session and the marks of its chart. */
export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  const summary = await getSessionSummary(id)
  return summary ? jsonAnswer(summary) : notFound(`session ${id}`)
}
