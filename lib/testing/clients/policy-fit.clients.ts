import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { discoverStores } from '../../adapters/discovery/discover'
import { runtimeVersion } from '../../adapters/stores/runtime-version'
import { createStoreReader } from '../../adapters/stores/store-reader'
import { runtimeStore } from '../../compose/stores/runtime-stores'
import { inspectSession } from '../../engine/read/inspect-session'
import { fitOfSession } from '../../engine/read/session-fit'
import { startMeasuringModel } from './measuring-model'
import { makeOpenClawHome, OPENCLAW, OPENCLAW_DATABASE, type OpenClawHome } from './openclaw-home'

const TURNS = 8
const WINDOW = 64_000

const reader = createStoreReader({ lastLine: 'take-whole' })
let close: (() => void)[] = []
afterEach(() => {
  for (const each of close) each()
  close = []
})

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
    const model = await startMeasuringModel()
    close.push(() => model.close())
    const client = makeOpenClawHome(model.url, 18_774, version)
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
