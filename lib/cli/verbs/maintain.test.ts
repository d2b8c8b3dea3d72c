import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { fillSessionsFolder } from '../../testing/hostile/foreign-files-in-sessions'
import { runCli } from '../../testing/run-cli'
import { temporaryFolder, treeOf } from '../../testing/store-folder'

const DAY = 86_400_000

let home: string
let root: string
let sessions: string

beforeEach(() => {
  home = temporaryFolder()
  root = join(home, '.openclaw')
  sessions = join(root, 'agents', 'main', 'sessions')
  mkdirSync(sessions, { recursive: true })
})

type Session = { readonly key: string; readonly ageDays: number; readonly more?: object }

/** Writes an index and a transcript for each session; `sessionId` is the end of the key. */
function store(list: readonly Session[], settings: object = {}): void {
  const entries = list.map(({ key, ageDays, more }) => {
    const sessionId = key.split(':').at(-1) ?? ''
    put(`${sessionId}.jsonl`, `{"type":"session","version":3,"id":"${sessionId}"}\n`, ageDays)
    return [key, { sessionId, updatedAt: Date.now() - ageDays * DAY, ...more }]
  })
  writeFileSync(join(sessions, 'sessions.json'), JSON.stringify(Object.fromEntries(entries), null, 2))
  // No process listens on port 1.
  const config = { gateway: { port: 1 }, session: { maintenance: settings } }
  writeFileSync(join(root, 'openclaw.json'), JSON.stringify(config))
}

function put(name: string, text: string, ageDays = 0): void {
  writeFileSync(join(sessions, name), text)
  const time = (Date.now() - ageDays * DAY) / 1000
  utimesSync(join(sessions, name), time, time)
}

const index = () => Object.keys(JSON.parse(readFileSync(join(sessions, 'sessions.json'), 'utf8')))

async function maintain(...options: string[]) {
  const env = { HOME: home, PLIMSOLL_HOME: join(home, 'state') }
  const { code, stdout, stderr } = await runCli(['maintain', '--store', root, '--json', ...options], { env })
  return { code, stderr, ...JSON.parse(stdout) }
}

async function undo(receipt: string): Promise<number> {
  const env = { HOME: home, PLIMSOLL_HOME: join(home, 'state') }
  return (await runCli(['undo', receipt], { env })).code
}

