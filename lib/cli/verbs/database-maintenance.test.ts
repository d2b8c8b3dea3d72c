import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { AgentDatabaseBuilder } from '../../testing/builders/agent-database'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import {
  CLEANUP_ANSWER,
  type CleanupBehaviour,
  cleanupCommand,
  removeSession,
} from '../../testing/cleanup-command'
import { runCli } from '../../testing/run-cli'
import { temporaryFolder, treeOf } from '../../testing/store-folder'

const OLD = 'agent:main:cron:old'

let folder = ''
let file = ''

/** What a test does as soon as something is written to standard error. */
let onError: (text: string) => void = () => {}

beforeEach(() => {
  onError = () => {}
  folder = temporaryFolder()
  file = join(folder, 'store/agents/main/agent/openclaw-agent.sqlite')
  const database = new AgentDatabaseBuilder(file)
  for (const [key, id] of [
    ['agent:main:main', 's1'],
    ['agent:main:dashboard:d', 's2'],
    [OLD, 's3'],
  ] as const) {
    const transcript = new TranscriptBuilder({ version: 4 })
    transcript.user(`Please do ${id}.`)
    transcript.assistant('Done.')
    const rows = transcript.lines
    database.session({ id, key, rows, entry: { sessionId: id, updatedAt: 1 } })
  }
  database.close()
  // No process listens on port 1.
  writeFileSync(join(folder, 'store/openclaw.json'), JSON.stringify({ gateway: { port: 1 } }))
})

async function maintain(command: readonly string[] | null, ...argv: string[]) {
  const settings = join(folder, 'plimsoll.json')
  const stores = [{ path: join(folder, 'store'), allow: { openclaw: true } }]
  const own = command === null ? {} : { gateway: { command, timeoutSeconds: 1 }, stores }
  writeFileSync(settings, JSON.stringify(own))
  const env = {
    HOME: folder,
    PLIMSOLL_HOME: join(folder, 'state'),
    PLIMSOLL_CONFIG: settings,
    OPENCLAW_GATEWAY_URL: 'ws://elsewhere',
  }
  const run = (verb: string, ...rest: string[]) =>
    runCli([verb, ...rest], { env, stop: new AbortController().signal, onError: (text) => onError(text) })
  const done = await run('maintain', '--store', join(folder, 'store'), '--json', ...argv)
  const value = done.stdout === '' ? null : JSON.parse(done.stdout)
  const audit = JSON.parse((await run('audit', '--json')).stdout)
  return {
    code: done.code,
    stderr: done.stderr,
    value,
    one: value?.databases?.[0],
    writes: audit.writes,
    run,
  }
}

