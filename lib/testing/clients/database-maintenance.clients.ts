import { chmodSync, cpSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CORPUS } from '../corpus'
import { runCli } from '../run-cli'
import { addAgedSessions, dropHeader } from './aged-sessions'
import { type FakeModel, startFakeModel } from './fake-model'
import { type ClientRun, makeOpenClawHome, OPENCLAW_DATABASE, type OpenClawHome } from './openclaw-home'

const PORT = 18_774
const TELEGRAM = 'agent:main:telegram:direct:77'

let model: FakeModel
let client: OpenClawHome
let running: ClientRun | null = null
let database = ''

/** A real store where there is one beside us, else one that the client makes by a turn. */
async function fillStore(): Promise<void> {
  if (CORPUS === null) {
    const { code, output } = await client.run('agent', '--local', '--agent', 'main', '--message', 'Hello')
      .ended
    expect(code, output).toBe(0)
    return
  }
  const agents = join(client.state, 'agents')
  cpSync(join(CORPUS, 'openclaw-2026.9.6', 'agents'), agents, { recursive: true })
  for (const part of ['', 'main', 'main/agent', 'main/agent/openclaw-agent.sqlite'])
    chmodSync(join(agents, part), 0o700)
}

beforeAll(async () => {
  model = await startFakeModel(0)
  client = makeOpenClawHome(model.url, PORT, OPENCLAW_DATABASE)
  database = join(client.state, 'agents/main/agent/openclaw-agent.sqlite')
  await fillStore()
  writeFileSync(
    join(client.home, 'plimsoll.json'),
    JSON.stringify({ gateway: { command: client.command, timeoutSeconds: 120 } }),
  )
})
afterAll(async () => {
  running?.process.kill('SIGTERM')
  await running?.ended
  await model?.close()
  client?.remove()
})

function plimsoll(...argv: string[]) {
  const env = {
    ...client.env,
    OPENCLAW_GATEWAY_TOKEN: 'test',
    PLIMSOLL_HOME: join(client.home, 'plimsoll'),
    PLIMSOLL_CONFIG: join(client.home, 'plimsoll.json'),
  }
  return runCli(argv, { env, stop: new AbortController().signal })
}

async function maintain(...options: string[]) {
  const { code, stdout, stderr } = await plimsoll('maintain', '--store', client.state, '--json', ...options)
  return { code, stderr, one: JSON.parse(stdout).databases[0] }
}

/** Waits until somebody listens on a port of this machine. */
async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 120; tries++) {
    const answers = await new Promise<boolean>((done) => {
      const socket = connect({ port, host: '127.0.0.1' })
      socket.once('connect', () => {
        socket.destroy()
        done(true)
      })
      socket.once('error', () => done(false))
    })
    if (answers) return
    await sleep(500)
  }
  throw new Error(`No process listens on port ${port}`)
}

it(`a database of OpenClaw ${OPENCLAW_DATABASE.version} is put in order and repaired by its own commands, and bears out what was announced`, async () => {
  addAgedSessions(database, [
    { key: 'agent:main:dashboard:d1', id: '11111111-1111-4111-8111-111111111111', ageDays: 40 },
    { key: 'agent:main:hook:h1', id: '22222222-2222-4222-8222-222222222222', ageDays: 50 },
    { key: 'agent:main:cron:c1', id: '33333333-3333-4333-8333-333333333333', ageDays: 60 },
    { key: TELEGRAM, id: '44444444-4444-4444-8444-444444444444', ageDays: 1 },
  ])
  const planned = await maintain()
  expect(planned.code, planned.stderr).toBe(0)
  const { plan } = planned.one
  expect(plan).toMatchObject({ before: 5, after: 3, removed: { pruned: 2 }, archived: { age: 1 } })

  const done = await maintain('--enforce')
  expect(done.code, done.stderr).toBe(0)
  expect(done.one).toMatchObject({ verified: true, plan })
  expect(done.one.effect).toBe(
    '2 sessions left the index, 1 session put aside; the rows of every other transcript are as they were. Of 2 transcripts taken out, 2 are kept in an archive.',
  )
  expect((await maintain()).one.plan).toMatchObject({ before: 3, changes: false })

  // What OpenClaw has a command for in a transcript: a header that is missing.
  dropHeader(database, '44444444-4444-4444-8444-444444444444')
  const store = ['--store', client.state, '--json']
  expect((await plimsoll('repair', TELEGRAM, '--check', ...store)).code).toBe(1)
  const repaired = await plimsoll('repair', TELEGRAM, '--apply', '--doctor', ...store)
  expect(repaired.code, repaired.stderr).toBe(0)
  expect(JSON.parse(repaired.stdout)).toMatchObject({ verified: true, otherHeaders: 0 })
  expect((await plimsoll('repair', TELEGRAM, '--check', ...store)).code).toBe(0)

  // Beside a gateway, it is the gateway that does it.
  addAgedSessions(database, [
    { key: 'agent:main:hook:h2', id: '55555555-5555-4555-8555-555555555555', ageDays: 45 },
  ])
  running = client.run('gateway', 'run', '--port', String(PORT))
  await listening(PORT)
  const beside = await maintain('--enforce')
  expect(beside.code, beside.stderr).toBe(0)
  expect(beside.one).toMatchObject({ plan: { removed: { pruned: 1 } }, verified: true })
  const { stdout } = await plimsoll('audit', '--json')
  const through = JSON.parse(stdout).writes.map(({ summary }: { summary: object }) => summary)
  expect(through).toMatchObject([{ through: 'gateway' }, { headers: 1 }, { through: 'database' }])
})
