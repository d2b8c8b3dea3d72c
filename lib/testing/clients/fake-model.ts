import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A model on loopback that speaks OpenAI's chat protocol: it numbers its answers and calls no tools. */
export type FakeModel = {
  /** Base address, ending in `/v1`. */
  readonly url: string
  /** How many answers it gave. */
  answers(): number
  close(): Promise<void>
}

/** @param delayMs how long it thinks before each answer */
export async function startFakeModel(delayMs: number): Promise<FakeModel> {
  let count = 0
  const server = createServer((request, response) => {
    request.resume()
    request.once('end', async () => {
      const answer = `answer ${++count}`
      await sleep(delayMs)
      stream(response, answer)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, answers: () => count, close: () => close(server) }
}

function stream(response: ServerResponse, text: string): void {
  const chunk = (delta: object, finish: string | null, usage?: object) =>
    response.write(
      `data: ${JSON.stringify({
        id: 'chatcmpl-fake',
        object: 'chat.completion.chunk',
        created: 0,
        model: 'fake-1',
        choices: [{ index: 0, delta, finish_reason: finish }],
        ...(usage && { usage }),
      })}\n\n`,
    )
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  chunk({ role: 'assistant', content: text }, null)
  chunk({}, 'stop', { prompt_tokens: 1000, completion_tokens: 5, total_tokens: 1005 })
  response.end('data: [DONE]\n\n')
}

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((done) => server.close(() => done()))
}
