import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AgentDatabaseBuilder } from '../../../testing/builders/agent-database'
import { TranscriptBuilder } from '../../../testing/builders/transcript'
import { type HostileFolder, hostileWorkingFolder } from '../../../testing/hostile/working-folder'
import { runCli } from '../../../testing/run-cli'
import { temporaryFolder, treeOf } from '../../../testing/store-folder'

const SECRET = randomBytes(12).toString('hex')

let home = ''
let cwd = ''
let store = ''
let hostile: HostileFolder

beforeEach(async () => {
  home = temporaryFolder()
  cwd = temporaryFolder()
  // Where this account's OpenClaw keeps its state: only there its command is run.
  store = join(home, '.openclaw')
  const database = new AgentDatabaseBuilder(join(store, 'agents/main/agent/openclaw-agent.sqlite'))
  const transcript = new TranscriptBuilder({ version: 4 })
  transcript.user('Where does the ship lie?')
  transcript.assistant('At berth 4.', { usage: { input: 90_000, output: 20 } })
  const entry = { sessionId: 's1', updatedAt: 1, contextTokens: 64_000, model: 'm' }
  database.session({ id: 's1', key: 'agent:main:main', rows: transcript.lines, entry })
  database.close()
  writeFileSync(join(store, 'openclaw.json'), JSON.stringify({ gateway: { port: 1 } }))
  hostile = await hostileWorkingFolder(cwd, 'AN_OPERATORS_KEY')
})
afterEach(() => hostile.close())

const env = () => ({
  HOME: home,
  PLIMSOLL_HOME: join(home, 'state'),
  PLIMSOLL_STORES: store,
  AN_OPERATORS_KEY: SECRET,
})
const run = (...argv: string[]) => runCli(argv, { cwd, env: env(), stop: new AbortController().signal })
const json = async (...argv: string[]) => JSON.parse((await run(...argv, '--json')).stdout)

/** Verbs that would do what settings name: run a command, or talk to an address. */
const VERBS: readonly (readonly string[])[] = [
  ['maintain'],
  ['maintain', '--enforce'],
  ['health', '--notify-if-pct', '0.01'],
  ['memory', 'list'],
  ['memory', 'add', 'Berth-4-is-free.'],
  ['score', 's1'],
  ['compact', 's1', '--dry-run'],
  ['compact', 's1', '--now'],
]

describe('a settings file in the working folder that is not trusted', () => {
  it.each(VERBS.map((verb) => verb.join(' ')))('G-1, G-2: decides nothing in %s', async (verb) => {
    const { stderr } = await run(...verb.split(' '))
    expect(hostile.ran()).toEqual([])
    expect(hostile.received).toEqual([])
    expect(existsSync(join(cwd, 'logs-of-theirs'))).toBe(false)
    expect(stderr.split(`${hostile.file} is not obeyed`)).toHaveLength(2)
    expect(stderr).toContain('plimsoll trust')
  })

  it('does all that where it is named: the attack is real', async () => {
    const named = (...argv: string[]) => run(...argv, '--config', hostile.file)
    expect((await named('maintain')).stderr).not.toContain('not obeyed')
    expect(hostile.ran()).toHaveLength(1)
    await named('health', '--notify-if-pct', '0.01')
    expect(hostile.ran()).toHaveLength(2)
    await named('memory', 'list')
    const basic = Buffer.from(`x:${SECRET}`).toString('base64')
    expect(hostile.received.join('\n')).toContain(`Basic ${basic}`)
  })

  it('does not hide the settings of the settings folder', async () => {
    mkdirSync(join(home, '.config/plimsoll'), { recursive: true })
    const known = join(home, '.config/plimsoll/plimsoll.yaml')
    writeFileSync(known, 'policy: { lines: { compact: { enabled: true, at: 0.42 } } }\n')
    const { files } = await json('policy', 'check')
    expect(files).toContainEqual(expect.objectContaining({ file: known, role: 'own' }))
  })

  it('may be a pipe that never ends', async () => {
    const { execFileSync } = await import('node:child_process')
    const pipe = temporaryFolder()
    execFileSync('mkfifo', [join(pipe, 'plimsoll.yaml')])
    const { code, stderr } = await runCli(['stores'], { cwd: pipe, env: env() })
    expect(code).toBe(0)
    expect(stderr).toContain('is not a file')
  })
})

