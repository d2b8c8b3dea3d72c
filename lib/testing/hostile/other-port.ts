import { createServer } from 'node:http'

/** A server of another account at another port of this machine, which notes what browsers tell it. */
export type OtherPort = {
  readonly url: string
  /** All headers that it was sent, request by request, as text. */
  readonly heard: string[]
  close(): void
}

/** @param page HTML that it answers with */
export async function serverAtOtherPort(page: string): Promise<OtherPort> {
  const heard: string[] = []
  const server = createServer((request, response) => {
    heard.push(`${request.url} ${JSON.stringify(request.headers)}`)
    response.setHeader('Content-Type', 'text/html').end(page)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, heard, close: () => server.close() }
}
