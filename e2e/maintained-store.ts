import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AgentDatabaseBuilder } from '../lib/testing/builders/agent-database'
import { ask } from './ask'
import { SIGNED_IN } from './start-plimsoll'
import { dashboard, type World } from './world'

const DAY = 86_400_000
const NOW = Date.now()

/** A dashboard over an OpenClaw store of files that has outgrown its limits, and an SQLite-era one. */
export type MaintainedStore = {
  readonly url: string
  /** The sessions folder. */
  readonly folder: string
  /** Address of the page of maintenance, of the store of files. */
  page(): Promise<string>
  /** Every file of the folder with its content. */
  contents(): Record<string, string>
  write(name: string, text: string): void
  remove(name: string): void
  /** Ends the dashboard like a loss of power, and starts it again. */
  crash(): Promise<void>
}

const sessionsOf = (home: string) => join(home, 'openclaw', 'agents', 'harbour', 'sessions')

/** Every test begins with the same store; in the shared world the jobs of others are on the pages. */
export const test = dashboard({
  name: 'maintained',
  write: (home) => {
    writeSettings(join(home, 'openclaw'))
    writeStore(sessionsOf(home))
    return { PLIMSOLL_STORES: join(home, 'openclaw') }
  },
  view: ({ url, folder: home, crash }): MaintainedStore => {
    const folder = sessionsOf(home)
    writeStore(folder)
    return {
      url,
      folder,
      page: async () => `${url}/stores/${await storeOf(url)}/maintenance`,
      contents: () =>
        Object.fromEntries(
          readdirSync(folder)
            .sort()
            .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
        ),
      write: (name, text) => writeFileSync(join(folder, name), text),
      remove: (name) => rmSync(join(folder, name), { force: true }),
      crash,
    }
  },
  after: cancelJobs,
})

/** Cancels what a test left under way, and waits until it has ended. */
async function cancelJobs({ url }: World): Promise<void> {
  const openJobs = (answer: unknown) => (answer as { open: { id: string }[] }).open
  for (const { id } of await ask(`${url}/api/jobs`, openJobs))
    await fetch(`${url}/api/jobs/${id}`, { method: 'DELETE', ...SIGNED_IN })
  await ask(`${url}/api/jobs`, (answer) => (openJobs(answer).length === 0 ? true : undefined))
}

/** What no test changes: the settings of the store, and the agent whose sessions are in a database. */
function writeSettings(root: string): void {
  mkdirSync(root)
  // The early generation: it warns, and it rotates its index.
  writeFileSync(
    join(root, 'openclaw.json'),
    JSON.stringify({
      meta: { lastTouchedVersion: '2026.2.9' },
      session: { maintenance: { maxEntries: 400 } },
    }),
  )
  const rows = transcript('s1', NOW).trimEnd().split('\n')
  new AgentDatabaseBuilder(join(root, 'agents', 'pilot', 'agent', 'openclaw-agent.sqlite'))
    .session({ id: 's1', key: 'agent:pilot:main', rows, entry: { sessionId: 's1' } })
    .connection.close()
}

/** Makes the folder as every test finds it; what is so already is left alone, as if nothing had happened to it. */
function writeStore(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const index: Record<string, object> = {}
  const add = (key: string, days: number) => {
    const id = key.split(':').slice(2).join('-')
    const at = NOW - days * DAY
    index[key] = { sessionId: id, updatedAt: at, sessionFile: join(folder, `${id}.jsonl`) }
    put(`${id}.jsonl`, transcript(id, at), at)
  }
  const written = new Set<string>(['sessions.json'])
  const put = (name: string, text: string, at: number) => {
    written.add(name)
    if (!isAs(join(folder, name), text)) writeFileSync(join(folder, name), text)
    // An undo brings contents back, and not their times.
    utimesSync(join(folder, name), new Date(at), new Date(at))
  }
  add('agent:harbour:old', 31)
  add('agent:harbour:new', 29)
  add('agent:harbour:now', 0)
  add('agent:harbour:telegram:group:-100', 90)
  put('orphan.jsonl', transcript('orphan', NOW), NOW - 60 * DAY)
  put('gone.jsonl.deleted.2025-01-01T00-00-00.000Z', transcript('gone', 0), NOW - 60 * DAY)
  const text = JSON.stringify(index, null, 2)
  if (!isAs(join(folder, 'sessions.json'), text)) writeFileSync(join(folder, 'sessions.json'), text)
  for (const name of readdirSync(folder)) if (!written.has(name)) rmSync(join(folder, name))
}

function isAs(file: string, text: string): boolean {
  return existsSync(file) && readFileSync(file, 'utf8') === text
}

function transcript(id: string, at: number): string {
  const timestamp = new Date(at).toISOString()
  const lines = [
    { type: 'session', version: 3, id, timestamp, cwd: '/w' },
    { type: 'message', id: 'm1', parentId: null, timestamp, message: { role: 'user', content: 'hello' } },
  ]
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

function storeOf(url: string): Promise<string> {
  return ask(`${url}/api/stores`, (answer) => {
    const { stores } = answer as { stores: { id: string; era: string; sessions: number }[] }
    return stores.find(({ era, sessions }) => era === 'jsonl' && sessions > 0)?.id
  })
}
