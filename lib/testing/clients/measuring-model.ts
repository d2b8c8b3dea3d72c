import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the scripted model takes for a token. */
const CHARS_PER_TOKEN = 3.6

/** A model on loopback that speaks OpenAI's chat protocol, says little, and reports how large each request was. */
export type MeasuringModel = {
  /** Base address, ending in `/v1`. */
  readonly url: string
  /** Of each request, as large as it was sent, in the order that they came. Tokens. */
  readonly sent: readonly number[]
  close(): void
}

/** @param limit what it reports at most, as a server does that cuts prompts to its own context; tokens */
export async function startMeasuringModel(limit = Number.POSITIVE_INFINITY): Promise<MeasuringModel> {
  const sent: number[] = []
  const server = createServer((request, response) => {
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
    })
    request.once('end', () => {
      const tokens = Math.round(size / CHARS_PER_TOKEN)
      sent.push(tokens)
      const seen = Math.min(tokens, limit)
      const chunk = (delta: object, finish: string | null, usage?: object) =>
        response.write(
          `data: ${JSON.stringify({ id: `r${sent.length}`, object: 'chat.completion.chunk', created: 0, model: 'fake-1', choices: [{ index: 0, delta, finish_reason: finish }], ...(usage && { usage }) })}\n\n`,
        )
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      chunk({ role: 'assistant', content: 'It is noted, and the berth was looked at.' }, null)
      chunk({}, 'stop', { prompt_tokens: seen, completion_tokens: 12, total_tokens: seen + 12 })
      response.end('data: [DONE]\n\n')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    sent,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
