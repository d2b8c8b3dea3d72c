import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { AgentDatabaseBuilder } from '../../../testing/builders/agent-database'
import { TranscriptBuilder } from '../../../testing/builders/transcript'
import { runCli } from '../../../testing/run-cli'
import { temporaryFolder, treeOf } from '../../../testing/store-folder'

const LIBSQL = createRequire(import.meta.url).resolve('libsql')
const HEADLESS = 'agent:main:main'
const HURT = 'agent:main:hurt'

let folder = ''
let file = ''

function rowsOf(id: string): string[] {
  const transcript = new TranscriptBuilder({ version: 4 })
  transcript.user(`Please do ${id}.`)
  transcript.assistant('Done.')
  return [...transcript.lines]
}

beforeEach(() => {
  folder = temporaryFolder()
  file = join(folder, 'store/agents/main/agent/openclaw-agent.sqlite')
  const database = new AgentDatabaseBuilder(file)
  const result = { role: 'toolResult', toolCallId: 'c', toolName: 'read', content: [], isError: false }
  const orphan = JSON.stringify({ type: 'message', id: 'lost', parentId: 'e2', message: result })
  const sessions = [
    { id: 's1', key: HEADLESS, rows: rowsOf('s1').slice(1) },
    { id: 's2', key: HURT, rows: [...rowsOf('s2'), orphan] },
    { id: 's3', key: 'agent:main:sound', rows: rowsOf('s3') },
  ]
  for (const session of sessions) database.session({ ...session, entry: { sessionId: session.id } })
  database.close()
  // No process listens on port 1.
  writeFileSync(join(folder, 'store/openclaw.json'), JSON.stringify({ gateway: { port: 1 } }))
})

const HEADER = { type: 'session', version: 3, id: 's1', timestamp: '2026-11-01T09:00:00.000Z', cwd: '/x' }
const HEADER_SQL = [
  `UPDATE transcript_events SET seq = seq + 1000 WHERE session_id = 's1'`,
  `UPDATE transcript_events SET seq = seq - 999 WHERE session_id = 's1'`,
  `INSERT INTO transcript_events VALUES ('s1', 0, '${JSON.stringify(HEADER)}', 1, NULL, NULL, NULL)`,
]

/** A command in the place of OpenClaw's doctor. */
function doctor(sql: readonly string[], after = ''): string[] {
  const command = join(folder, 'openclaw.cjs')
  writeFileSync(
    command,
    `require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'called.json'))}, JSON.stringify(process.argv.slice(2)))
    const Database = require(${JSON.stringify(LIBSQL)})
    const database = new Database(${JSON.stringify(file)})
    for (const statement of ${JSON.stringify(sql)}) database.exec(statement)
    database.close()
    ${after}`,
  )
  return [process.execPath, command]
}

async function repair(command: readonly string[] | null, session: string, ...argv: string[]) {
  const settings = join(folder, 'plimsoll.json')
  const stores = [{ path: join(folder, 'store'), allow: { openclaw: true } }]
  const own = command === null ? {} : { gateway: { command, timeoutSeconds: 1 }, stores }
  writeFileSync(settings, JSON.stringify(own))
  const env = { HOME: folder, PLIMSOLL_HOME: join(folder, 'state'), PLIMSOLL_CONFIG: settings }
  const run = (...words: string[]) => runCli(words, { env, stop: new AbortController().signal })
  const done = await run('repair', session, '--store', join(folder, 'store'), '--json', ...argv)
  const { writes } = JSON.parse((await run('audit', '--json')).stdout)
  return { ...done, said: done.stdout + done.stderr, writes }
}

describe('repair of a transcript in a database of OpenClaw', () => {
  it('M12 a missing header is written by OpenClaw’s doctor when that is asked for, and looked for afterwards', async () => {
    const { code, stdout, said, writes } = await repair(doctor(HEADER_SQL), HEADLESS, '--apply', '--doctor')
    expect(code, said).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ by: 'openclaw', verified: true, otherHeaders: 0 })
    expect(JSON.parse(readFileSync(join(folder, 'called.json'), 'utf8'))).toEqual([
      'doctor',
      '--fix',
      '--non-interactive',
    ])
    expect(writes).toMatchObject([{ kind: 'repair', by: 'openclaw', verified: true, session: HEADLESS }])
    const again = await repair(doctor(HEADER_SQL), HEADLESS, '--apply', '--doctor')
    expect(again.said).toContain('there is nothing to repair')
  })

  it('without being asked for, nothing is run, and it is said what would be', async () => {
    const before = treeOf(join(folder, 'store'))
    for (const [command, words] of [
      [doctor(HEADER_SQL), 'add --doctor'],
      [null, 'gateway: { command: openclaw }'],
    ] as const) {
      const { code, said, writes } = await repair(command, HEADLESS, '--apply')
      expect(code).toBe(3)
      expect(said).toContain(words)
      expect(writes).toEqual([])
    }
    expect(treeOf(join(folder, 'store'))).toEqual(before)
  })

  it('what OpenClaw has no command for is said plainly', async () => {
    const { code, said } = await repair(doctor(HEADER_SQL), HURT, '--apply', '--doctor')
    expect(code).toBe(3)
    expect(said).toContain('has no command that repairs entries there: findings are shown')
    const sound = await repair(null, 'agent:main:sound', '--apply')
    expect(sound.code).toBe(0)
    const shown = await repair(null, HURT, '--check')
    expect(shown.code).toBe(1)
    expect(JSON.parse(shown.stdout).findings).toMatchObject([{ class: 'orphan-result' }])
  })

  it.each([
    [
      'changes another transcript, too',
      [...HEADER_SQL, `UPDATE transcript_events SET event_json = '{}' WHERE session_id = 's3' AND seq = 1`],
      '',
      's3 is another transcript than before',
    ],
    [
      'takes a key out',
      [...HEADER_SQL, `DELETE FROM session_nodes WHERE current_session_id = 's3'`],
      '',
      'has left the index',
    ],
    [
      'writes something else than a header',
      [
        ...HEADER_SQL,
        `UPDATE transcript_events SET event_json = '{"type":"custom","id":"z"}' WHERE session_id = 's1' AND seq = 0`,
      ],
      '',
      'has no header still',
    ],
    [
      'fails after the header',
      HEADER_SQL,
      'console.error("plugins"); process.exit(1)',
      'ended with 1: plugins',
    ],
  ])('a doctor that %s is not believed', async (_, sql, after, message) => {
    const { code, said, writes } = await repair(doctor(sql, after), HEADLESS, '--apply', '--doctor')
    expect(code).toBe(5)
    expect(said).toContain(message)
    expect(writes).toMatchObject([{ state: 'done', verified: false }])
  })

  it.each([
    ['writes none', doctor.bind(null, []), 'wrote no header'],
    [
      'fails',
      doctor.bind(null, [], 'console.error("no config"); process.exit(2)'),
      'ended with 2: no config',
    ],
    ['is not there', () => ['/no/such/program'], '"gateway.command"'],
  ])('a doctor that %s is a refusal that says so', async (_, command, message) => {
    const { code, said, writes } = await repair(command(), HEADLESS, '--apply', '--doctor')
    expect(code).toBe(3)
    expect(said).toContain(message)
    expect(writes).toMatchObject([{ state: 'failed', verified: false }])
  })
})
