import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { discoverStores } from '../../adapters/discovery/discover'
import { createStoreReader } from '../../adapters/stores/store-reader'
import { inspectSession } from '../../engine/read/inspect-session'
import { runCli } from '../run-cli'
import { type MeasuringModel, startMeasuringModel } from './measuring-model'
import { makeOpenClawHome, OPENCLAW_DATABASE, type OpenClawHome } from './openclaw-home'

/** What the settings say, and what the server of the model takes. Tokens. */
const [WINDOW, LIMIT] = [200_000, 65_536]
/** Where the client compacts in a window of the server's size: it keeps a quarter of a small one free. Tokens. */
const LINE = LIMIT * 0.75
const PORT = 18_776

type Late = { readonly afterCall: number; readonly reason: string }

let model: MeasuringModel
let client: OpenClawHome
let written: string
let turns = 0

beforeAll(async () => {
  model = await startMeasuringModel(LIMIT)
  client = makeOpenClawHome(model.url, PORT, OPENCLAW_DATABASE)
  const settings = JSON.parse(readFileSync(file(), 'utf8'))
  // A summary of few words will do, and little is kept beside it.
  settings.agents.defaults.compaction = {
    keepRecentTokens: 6_000,
    ...{ qualityGuard: { enabled: false }, memoryFlush: { enabled: false } },
  }
  written = `// the harbour's own\n${JSON.stringify(settings, null, 2).replace(`: ${WINDOW},`, `: ${WINDOW}, // by its maker`)}\n`
  writeFileSync(file(), written)
})

afterAll(() => {
  model?.close()
  client?.remove()
})

const file = () => join(client.state, 'openclaw.json')

/** A turn of the real client, of a long text or a short one. Answers whether it compacted, by its own record. */
async function compacts(size: 'long' | 'short' = 'long'): Promise<boolean> {
  const before = turns === 0 ? 0 : await compactions()
  const text = `turn ${++turns}: ${'please look at the berth. '.repeat(size === 'long' ? 1700 : 800)}`
  const run = client.run('agent', '--local', '--agent', 'main', '--message', text, '--json')
  const { code, output } = await run.ended
  expect(code, output.slice(-2000)).toBe(0)
  return (await compactions()) > before
}

async function compactions(): Promise<number> {
  const reader = createStoreReader({ lastLine: 'take-whole' })
  const { stores } = await discoverStores({ env: {}, home: client.home, only: [client.state] })
  let count = 0
  for (const store of stores)
    for await (const transcript of reader.list(store))
      if (transcript.state === 'live') {
        const { totals } = await inspectSession(reader, store, transcript)
        count += totals.compactions
      }
  return count
}

async function plimsoll(...argv: string[]) {
  const env = { HOME: client.home, PLIMSOLL_HOME: join(client.home, 'state') }
  const { code, stdout, stderr } = await runCli([...argv, '--json'], { env })
  if (code !== 0) throw new Error(`${argv.join(' ')}: ${code} ${stderr}${stdout}`)
  return JSON.parse(stdout)
}

describe('a setting that is applied for a finding', () => {
  it(`changes where the real OpenClaw ${OPENCLAW_DATABASE.version} compacts, until it is taken back to the byte`, async () => {
    const store = ['--store', client.state]
    const cut: boolean[] = []
    while (model.sent.filter((tokens) => tokens > LIMIT).length < 3) cut.push(await compacts())
    expect(cut).not.toContain(true)
    expect(readFileSync(file(), 'utf8')).toBe(written)

    const { findings } = await plimsoll('findings', ...store)
    const found = findings.find(({ kind }: { kind: string }) => kind === 'provider-cuts-prompt')
    const dry = await plimsoll('findings', 'apply', found.id, '--dry-run', ...store)
    expect(readFileSync(file(), 'utf8')).toBe(written)
    expect(dry).toMatchObject({ from: WINDOW, to: LIMIT, changed: false })
    expect(dry.sessions[0]).toMatchObject({ lineNow: WINDOW - 20_000, lineThen: LINE, nextThen: true })

    const done = await plimsoll('findings', 'apply', found.id, ...store)
    expect(readFileSync(file(), 'utf8')).toBe(written.replace(`: ${WINDOW}, //`, `: ${LIMIT}, //`))
    expect(await compacts()).toBe(true)
    // From here on it compacts whenever the next prompt would be above the new line, and no prompt is cut.
    const from = model.sent.length
    const after: boolean[] = []
    for (let i = 0; i < 5; i++) after.push(await compacts('short'))
    expect(after).toContain(true)
    expect(after).toContain(false)
    expect(Math.max(...model.sent.slice(from))).toBeLessThanOrEqual(LIMIT)
    console.info(JSON.stringify({ cut, after, sent: model.sent }))
    const { fit } = await plimsoll('policy', 'show', ...store)
    // To the first one it looks as if the line had been passed long before: it was the line that moved.
    const late = fit.stores[0].others.map(({ afterCall, reason }: Late) => ({ afterCall, reason }))
    expect(late, JSON.stringify(fit)).toEqual([{ afterCall: cut.length, reason: 'late' }])

    await plimsoll('undo', done.receipt)
    expect(readFileSync(file(), 'utf8')).toBe(written)
    const again: boolean[] = []
    while ((model.sent.at(-1) ?? 0) <= LIMIT) again.push(await compacts())
    expect(again).not.toContain(true)
  })
})
