import type { NextRequest } from 'next/server'
import { isStillSignedIn } from '@/lib/server/access/signed-in'
import { attempt } from '@/lib/server/door/attempt'
import { getDatabase } from '@/lib/server/process/database'
import { followChanges } from '@/lib/server/process/live-feed'

/** Server-sent events: the present revision first, then every change, and a beat in between. */
export async function GET(request: NextRequest): Promise<Response> {
  const database = await attempt(getDatabase)
  if (!database.ok) return new Response(`${database.problem}\n`, { status: 503 })
  const encoder = new TextEncoder()
  let stop: (() => void) | null = null
  let isOver = false
  const hangUp = () => {
    isOver = true
    stop?.()
    stop = null
  }
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      request.signal.addEventListener('abort', hangUp)
      stop = await followChanges((event, data) => {
        if (!isStillSignedIn(request.headers)) {
          hangUp()
          controller.close()
          return
        }
        controller.enqueue(encoder.encode(`event: ${event}\ndata: ${data}\n\n`))
      })
      // The page may have left before the line was there.
      if (isOver || request.signal.aborted) hangUp()
    },
    cancel: hangUp,
  })
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      // no-transform: compression would hold events back until enough has gathered.
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    },
  })
}