const by = (behaviour: CleanupBehaviour = {}) => cleanupCommand(folder, file, behaviour)
const removing: CleanupBehaviour = { sql: removeSession(OLD, 's3') }
const calls = (): { argv: string[]; state: string; url?: string }[] =>
  readFileSync(join(folder, 'calls.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

/** Beside the command: it is there as soon as a command hangs. */
const HANGING = 'hanging'
const HANGS = `require('node:fs').writeFileSync(require('node:path').join(__dirname, '${HANGING}'), ''); setInterval(() => undefined, 1000); return`

/** A second that the settings grant, and five of grace. Milliseconds. */
const GIVEN_UP_AFTER = 6_000

/** What waits so long goes on as soon as the command hangs: nothing more comes of it. */
function hastenGivingUp(): void {
  const real = setTimeout
  const hastened = (work: () => void, ms?: number) => {
    if (ms !== GIVEN_UP_AFTER) return real(work, ms)
    const timer = setInterval(() => {
      if (!existsSync(join(folder, HANGING))) return
      clearInterval(timer)
      work()
    }, 20)
    return timer
  }
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(hastened as typeof setTimeout)
}

describe('maintenance of a database of OpenClaw', () => {
  it('N1 shows the dry run of OpenClaw’s own command, and nothing else runs', async () => {
    const before = treeOf(join(folder, 'store'))
    const { code, one, value, writes } = await maintain(by(removing))
    expect(code).toBe(0)
    expect(one).toMatchObject({ agent: 'main', database: file, by: 'openclaw', receipt: null, refused: null })
    expect(one.plan).toMatchObject({ before: 3, after: 2, removed: { pruned: 1 }, changes: true })
    expect(value.skipped).toEqual([])
    expect(writes).toEqual([])
    expect(calls()).toEqual([
      {
        argv: 'sessions cleanup --dry-run --store FILE --enforce --json --agent main'
          .split(' ')
          .map((word) => (word === 'FILE' ? file : word)),
        state: join(folder, 'store'),
      },
    ])
    expect(treeOf(join(folder, 'store'))).toEqual(before)
  })

  it('N2 has OpenClaw do it, finds it in the database, and keeps a receipt that cannot be undone', async () => {
    const { code, one, writes, run, stderr } = await maintain(by(removing), '--enforce')
    expect(code, stderr).toBe(0)
    expect(one).toMatchObject({ verified: true, refused: null, unverified: null })
    expect(one.effect).toContain(
      '1 session left the index, 0 sessions put aside; the rows of every other transcript are as they were',
    )
    expect(calls().map(({ argv }) => argv.includes('--dry-run'))).toEqual([true, false])
    expect(calls()[1]?.argv).toContain(file)
    expect(writes).toHaveLength(1)
    expect(writes[0]).toMatchObject({
      id: one.receipt,
      kind: 'maintain',
      by: 'openclaw',
      state: 'done',
      verified: true,
      files: [],
      summary: { through: 'database', removed: 1, putAside: 0, entriesBefore: 3, entriesAfter: 2 },
    })
    const undone = await run('undo', one.receipt)
    expect(undone.code).toBe(3)
    expect(undone.stderr).toContain('carried out by OpenClaw in its own database')
  })

  it('says all of it in words, too', async () => {
    const { run } = await maintain(by(removing))
    const store = ['maintain', '--store', join(folder, 'store')] as const
    const planned = await run(...store)
    expect(planned.stdout).toContain('3 sessions in the index. By OpenClaw')
    expect(planned.stdout).toContain(
      '1 session  out of the index  (automation that was not used for too long)',
    )
    expect(planned.stdout).toContain('Nothing was changed. --enforce has OpenClaw do this')
    const done = await run(...store, '--enforce')
    expect(done.stdout).toContain('Done by OpenClaw, and verified in the database: 1 session left the index')
    expect(done.stdout).toMatch(/Receipt \d{8}T\d+-\w+\. It cannot be undone from here\./)
    const audit = await run('audit')
    expect(audit.stdout).toContain("OpenClaw's database")
  })

  it('N1 nothing to do is said, and nothing is run', async () => {
    const nothing = { pruned: 0, afterCount: 3, wouldMutate: false }
    const { code, one, writes } = await maintain(by({ dryRun: nothing }), '--enforce')
    expect(code).toBe(0)
    expect(one).toMatchObject({ plan: { changes: false }, receipt: null })
    expect(calls()).toHaveLength(1)
    expect(writes).toEqual([])
  })

  it('N5 sessions that are put aside are seen to be', async () => {
    const dryRun = { pruned: 0, afterCount: 3, archived: 1 }
    const sql = [
      `UPDATE session_nodes SET entry_json = json_set(entry_json, '$.archivedAt', 5) WHERE current_session_id = 's2'`,
    ]
    const done = await maintain(
      by({ dryRun, sql }),
      '--enforce',
      '--active',
      'agent:main:main',
      '--fix-missing',
    )
    expect(done.code, done.stderr).toBe(0)
    expect(done.one.effect).toContain('0 sessions left the index, 1 session put aside')
    const words = calls()[1]?.argv.join(' ')
    expect(words).toContain('--active-key agent:main:main --fix-missing')
  })

  it.each([
    ['removes nothing', { sql: [] }, '1 sessions were to leave the index, and 0 did.'],
    [
      'removes another one too',
      { sql: [...removeSession(OLD, 's3'), ...removeSession('agent:main:dashboard:d', 's2')] },
      'and 2 did (agent:main:dashboard:d, agent:main:cron:old)',
    ],
    [
      'changes a row of another session',
      {
        sql: [
          ...removeSession(OLD, 's3'),
          `UPDATE transcript_events SET event_json = replace(event_json, 'Done', 'Gone') WHERE session_id = 's1'`,
        ],
      },
      'It was not announced that s1 is another transcript than before.',
    ],
    [
      'drops the transcript of a session that stays',
      { sql: [...removeSession(OLD, 's3'), `DELETE FROM transcript_events WHERE session_id = 's2'`] },
      'It was not announced that s2 has lost its transcript.',
    ],
    [
      'fails after it changed something',
      { ...removing, beforeAnswer: 'console.error("the disk is full"); process.exit(1)' },
      'ended with 1: the disk is full',
    ],
    ['hangs after it changed something', { ...removing, beforeAnswer: HANGS }, 'did not end within 6 s'],
    [
      'says something else than it did',
      { ...removing, enforced: { pruned: 2 } },
      'It says that 2 sessions left',
    ],
    [
      'changed another database',
      { ...removing, enforced: { storePath: '/x' } },
      'It says that it changed /x.',
    ],
    ['answers with no JSON', { ...removing, enforcedText: 'Done!' }, 'something else than JSON: Done!'],
  ] satisfies [string, CleanupBehaviour, string][])(
    'a command that %s is not believed, and the receipt says so',
    async (_, behaviour, message) => {
      if (message.includes('6 s')) hastenGivingUp()
      const { code, one, writes, stderr } = await maintain(by(behaviour), '--enforce')
      expect(code).toBe(5)
      expect(stderr).toContain(message)
      expect(one).toMatchObject({ verified: false, unverified: expect.stringContaining(message) })
      expect(writes).toEqual([
        expect.objectContaining({ verified: false, problem: expect.stringContaining(message) }),
      ])
    },
  )

  it.each([
    ['answers with no JSON', { dryRunText: 'Config invalid' }, 'something else than JSON: Config invalid'],
    ['answers in another form', { dryRunText: '{"plan": []}' }, 'a form that this version does not know'],
    ['fails', { beforePlan: 'console.error("no config"); process.exit(7)' }, 'ended with 7: no config'],
    ['hangs', { beforePlan: HANGS }, 'did not end within 6 s'],
    [
      'looks elsewhere',
      { dryRun: { storePath: '/elsewhere.sqlite' } },
      'looks at /elsewhere.sqlite, and not at',
    ],
    ['says that it was no dry run', { dryRun: { dryRun: false } }, 'says that it was none'],
    ['cannot add', { dryRun: { afterCount: 3 } }, 'contradicts itself'],
  ] satisfies [string, CleanupBehaviour, string][])(
    'a dry run that %s is a refusal that says so, and nothing else is run',
    async (_, behaviour, message) => {
      if (message.includes('6 s')) hastenGivingUp()
      for (const options of [[], ['--enforce']]) {
        rmSync(join(folder, HANGING), { force: true })
        const { code, one, writes, stderr } = await maintain(by(behaviour), ...options)
        expect(code).toBe(3)
        expect(stderr).toContain(message)
        expect(one.refused.message).toContain(message)
        expect(writes).toEqual([])
        expect(calls().every(({ argv }) => argv.includes('--dry-run'))).toBe(true)
      }
    },
  )

  it('a change that fails and leaves the database as it was is a refusal with a receipt that says so', async () => {
    const failing = by({ beforeAnswer: 'console.error("locked"); process.exit(3)' })
    const { code, writes, stderr } = await maintain(failing, '--enforce')
    expect(code).toBe(3)
    expect(stderr).toContain('ended with 3: locked The database is as it was.')
    expect(writes).toEqual([expect.objectContaining({ state: 'failed', verified: false })])
  })

  it('archives that leave the database are reported, since OpenClaw does not count them', async () => {
    const insert = `INSERT INTO session_transcript_archives VALUES ('s9', 'g', '${OLD}', 'deleted', 'identity', x'00', 's9.jsonl.deleted', 1)`
    const database = new Database(file)
    database.exec(insert)
    database.close()
    const sql = [...removeSession(OLD, 's3'), 'DELETE FROM session_transcript_archives']
    const { code, one, stderr } = await maintain(by({ sql }), '--enforce')
    expect(code, stderr).toBe(0)
    expect(one.effect).toContain('1 archive is in the database no more.')
  })

  it('rows that somebody adds meanwhile are no change', async () => {
    const grows = `INSERT INTO transcript_events SELECT 's1', 90, event_json, 1, NULL, event_utf8_bytes, NULL
      FROM transcript_events WHERE session_id = 's1' AND seq = 1`
    const { code, stderr } = await maintain(by({ sql: [...removeSession(OLD, 's3'), grows] }), '--enforce')
    expect(code, stderr).toBe(0)
  })

  it('a command that is not there, more than one session to keep, and no command at all: each says what to do', async () => {
    const gone = await maintain([join(folder, 'no-such-program')])
    expect(gone.code).toBe(3)
    expect(gone.stderr).toContain('"gateway.command"')
    const absent = await maintain(by(), '--active', 'agent:main:mian')
    expect(absent.one.refused).toMatchObject({
      code: 'missing',
      message: expect.stringContaining('"agent:main:mian"'),
    })
    expect(existsSync(join(folder, 'calls.jsonl'))).toBe(false)
    const two = await maintain(by(), '--active', 'a', '--active', 'b')
    expect(two.code).toBe(3)
    expect(two.stderr).toContain('takes one session that must stay')
    const none = await maintain(null)
    expect(none.code).toBe(0)
    expect(none.value.skipped[0].why).toContain('gateway: { command: openclaw }')
  })

  describe.runIf(process.platform === 'linux')('beside a live OpenClaw', () => {
    /** A process that looks like OpenClaw's and uses this store. */
    async function alive(title: string): Promise<ChildProcess> {
      const code = `process.title = '${title}'; setInterval(() => {}, 60000); console.log('ready')`
      const child = spawn(process.execPath, ['-e', `${code} // ${'-'.repeat(60)}`], {
        env: { NODE_ENV: 'test', OPENCLAW_STATE_DIR: join(folder, 'store') },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      onTestFinished(() => void child.kill('SIGKILL'))
      await new Promise((done) => child.stdout.once('data', done))
      return child
    }

    it('the gateway is the one named by the store’s own configuration', async () => {
      await alive('openclaw-gateway')
      const { code, writes, stderr } = await maintain(by(removing), '--enforce')
      expect(code, stderr).toBe(0)
      expect(calls()[1]).toEqual({
        argv: 'sessions cleanup --enforce --json --agent main'.split(' '),
        state: join(folder, 'store'),
      })
      expect(writes[0].summary).toMatchObject({ through: 'gateway' })
    })

    it('a gateway may know the database by a link to its folder', async () => {
      const link = join(folder, 'link')
      symlinkSync(join(folder, 'store'), link)
      await alive('openclaw-gateway')
      const storePath = join(link, 'agents/main/agent/openclaw-agent.sqlite')
      const stores = [{ ...CLEANUP_ANSWER, storePath, dryRun: false }]
      const enforcedText = JSON.stringify({ allAgents: true, dryRun: false, stores })
      const { code, stderr } = await maintain(by({ ...removing, enforcedText }), '--enforce')
      expect(code, stderr).toBe(0)
    })

    it('commands that OpenClaw would send to another machine are not given', async () => {
      const gateway = { port: 1, mode: 'remote' }
      writeFileSync(join(folder, 'store/openclaw.json'), JSON.stringify({ gateway }))
      await alive('openclaw-gateway')
      const { code, stderr } = await maintain(by(removing), '--enforce')
      expect(code).toBe(3)
      expect(stderr).toContain('another machine')
      expect(calls()).toHaveLength(1)
    })

    it('a turn that somebody runs without a gateway is waited for', async () => {
      const turn = await alive('openclaw-agent')
      // It ends while it is waited for, however long the look before took.
      onError = (text) => {
        if (text.includes('Waiting up to')) setTimeout(() => turn.kill('SIGKILL'), 300)
      }
      const { code, stderr } = await maintain(by(removing), '--enforce')
      expect(code, stderr).toBe(0)
      expect(stderr).toContain(`Waiting up to 10 s for process ${turn.pid}`)
      expect(calls()[1]?.argv).toContain(file)
    })
  })
})
