import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from '@playwright/test'
import { test } from './world'

const LIBRARY = fileURLToPath(new URL('../dist/library', import.meta.url))

/** Serves the package as it is, and a page. */
function serveLibrary(): Promise<Server> {
  const server = createServer((request, response) => {
    const path = normalize(decodeURI(request.url ?? '/').replace(/\?.*/, ''))
    if (!/^[\\/][\w-]+\.js$/.test(path)) {
      response.setHeader('content-type', 'text/html')
      response.end('<!doctype html><title>Library</title>')
      return
    }
    response.setHeader('content-type', 'text/javascript')
    response.end(readFileSync(join(LIBRARY, path)))
  })
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)))
}

test('the core of the package runs in a page: a long conversation is compacted, a text is counted', async ({
  page,
}) => {
  const server = await serveLibrary()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  try {
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    const said = await page.evaluate(async () => {
      const place = '/core.js'
      const { CONTENT_FORM, ContextManager, Conversation, countExact, DEFAULT_POLICY } = await import(place)
      const talk = new Conversation(
        Array.from({ length: 60 }, (_, i) => [
          { role: 'user', content: `Where does ship ${i} lie?` },
          { role: 'assistant', content: [{ type: 'tool_use', id: `c${i}`, name: 'read', input: { i } }] },
          {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: `c${i}`, content: 'Berth. '.repeat(500) }],
          },
          { role: 'assistant', content: [{ type: 'text', text: `At berth ${i}.` }] },
        ]).flat(),
      )
      const { getContext, setContext } = talk
      const agent = { session: 'main', form: CONTENT_FORM, clock: { now: Date.now }, getContext, setContext }
      const policy = {
        ...DEFAULT_POLICY,
        lines: { ...DEFAULT_POLICY.lines, flush: { enabled: false, at: [] } },
      }
      const options = { policy, window: 64_000, key: 'main', promptCache: null, agent }
      const context = new ContextManager(options)
      const { steps } = await context.beforeResponse([{ role: 'user', content: 'Which berth is free?' }])
      return {
        steps,
        left: getContext().length < 240,
        tokens: (await countExact('Which berth is free?')).tokens,
      }
    })
    expect(said).toEqual({ steps: ['compact'], left: true, tokens: 5 })
    expect(problems).toEqual([])
  } finally {
    server.close()
  }
})
