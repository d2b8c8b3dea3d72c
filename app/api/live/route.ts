import type { NextRequest } from 'next/server'
import { isStillSignedIn } from '@/lib/server/access/signed-in'
import { whenSignedOut } from '@/lib/server/access/when-signed-out'
import { attempt } from '@/lib/server/door/attempt'
import { getDatabase } from '@/lib/server/process/database'
import { followChanges } from '@/lib/server/process/live-feed'
import { whenStopped } from '@/lib/server/process/when-stopped'

/** Server-sent events: the present revision first, then every change, and a beat in between; until one signs out. */
export async function GET(request: NextRequest): Promise<Response> {
  const database = await attempt(getDatabase)
  if (!database.ok) return new Response(`${database.problem}\n`, { status: 503 })
  const encoder = new TextEncoder()
  let stop: (() => void) | null = null
  let isOver = false
  let forget = () => {}
  const hangUp = () => {
    isOver = true
    forget()
    stop?.()
    stop = null
  }
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      request.signal.addEventListener('abort', hangUp)
      const end = () => {
        if (isOver) return
        hangUp()
        controller.close()
      }
      const endUnlessSignedIn = () => {
        if (!isStillSignedIn(request.headers)) end()
      }
      const forgets = [whenStopped(end), whenSignedOut(endUnlessSignedIn)]
      forget = () => {
        for (const one of forgets) one()
      }
      stop = await followChanges((event, data) => {
        if (!isStillSignedIn(request.headers)) {
          end()
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
      // No other request comes over it later; so it is gone with the line, and keeps no server that ends waiting.
      connection: 'close',
    },
  })
}
