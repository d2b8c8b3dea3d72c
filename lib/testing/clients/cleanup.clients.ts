import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { liveOwners } from '../../adapters/locks/live-owners'
import { sessionLocks } from '../../adapters/locks/session-locks'
import { nodeWriteFiles } from '../../adapters/write/node-write-files'
import { tryMaintenance } from '../../engine/maintenance/maintain-store'
import type { Writer } from '../../engine/write/write-ports'
import { testWriter } from '../test-writer'
import { type FakeModel, startFakeModel } from './fake-model'
import { makeOpenClawHome, OPENCLAW, type OpenClawHome } from './openclaw-home'

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
  client = makeOpenClawHome(model.url, 18_773)
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
  const tried = await tryMaintenance(writer, place, [])
  if (tried.kind === 'refused') throw new Error(tried.refusal.message)
  const ours = tried.planned.plan.steps.flatMap((step) => (step.do === 'remove-entry' ? [step.key] : []))
  const { code, output } = await client.run('sessions', 'cleanup', '--enforce', '--json').ended
  expect(code, output).toBe(0)
  const left = new Set(Object.keys(index()))
  const theirs = entries.map(([key]) => key).filter((key) => !left.has(key))
  expect(ours.length).toBeGreaterThan(5)
  expect([...ours].sort()).toEqual(theirs.sort())
})
