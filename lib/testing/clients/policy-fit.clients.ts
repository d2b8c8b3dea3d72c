import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { discoverStores } from '../../adapters/discovery/discover'
import { runtimeVersion } from '../../adapters/stores/runtime-version'
import { createStoreReader } from '../../adapters/stores/store-reader'
import { runtimeStore } from '../../compose/runtime-stores'
import { inspectSession } from '../../engine/read/inspect-session'
import { fitOfSession } from '../../engine/read/session-fit'
import { makeOpenClawHome, OPENCLAW, OPENCLAW_DATABASE, type OpenClawHome } from './openclaw-home'

const TURNS = 8
const WINDOW = 64_000
/** What the scripted model takes for a token. */
const CHARS_PER_TOKEN = 3.6

const reader = createStoreReader({ lastLine: 'take-whole' })
let close: (() => void)[] = []
afterEach(() => {
  for (const each of close) each()
  close = []
})

/** A model that reports a prompt as large as the request was, and says little. */
async function measuringModel(): Promise<string> {
  let count = 0
  const server: Server = createServer((request, response) => {
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
    })
    request.once('end', () => {
      const tokens = Math.round(size / CHARS_PER_TOKEN)
      const chunk = (delta: object, finish: string | null, usage?: object) =>
        response.write(
          `data: ${JSON.stringify({ id: `r${++count}`, object: 'chat.completion.chunk', created: 0, model: 'fake-1', choices: [{ index: 0, delta, finish_reason: finish }], ...(usage && { usage }) })}\n\n`,
        )
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      chunk({ role: 'assistant', content: 'It is noted, and the berth was looked at.' }, null)
      chunk({}, 'stop', { prompt_tokens: tokens, completion_tokens: 12, total_tokens: tokens + 12 })
      response.end('data: [DONE]\n\n')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  close.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

/** The window is small so that it fills soon, and a summary of few words will do. */
function tune(client: OpenClawHome): void {
  const file = join(client.state, 'openclaw.json')
  const settings = JSON.parse(readFileSync(file, 'utf8'))
  settings.models.providers.fake.models[0].contextWindow = WINDOW
  settings.agents.defaults.compaction = { qualityGuard: { enabled: false }, memoryFlush: { enabled: false } }
  writeFileSync(file, JSON.stringify(settings))
}

for (const version of [OPENCLAW_DATABASE, OPENCLAW]) {
  it(`X9 what OpenClaw ${version.version} compacts is explained by its runtime policy`, async () => {
    const client = makeOpenClawHome(await measuringModel(), 18_774, version)
    close.push(() => client.remove())
    tune(client)
    for (let turn = 0; turn < TURNS; turn++) {
      const text = `turn ${turn}: ${'please look at the berth. '.repeat(1700)}`
      const run = client.run('agent', '--local', '--agent', 'main', '--message', text, '--json')
      const { code, output } = await run.ended
      expect(code, output.slice(-2000)).toBe(0)
    }
    const { stores } = await discoverStores({ env: {}, home: client.home, only: [client.state] })
    const seen: string[] = []
    let compared = 0
    let explained = 0
    for (const store of stores) {
      const runtime = runtimeStore([], store, await runtimeVersion(store), { stores: [] })
      for await (const transcript of reader.list(store)) {
        if (transcript.state !== 'live') continue
        const fit = fitOfSession(await inspectSession(reader, store, transcript), runtime)
        compared += fit.compared
        explained += fit.explained
        seen.push(JSON.stringify({ runtime: runtime.version, ...fit }))
      }
    }
    console.info(seen.join('\n'))
    expect(compared, seen.join('\n')).toBeGreaterThan(0)
    expect(explained / compared, seen.join('\n')).toBeGreaterThanOrEqual(0.95)
  })
}
