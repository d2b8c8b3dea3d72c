import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { discoverStores } from '../../adapters/discovery/discover'
import { openClawGateway } from '../../adapters/openclaw/openclaw-gateway'
import { createStoreReader } from '../../adapters/stores/store-reader'
import { Lanes } from '../../engine/jobs/lanes'
import { compactByGateway } from '../../engine/openclaw/compact-by-gateway'
import type { FoundStore, FoundTranscript } from '../../engine/read/ports'
import { type FakeModel, startFakeModel } from './fake-model'
import { type ClientRun, makeOpenClawHome, OPENCLAW_DATABASE, type OpenClawHome } from './openclaw-home'

const TURNS = 4
const reader = createStoreReader({ lastLine: 'take-whole' })

let model: FakeModel
let client: OpenClawHome
let running: ClientRun | null = null

beforeAll(async () => {
  model = await startFakeModel(0)
  client = makeOpenClawHome(model.url, 18_773, OPENCLAW_DATABASE)
})
afterAll(async () => {
  running?.process.kill('SIGTERM')
  await running?.ended
  await model?.close()
  client?.remove()
})

async function session(): Promise<{ store: FoundStore; transcript: FoundTranscript }> {
  const { stores } = await discoverStores({ env: {}, home: client.home, only: [client.state] })
  for (const store of stores)
    for await (const transcript of reader.list(store))
      if (store.era === 'sqlite' && transcript.key !== null && transcript.state === 'live')
        return { store, transcript }
  throw new Error('There is no session in the database')
}

it(`a session of OpenClaw ${OPENCLAW_DATABASE.version} is compacted by its gateway, and its database bears it out`, async () => {
  for (let i = 0; i < TURNS; i++) {
    const text = `turn ${i}: ${'please look at the berth. '.repeat(400)}`
    const run = client.run('agent', '--local', '--agent', 'main', '--message', text, '--json')
    const { code, output } = await run.ended
    expect(code, output).toBe(0)
  }
  running = client.run('gateway', 'run', '--port', '18773')
  const gateway = openClawGateway({
    command: client.command,
    url: null,
    timeoutMs: 60_000,
    env: { ...client.env, OPENCLAW_GATEWAY_TOKEN: 'test' },
  })
  let result = await compactByGateway({ reader, lanes: new Lanes(1), gateway }, await session())
  for (let tries = 0; tries < 20 && result.kind === 'failed'; tries++) {
    await sleep(3000)
    result = await compactByGateway({ reader, lanes: new Lanes(1), gateway }, await session())
  }
  console.info(JSON.stringify(result))
  expect(result, JSON.stringify(result)).toMatchObject({ kind: 'compacted' })
  const again = await compactByGateway({ reader, lanes: new Lanes(1), gateway }, await session())
  expect(again, JSON.stringify(again)).toMatchObject({ kind: 'nothing' })
})
