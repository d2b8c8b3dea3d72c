import 'server-only'
import { callsCsv } from '../../view/session/calls-csv'
import { getCalls } from './session-calls'
import { getSession } from './session-record'

/** All calls of a session as CSV, written while it is read; null when there is no such session. */
export async function streamCallsCsv(id: string): Promise<ReadableStream<Uint8Array> | null> {
  const session = await getSession(id)
  if (!session) return null
  const parts = callsCsv(await getCalls(session))
  const encoder = new TextEncoder()
  return new ReadableStream({
    pull(controller) {
      const { done, value } = parts.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
  })
}
