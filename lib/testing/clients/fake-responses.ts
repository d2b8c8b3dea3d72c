import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A model on loopback that speaks OpenAI's responses protocol: it answers with a short text and calls no tools. */
export type FakeResponses = {
  /** Base address, ending in `/v1`. */
  readonly url: string
  /** Requests for an answer so far. */
  answers(): number
  close(): Promise<void>
}

/** @param prompt what it says that each prompt has, in tokens */
export async function startFakeResponses(prompt: number): Promise<FakeResponses> {
  let count = 0
  const server = createServer((request, response) => {
    request.resume()
    request.once('end', () => {
      if (!request.url?.endsWith('/responses')) {
        response.writeHead(404).end('{}')
        return
      }
      const id = `resp_${++count}`
      const content = [{ type: 'output_text', text: `Answer ${count}.`, annotations: [] }]
      const item = { type: 'message', id: `msg_${count}`, role: 'assistant', status: 'completed', content }
      const usage = {
        input_tokens: prompt,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: prompt + 5,
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const event of [
        { type: 'response.created', response: { id } },
        { type: 'response.output_item.added', output_index: 0, item },
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response: { id, usage, output: [item], status: 'completed' } },
      ])
        response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      response.end()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, answers: () => count, close: () => closeServer(server) }
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((done) => server.close(() => done()))
}