describe('plimsoll maintain', () => {
  const list = [
    { key: 'agent:main:old', ageDays: 31 },
    { key: 'agent:main:young', ageDays: 29 },
    { key: 'agent:main:telegram:group:g', ageDays: 400 },
  ]

  it('N1 shows what would be removed and changes nothing, whatever the mode', async () => {
    for (const mode of ['warn', 'enforce']) {
      store(list, { mode })
      const before = treeOf(root)
      const { code, stores } = await maintain()
      expect(code).toBe(0)
      expect(stores).toHaveLength(1)
      expect(stores[0]).toMatchObject({ agent: 'main', receipt: null, refused: null, limits: { mode } })
      expect(stores[0].steps.map((step: { do: string }) => step.do)).toEqual(['remove-entry', 'archive'])
      expect(treeOf(root)).toEqual(before)
    }
  })

  it('N2 enforced: 31 days gone, 29 stay; and an undo brings everything back byte for byte', async () => {
    store(list)
    put('lost.jsonl', '{"type":"session","id":"lost"}\n', 40)
    put('gone.jsonl.deleted.2020-01-01T00-00-00.000Z', '{"type":"session","id":"gone"}\n')
    const before = treeOf(sessions)
    const { code, stores } = await maintain('--enforce')
    expect(code).toBe(0)
    expect(stores[0]).toMatchObject({ verified: true, after: { entries: 2 } })
    expect(index()).toEqual(['agent:main:young', 'agent:main:telegram:group:g'])
    const names = Object.keys(treeOf(sessions))
    expect(names.filter((name) => /^(old|lost|gone)/.test(name))).toEqual([
      expect.stringMatching(/^old\.jsonl\.deleted\.\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/),
    ])
    expect((await maintain()).stores[0].steps).toEqual([])

    expect(await undo(stores[0].receipt)).toBe(0)
    const content = (tree: Record<string, string>) =>
      Object.fromEntries(Object.entries(tree).map(([name, text]) => [name, text.split(' ').at(-1)]))
    expect(content(treeOf(sessions))).toEqual(content(before))
  })

  it('N3 503 sessions: the oldest three go, the others keep every field', async () => {
    const more = { skillsSnapshot: { promptRef: 'x' }, label: 'ü' }
    store(Array.from({ length: 503 }, (_, n) => ({ key: `agent:main:s${n}`, ageDays: 1 + n / 100, more })))
    const before = JSON.parse(readFileSync(join(sessions, 'sessions.json'), 'utf8'))
    const { stores } = await maintain('--enforce')
    expect(stores[0].receipt).not.toBeNull()
    const after = JSON.parse(readFileSync(join(sessions, 'sessions.json'), 'utf8'))
    for (const n of [500, 501, 502]) delete before[`agent:main:s${n}`]
    expect(after).toEqual(before)
  })

  it('N2 leaves files alone that do not hold what their names say, or have a second name, and names them', async () => {
    store(list)
    put('lost.jsonl', '{"type":"session","id":"lost"}\n', 40)
    const names = fillSessionsFolder(sessions, temporaryFolder())
    const before = treeOf(sessions)
    const preview = (await maintain()).stores[0]
    expect(preview.warnings).toEqual([
      expect.stringMatching(/^Left alone in .*: 7 files that do not hold what their names say .*\(e\.g\. /),
    ])
    const { code, stores } = await maintain('--enforce')
    expect(code).toBe(0)
    expect(stores[0].warnings).toEqual(preview.warnings)
    const after = treeOf(sessions)
    expect(names.map((name) => after[name])).toEqual(names.map((name) => before[name]))
    expect(after['lost.jsonl']).toBeUndefined()
  })

  it('N4 a large index is copied aside; the fourth copy goes', async () => {
    store(list.slice(1), { rotateBytes: 50 })
    for (const n of [1, 2, 3]) put(`sessions.json.bak.${n}`, '{}')
    const text = readFileSync(join(sessions, 'sessions.json'), 'utf8')
    const { stores } = await maintain('--enforce')
    expect(stores[0].receipt).not.toBeNull()
    const copies = Object.keys(treeOf(sessions)).filter((name) => name.startsWith('sessions.json.bak.'))
    expect(copies).toHaveLength(3)
    expect(copies).not.toContain('sessions.json.bak.1')
    const made = copies.find((name) => !/\.[23]$/.test(name)) ?? ''
    expect(readFileSync(join(sessions, made), 'utf8')).toBe(text)
    expect(readFileSync(join(sessions, 'sessions.json'), 'utf8')).toBe(text)
  })

  it('N5 a session with a running turn, one just used and one that is named stay, and warnings name them', async () => {
    store(
      [
        { key: 'agent:main:runs', ageDays: 90, more: { status: 'running' } },
        { key: 'agent:main:named', ageDays: 90 },
        { key: 'agent:main:used', ageDays: 0 },
        { key: 'agent:main:other', ageDays: 1 },
      ],
      { maxEntries: 1 },
    )
    const { stores } = await maintain('--enforce', '--active', 'agent:main:named')
    expect(index()).toEqual(['agent:main:runs', 'agent:main:named', 'agent:main:used'])
    expect(stores[0].warnings).toEqual([
      expect.stringMatching(/^agent:main:/),
      expect.stringMatching(/^agent:main:/),
    ])
    const warnings = stores[0].warnings.join('\n')
    expect(warnings).toContain('agent:main:runs is active and stays; it would have been removed')
    expect(warnings).toContain('agent:main:named stays, as it was named; it would have been removed')
  })

  it('N5 a key that no session has is reported, and nothing is removed as long as it is named', async () => {
    store(list)
    const before = treeOf(root)
    const planned = await maintain('--active', 'agent:main:odl')
    expect(planned.code).toBe(0)
    expect(planned.stores[0].warnings[0]).toContain('has the key "agent:main:odl"')
    const { code, stores } = await maintain('--enforce', '--active', 'agent:main:odl')
    expect(code).toBe(3)
    expect(stores[0].refused).toMatchObject({ code: 'missing' })
    const env = { HOME: home, PLIMSOLL_HOME: join(home, 'state') }
    const strange = await runCli(['maintain', '--store', root, '--enforce', '--active', 'agent:mian:old'], {
      env,
    })
    expect([strange.code, strange.stderr]).toEqual([2, expect.stringContaining('agent:mian:old')])
    expect(treeOf(root)).toEqual(before)
  })

  it.runIf(process.platform === 'linux')(
    'refuses a store that a client works with, and changes nothing',
    async () => {
      store(list)
      const code = `process.title = 'openclaw-gateway'; setInterval(() => {}, 60000); console.log('ready')`
      const gateway = spawn(process.execPath, ['-e', `${code} // ${'-'.repeat(40)}`], {
        env: { NODE_ENV: 'test', HOME: home },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      onTestFinished(() => void gateway.kill('SIGKILL'))
      await new Promise((done) => gateway.stdout.once('data', done))
      const before = treeOf(root)
      const { code: exit, stores, stderr } = await maintain('--enforce')
      expect(exit).toBe(3)
      expect(stores[0].refused).toMatchObject({ code: 'live' })
      expect(stderr).toContain(String(gateway.pid))
      expect(treeOf(root)).toEqual(before)
    },
  )

  it.each([
    ['cut off', '{"agent:main:old": {'],
    ['empty', ''],
    ['a list', '[]'],
  ])('leaves everything alone when the index is %s', async (_name, text) => {
    store(list)
    writeFileSync(join(sessions, 'sessions.json'), text)
    const before = treeOf(root)
    for (const options of [[], ['--enforce']]) {
      const { code, stores } = await maintain(...options)
      expect(code).toBe(3)
      expect(stores[0].refused).toMatchObject({
        code: 'unsafe',
        message: expect.stringContaining('sessions.json'),
      })
    }
    expect(treeOf(root)).toEqual(before)
  })

  it('leaves transcripts alone when the index has gone, and says so', async () => {
    store(list)
    rmSync(join(sessions, 'sessions.json'))
    put('old.jsonl', 'x\n', 400)
    const { stores } = await maintain('--enforce')
    expect(stores[0]).toMatchObject({ steps: [], receipt: null })
    expect(stores[0].warnings[0]).toContain('3 transcripts are beside it')
  })

  it('says in words what it would do', async () => {
    store(list, { pruneAfter: 'soon' })
    const env = { HOME: home, PLIMSOLL_HOME: join(home, 'state') }
    const { stdout } = await runCli(['maintain', '--store', root], { env })
    expect(stdout).toContain('warning: session.maintenance.pruneAfter is "soon"')
    expect(stdout).toContain('remove session  agent:main:old  (not used for longer than the age limit)')
    expect(stdout).toContain('put aside       old.jsonl')
    expect(stdout).toContain('Nothing was changed. --enforce does this, with a backup of everything.')
  })
})
