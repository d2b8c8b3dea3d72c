import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Block = { readonly type: string; readonly [field: string]: unknown }
type Message = { readonly role: string; readonly content: string | readonly Block[] }

/** A request for an answer as it came in. */
export type MessagesRequest = {
  readonly model: string
  readonly messages: readonly Message[]
  readonly tools?: readonly { readonly name: string }[]
  readonly stream?: boolean
}

/** A model on loopback that speaks Anthropic's messages protocol. */
export type FakeMessages = {
  readonly url: string
  /** Requests for an answer so far, in their order. */
  readonly requests: readonly MessagesRequest[]
  close(): Promise<void>
}

/**
 * Answers with a short text; with a call of the shell where the newest message is of the user and holds `RUN: command`.
 * @param prompt what it says that each prompt has, in tokens
 */
export async function startFakeMessages(prompt: number): Promise<FakeMessages> {
  const requests: MessagesRequest[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part) => parts.push(part))
    request.once('end', () => {
      if (!request.url?.includes('/v1/messages') || request.url.includes('count_tokens')) {
        response.writeHead(404, { 'content-type': 'application/json' }).end('{"type":"error"}')
        return
      }
      const asked: MessagesRequest = JSON.parse(Buffer.concat(parts).toString())
      requests.push(asked)
      const run = asked.tools?.some(({ name }) => name === 'Bash')
        ? /RUN: (.+)/.exec(sentText(asked.messages.at(-1)))?.[1]
        : undefined
      const id = `msg_${requests.length}`
      const block =
        run === undefined
          ? { type: 'text', text: `Answer ${requests.length}.` }
          : { type: 'tool_use', id: `toolu_${requests.length}`, name: 'Bash', input: { command: run } }
      const reason = run === undefined ? 'end_turn' : 'tool_use'
      const usage = { input_tokens: prompt, output_tokens: 5 }
      const message = { id, type: 'message', role: 'assistant', model: asked.model, content: [], usage }
      if (asked.stream !== true) {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ ...message, content: [block], stop_reason: reason }))
        return
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const delta =
        block.type === 'text'
          ? { type: 'text_delta', text: block.text }
          : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
      const empty = block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} }
      for (const event of [
        { type: 'message_start', message },
        { type: 'content_block_start', index: 0, content_block: empty },
        { type: 'content_block_delta', index: 0, delta },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: reason }, usage },
        { type: 'message_stop' },
      ])
        response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      response.end()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () => {
      server.closeAllConnections()
      return new Promise((done) => server.close(() => done()))
    },
  }
}

/** The texts of a message, what tools answered left out. */
export function sentText(message: Message | undefined): string {
  if (message === undefined) return ''
  if (typeof message.content === 'string') return message.content
  return message.content.map(({ text }) => (typeof text === 'string' ? text : '')).join('\n')
}
