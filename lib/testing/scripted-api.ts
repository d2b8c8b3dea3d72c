import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as it was received. */
export type ReceivedRequest = { readonly path: string; readonly body: { readonly [field: string]: unknown } }

/** A model's API on a free port of this machine, which answers as it is set and keeps every request. */
export type ScriptedApi = {
  readonly url: string
  readonly requests: readonly ReceivedRequest[]
  readonly close: () => Promise<void>
}

type Answer = { readonly status?: number; readonly json?: unknown; readonly events?: readonly unknown[] }

/** @param answer what is sent for a request; `events` go out as server-sent events */
export async function scriptedApi(
  answer: (request: ReceivedRequest, at: number) => Answer,
): Promise<ScriptedApi> {
  const requests: ReceivedRequest[] = []
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const received = { path: incoming.url ?? '', body: JSON.parse(Buffer.concat(chunks).toString('utf8')) }
    requests.push(received)
    const { status = 200, json, events } = answer(received, requests.length - 1)
    outgoing.writeHead(status, {
      'content-type': events === undefined ? 'application/json' : 'text/event-stream',
    })
    if (events === undefined) outgoing.end(JSON.stringify(json))
    else
      outgoing.end(`${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () => new Promise((done) => server.close(() => done())),
  }
}
