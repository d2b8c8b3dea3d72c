import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base } from '@playwright/test'
import { AgentDatabaseBuilder } from '../lib/testing/builders/agent-database'
import { type Running, startPlimsoll } from './start-plimsoll'

const DAY = 86_400_000

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

export const test = base.extend<{ store: MaintainedStore }>({
  store: async ({ browserName: _browser }, use) => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-maintain-')))
    const root = join(home, 'openclaw')
    const folder = join(root, 'agents', 'harbour', 'sessions')
    writeStore(root, folder)
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const start = async () => {
      const running = startPlimsoll(['serve', '--port', String(port)], home, { PLIMSOLL_STORES: root })
      await running.printed('Plimsoll is at')
      return running
    }
    let running = await start()
    await use({
      url,
      folder,
      page: async () => `${url}/stores/${(await storeOf(url)).id}/maintenance`,
      contents: () =>
        Object.fromEntries(
          readdirSync(folder)
            .sort()
            .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
        ),
      write: (name, text) => writeFileSync(join(folder, name), text),
      remove: (name) => rmSync(join(folder, name), { force: true }),
      crash: async () => {
        await kill(running)
        running = await start()
      },
    })
    running.kill('SIGTERM')
    await running.ended
    rmSync(home, { recursive: true, force: true })
  },
})

/** The command line, its web server and its reader of stores, all at once. */
async function kill(running: Running): Promise<void> {
  for (const pid of [running.pid, ...childrenOf(running.pid)]) process.kill(pid, 'SIGKILL')
  await running.ended
}

function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`
  const own = existsSync(file) ? readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number) : []
  return own.flatMap((child) => [child, ...childrenOf(child)])
}

function writeStore(root: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  // The early generation: it warns, and it rotates its index.
  writeFileSync(
    join(root, 'openclaw.json'),
    JSON.stringify({
      meta: { lastTouchedVersion: '2026.2.9' },
      session: { maintenance: { maxEntries: 400 } },
    }),
  )
  const index: Record<string, object> = {}
  const add = (key: string, days: number) => {
    const id = key.split(':').slice(2).join('-')
    const at = Date.now() - days * DAY
    index[key] = { sessionId: id, updatedAt: at, sessionFile: join(folder, `${id}.jsonl`) }
    put(`${id}.jsonl`, transcript(id, at), at)
  }
  const put = (name: string, text: string, at: number) => {
    writeFileSync(join(folder, name), text)
    utimesSync(join(folder, name), new Date(at), new Date(at))
  }
  add('agent:harbour:old', 31)
  add('agent:harbour:new', 29)
  add('agent:harbour:now', 0)
  add('agent:harbour:telegram:group:-100', 90)
  put('orphan.jsonl', transcript('orphan', Date.now()), Date.now() - 60 * DAY)
  put('gone.jsonl.deleted.2025-01-01T00-00-00.000Z', transcript('gone', 0), Date.now() - 60 * DAY)
  writeFileSync(join(folder, 'sessions.json'), JSON.stringify(index, null, 2))
  const rows = transcript('s1', Date.now()).trimEnd().split('\n')
  new AgentDatabaseBuilder(join(root, 'agents', 'pilot', 'agent', 'openclaw-agent.sqlite'))
    .session({ id: 's1', key: 'agent:pilot:main', rows, entry: { sessionId: 's1' } })
    .connection.close()
}

function transcript(id: string, at: number): string {
  const timestamp = new Date(at).toISOString()
  const lines = [
    { type: 'session', version: 3, id, timestamp, cwd: '/w' },
    { type: 'message', id: 'm1', parentId: null, timestamp, message: { role: 'user', content: 'hello' } },
  ]
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

async function ask<T>(address: string, found: (answer: unknown) => T | undefined): Promise<T> {
  for (let tries = 0; tries < 150; tries++) {
    const value = found(await (await fetch(address)).json())
    if (value !== undefined) return value
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${address} does not have it`)
}

function storeOf(url: string): Promise<{ readonly id: string }> {
  return ask(`${url}/api/stores`, (answer) => {
    const { stores } = answer as { stores: { id: string; era: string; sessions: number }[] }
    return stores.find(({ era, sessions }) => era === 'jsonl' && sessions > 0)
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
