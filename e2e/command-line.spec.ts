import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from '@playwright/test'
import { AgentDatabaseBuilder } from '../lib/testing/builders/agent-database'
import { TranscriptBuilder } from '../lib/testing/builders/transcript'
import { test } from './demo'
import { startPlimsoll } from './start-plimsoll'
import { DEMO_SESSIONS } from './world'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

async function isAnswering(address: string): Promise<boolean> {
  return fetch(address).then(
    () => true,
    () => false,
  )
}

test.describe('the built command', () => {
  test('answers to both of its names through npx', () => {
    for (const name of ['plimsoll', 'context-manager']) {
      const options = { cwd: ROOT, encoding: 'utf8' as const, shell: process.platform === 'win32' }
      expect(execFileSync('npx', ['--no-install', name, '--version'], options).trim()).toBe(version)
    }
  })

  test('reads stores with no database and no server, and says what it looked for where there is none', async ({
    folder: home,
  }) => {
    const none = await startPlimsoll(['stores'], home).ended
    expect(none).toMatchObject({ code: 0, stdout: expect.stringContaining('.openclaw') })
    await startPlimsoll(['demo'], home).ended
    const listed = await startPlimsoll(['sessions', '--json'], home).ended
    expect(JSON.parse(listed.stdout).sessions).toHaveLength(DEMO_SESSIONS)
    const status = await startPlimsoll(['status', 'agent:harbour:main', '--json'], home).ended
    expect(JSON.parse(status.stdout)).toMatchObject({ window: { tokens: 200_000 } })
  })

  test('has all parts of each of its verbs', async ({ folder: home }) => {
    await startPlimsoll(['demo'], home).ended
    const session = 'agent:harbour:main'
    const verbs = [
      ...['stores', 'sessions', 'audit', 'logs', 'tasks', 'drops', 'maintain', 'reset', 'doctor'].map((v) => [
        v,
      ]),
      ...['status', 'context', 'score', 'compact', 'prune', 'compactions', 'health'].map((v) => [v, session]),
      ...[
        ['policy', 'show'],
        ['memory', 'list'],
        ['cold-storage', 'list'],
        ['repair', session],
        ['undo', 'none'],
      ],
      ['recover', '--chunk-id', 'none'],
    ]
    for (const verb of verbs) {
      const { code, stderr } = await startPlimsoll([...verb, '--json'], home).ended
      expect(code, `${verb.join(' ')}: ${stderr}`).toBeLessThan(4)
    }
  })

  test('reads a database of OpenClaw', async ({ folder: home }) => {
    const file = join(home, 'store/agents/main/agent/openclaw-agent.sqlite')
    const transcript = new TranscriptBuilder({ version: 4 })
    transcript.user('Hello.')
    const rows = transcript.lines
    new AgentDatabaseBuilder(file).session({ id: 's1', key: 'agent:main:main', rows, entry: {} }).close()
    const args = ['sessions', '--store', join(home, 'store'), '--json']
    const { code, stdout, stderr } = await startPlimsoll(args, home).ended
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout).sessions).toHaveLength(1)
  })

  test('imports with its own threads, and has nothing to do the second time', async ({ folder: home }) => {
    await startPlimsoll(['demo'], home).ended
    const first = await startPlimsoll(['ingest', '--json'], home).ended
    expect(JSON.parse(first.stdout)).toMatchObject({ sessionsChanged: DEMO_SESSIONS, problems: [] })
    const second = await startPlimsoll(['ingest', '--json'], home).ended
    expect(JSON.parse(second.stdout)).toMatchObject({ sessionsChanged: 0, bytesRead: 0 })
  })
})

test.describe('the dashboard as a process', () => {
  test('says so when its port is taken', async ({ demo, folder }) => {
    const { code, stderr } = await startPlimsoll(['serve', '--port', String(demo.port)], folder).ended
    expect(code).toBe(3)
    expect(stderr).toContain('--port')
  })

  test('prints its address when it answers; a second one on the same database says so and shows what the first one reads; each ends as a whole', async ({
    folder,
    serve,
  }) => {
    const first = await serve(folder, {}, { port: 0 })
    expect(await isAnswering(first.url)).toBe(true)
    const second = await serve(folder)
    const alone = await startPlimsoll(['ingest'], folder).ended
    expect(alone.code).toBe(3)
    expect(alone.stderr).toContain('reads the stores into this database')
    expect(await isAnswering(second.url)).toBe(true)
    // Killed, it leaves nothing behind.
    expect((await second.stop('SIGKILL')).stderr).toContain('reads the stores into this database')
    await expect.poll(() => isAnswering(second.url)).toBe(false)
    // The same as Ctrl-C.
    expect((await first.stop('SIGINT')).code).toBe(0)
    expect(await isAnswering(first.url)).toBe(false)
  })
})
