import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { liveOwners } from '../../adapters/locks/live-owners'
import { sessionLocks } from '../../adapters/locks/session-locks'
import { nodeWriteFiles } from '../../adapters/write/node-write-files'
import { planStore } from '../../engine/maintain-store'
import type { WriteResult } from '../../engine/receipt'
import { createSession, resetSession } from '../../engine/session-life'
import type { Writer } from '../../engine/write-ports'
import { testWriter } from '../test-writer'
import { type FakeModel, startFakeModel } from './fake-model'
import { OPENCLAW, type OpenClawHome, openClawHome } from './openclaw-home'

const KEY = 'agent:main:main'
const DAY = 86_400_000

let model: FakeModel
let client: OpenClawHome
let own: string
let folder: string
let writer: Writer

beforeAll(async () => {
  model = await startFakeModel(0)
})
afterAll(() => model?.close())
beforeEach(() => {
  client = openClawHome(model.url, 18_773)
  own = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-life-')))
  folder = join(realpathSync(client.state), 'agents', 'main', 'sessions')
  mkdirSync(folder, { recursive: true })
  writer = { ...testWriter(nodeWriteFiles, { home: own }), locks: sessionLocks(), live: liveOwners() }
  return () => {
    client.remove()
    rmSync(own, { recursive: true, force: true })
  }
})

const index = () => JSON.parse(readFileSync(join(folder, 'sessions.json'), 'utf8'))

async function turn(text: string): Promise<void> {
  const { code, output } = await client.run(
    'agent',
    '--local',
    '--agent',
    'main',
    '--message',
    text,
    '--json',
  ).ended
  expect(code, output).toBe(0)
}

function demandDone(result: WriteResult): void {
  if (result.kind !== 'done') throw new Error(JSON.stringify(result))
}

it(`M16 M20 M23 OpenClaw ${OPENCLAW.version} goes on in a session that we made, and in one that we reset`, async () => {
  const [first, second] = [
    '5d0c0000-0000-4000-8000-00000000000a',
    '5d0c0000-0000-4000-8000-00000000000b',
  ] as const
  const request = {
    place: { root: realpathSync(client.state), folder, key: KEY },
    actor: 'test',
    wait: { waitMs: 0 },
    cwd: join(client.home, 'workspace'),
  }
  demandDone(await createSession(writer, { ...request, sessionId: first }))
  await turn('first prompt')
  expect(index()[KEY].sessionId).toBe(first)
  const text = readFileSync(join(folder, `${first}.jsonl`), 'utf8')
  for (const wanted of ['first prompt', 'answer 1']) expect(text.split(wanted)).toHaveLength(2)
  expect(text.split('"type":"session"')).toHaveLength(2)

  demandDone(await resetSession(writer, { ...request, sessionId: second }))
  await turn('second prompt')
  expect(index()[KEY].sessionId).toBe(second)
  const after = readFileSync(join(folder, `${second}.jsonl`), 'utf8')
  for (const wanted of ['second prompt', 'answer 2']) expect(after.split(wanted)).toHaveLength(2)
  expect(after).not.toContain('first prompt')
  const aside = readdirSync(folder).find((name) => name.startsWith(`${first}.jsonl.reset.`)) ?? ''
  expect(readFileSync(join(folder, aside), 'utf8')).toBe(text)
})

it(`N2 N3 removes the sessions that "sessions cleanup" of OpenClaw ${OPENCLAW.version} would remove`, async () => {
  const keys = [
    ...Array.from({ length: 12 }, (_, n) => ['agent:main:dashboard:s', n * 4] as const),
    ...Array.from({ length: 6 }, (_, n) => ['agent:main:telegram:group:g', n * 9] as const),
    ...Array.from({ length: 6 }, (_, n) => ['agent:main:cron:job', n * 9] as const),
    ...Array.from({ length: 4 }, (_, n) => ['agent:main:main:thread:t', n * 15] as const),
    ...Array.from({ length: 4 }, (_, n) => ['agent:main:subagent:x', n * 15] as const),
    ...Array.from({ length: 4 }, (_, n) => ['agent:main:whatsapp:direct:d', n * 12] as const),
  ]
  const entries = keys.map(([stem, age], n) => {
    const sessionId = `5d0c0000-0000-4000-8000-${String(n).padStart(12, '0')}`
    writeFileSync(join(folder, `${sessionId}.jsonl`), `{"type":"session","version":3,"id":"${sessionId}"}\n`)
    // Two hours at least, so that none counts as just used.
    return [`${stem}${n}`, { sessionId, updatedAt: Date.now() - age * DAY - 2 * 3_600_000 - n }] as const
  })
  writeFileSync(join(folder, 'sessions.json'), JSON.stringify(Object.fromEntries(entries), null, 2))
  const file = join(client.state, 'openclaw.json')
  const config = JSON.parse(readFileSync(file, 'utf8'))
  const settings = { mode: 'enforce', pruneAfter: '30d', maxEntries: 18 }
  writeFileSync(file, JSON.stringify({ ...config, session: { maintenance: settings } }))

  const place = { root: client.state, folder, agent: 'main', settings, version: OPENCLAW.version }
  const { plan } = await planStore(writer, place, [])
  const ours = plan.steps.flatMap((step) => (step.do === 'remove-entry' ? [step.key] : []))
  const { code, output } = await client.run('sessions', 'cleanup', '--enforce', '--json').ended
  expect(code, output).toBe(0)
  const left = new Set(Object.keys(index()))
  const theirs = entries.map(([key]) => key).filter((key) => !left.has(key))
  expect(ours.length).toBeGreaterThan(5)
  expect([...ours].sort()).toEqual(theirs.sort())
})