describe('plimsoll trust', () => {
  it('shows what acts, trusts the file as it is, and asks again after a change', async () => {
    const state = join(home, 'state')
    const shown = await run('trust', '--dry-run')
    expect(shown.code).toBe(0)
    for (const part of [
      'gateway.command',
      'health.webhook',
      'policy.summary.url',
      'AN_OPERATORS_KEY',
      'logs.path',
    ])
      expect(shown.stdout).toContain(part)
    expect(existsSync(state)).toBe(false)
    const { acts, trusted } = await json('trust')
    expect(trusted).toBe(true)
    expect(new Set(acts.map(({ kind }: { kind: string }) => kind))).toEqual(
      new Set(['command', 'address', 'model', 'folder', 'variable']),
    )
    expect(statSync(join(state, 'trusted.json')).mode & 0o777).toBe(0o600)
    const { stderr } = await run('maintain')
    expect(stderr).not.toContain('not obeyed')
    expect(hostile.ran()).toHaveLength(1)

    appendFileSync(hostile.file, '\n')
    await run('health', '--notify-if-pct', '0.01')
    expect(hostile.ran()).toHaveLength(1)
    expect((await run('stores')).stderr).toContain('it was changed since you trusted it')
    expect((await json('trust', '--list')).files).toMatchObject([
      { path: hostile.file, state: 'changed, not obeyed' },
    ])
  })

  it('shows also what acts by keys of other formats', async () => {
    const other = temporaryFolder()
    const address = 'http://elsewhere.example:11434'
    writeFileSync(
      join(other, 'plimsoll.yaml'),
      `session: { compaction: { ollama: { url: "${address}", model: m } } }\nCOLD_STORAGE_PATH: /srv/cold\n`,
    )
    const inOther = (...argv: string[]) => runCli(argv, { cwd: other, env: env() })
    const { stdout } = await inOther('trust', '--dry-run')
    for (const part of ['session.compaction.ollama.url', address, 'COLD_STORAGE_PATH', '/srv/cold'])
      expect(stdout).toContain(part)
    const { acts } = JSON.parse((await inOther('trust', '--json')).stdout)
    expect(acts).toEqual([
      { key: 'session.compaction.ollama.model', kind: 'model', value: 'ollama/m' },
      { key: 'session.compaction.ollama.url', kind: 'address', value: address },
      { key: 'COLD_STORAGE_PATH', kind: 'folder', value: '/srv/cold' },
    ])
  })

  it('shows each value once', async () => {
    const text =
      'overrides: [{ agent: a, policy: { summary: { url: "http://o" } } }]\npolicy: { logs: { path: /srv } }\n'
    writeFileSync(hostile.file, text)
    expect((await json('trust', '--dry-run')).acts).toEqual([
      { key: 'overrides[0].policy.summary.url', kind: 'address', value: 'http://o' },
      { key: 'policy.logs.path', kind: 'folder', value: '/srv' },
    ])
  })

  it('covers no file that the trusted one includes, and that is said', async () => {
    const other = temporaryFolder()
    const file = join(other, 'plimsoll.yaml')
    const part = join(other, 'part.yaml')
    writeFileSync(file, '$include: part.yaml\nKEEP_RECENT: 1\n')
    writeFileSync(part, 'COLD_STORAGE_PATH: /srv/before\n')
    const inOther = (...argv: string[]) => runCli(argv, { cwd: other, env: env() })
    await inOther('trust')
    writeFileSync(part, 'COLD_STORAGE_PATH: /srv/after\n')
    const { code, stdout } = await inOther('policy', 'check', '--json')
    expect(code).toBe(1)
    const [problem] = JSON.parse(stdout).problems.filter(
      ({ severity }: { severity: string }) => severity === 'error',
    )
    expect(problem).toMatchObject({ file, line: 1, key: '$include' })
    for (const words of [`${part} is not read`, 'trust', '--config']) expect(problem.message).toContain(words)
    const shown = await inOther('policy', 'show')
    expect(shown).toMatchObject({ code: 4, stderr: expect.stringContaining(`${part} is not read`) })
  })

  it('takes trust back', async () => {
    await run('trust')
    expect(await json('trust', '--list')).toMatchObject({ files: [{ state: 'as it was trusted' }] })
    expect(await json('trust', '--revoke')).toMatchObject({ changed: true })
    expect(await json('trust', '--revoke', hostile.file)).toMatchObject({ changed: false })
    expect((await run('stores')).stderr).toContain('is not obeyed')
    expect((await json('trust', '--list')).files).toEqual([])
  })

  it('keeps the trust of a file that our own hand changes', async () => {
    await run('trust')
    expect((await run('policy', 'apply', 'lines.compact.at=0.6')).code).toBe(0)
    expect(readFileSync(hostile.file, 'utf8')).toContain('0.6')
    expect((await run('stores')).stderr).not.toContain('not obeyed')
  })

  it('is not given by a list that others could have written', async () => {
    await run('trust')
    chmodSync(join(home, 'state/trusted.json'), 0o666)
    expect((await run('stores')).stderr).toContain('is not obeyed')
  })

  it('says so where there is nothing to trust, and writes nothing for a file that cannot be read', async () => {
    const empty = await runCli(['trust'], { cwd: home, env: env() })
    expect(empty).toMatchObject({ code: 2, stderr: expect.stringContaining('plimsoll trust FILE') })
    writeFileSync(hostile.file, 'a: [')
    const before = treeOf(home)
    expect((await run('trust')).code).toBe(4)
    expect(treeOf(home)).toEqual(before)
  })
})

describe('a settings file that others could have written', () => {
  const known = () => join(home, '.config/plimsoll/plimsoll.yaml')
  beforeEach(() => {
    mkdirSync(join(home, '.config/plimsoll'), { recursive: true })
    writeFileSync(known(), 'stores: []\n')
  })

  it.each([0o664, 0o646])('is refused with mode %o, wherever it is, with what to do', async (mode) => {
    chmodSync(known(), mode)
    const { code, stderr } = await runCli(['stores'], { cwd: home, env: env() })
    expect({ code, stderr }).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`chmod go-w ${known()}`),
    })
    chmodSync(hostile.file, mode)
    expect((await run('stores', '--config', hostile.file)).code).toBe(3)
    expect((await run('trust')).code).toBe(3)
  })

  it.runIf(process.getuid?.() === 0)(
    'is refused when another account owns it; our own and root’s are fine',
    async () => {
      expect((await runCli(['stores'], { cwd: home, env: env() })).code).toBe(0)
      chownSync(known(), 65_534, 65_534)
      const { code, stderr } = await runCli(['stores'], { cwd: home, env: env() })
      expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining('another account') })
    },
  )
})
