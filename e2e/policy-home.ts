import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { TranscriptBuilder } from '../lib/testing/builders/transcript'
import { startPlimsoll } from './start-plimsoll'

/** Fills of the calls of each session, in thousands of tokens of a window of 200,000. */
const SESSIONS = { anchor: [40, 120, 60, 110], beacon: [90], capstan: [130], davit: [20] } as const

export type SessionName = keyof typeof SESSIONS

export const OWN_TEXT = `# kept by hand
policy:
  preset: vs7
  lines:
    compact: { enabled: true, at: 0.5 } # half
    hard: { at: 0.9 }
overrides:
  - agent: main
    policy: { lines: { compact: { at: 0.7 } } }
`

export const STORE_TEXT = `{
  // written by the operator
  "gateway": { "auth": { "token": "open-sesame-4711" } },
  "agents": { "defaults": { "compaction": { "reserveTokensFloor": 25000 /* room */ } } }
}
`

/** A dashboard with a settings file of its own and a store with four sessions of known fills. */
export type PolicyHome = {
  readonly url: string
  readonly ownFile: string
  readonly storeFile: string
  readOwn(): string
  writeOwn(text: string): void
  /** Kept versions of our file, as texts, oldest first. */
  versions(): string[]
  /** Address of a session's page. */
  session(name: SessionName): Promise<string>
}

type Started = Omit<PolicyHome, 'readOwn' | 'writeOwn' | 'versions'> & { readonly history: string }

export const test = base.extend<{ home: PolicyHome }, { started: Started }>({
  started: [
    async ({ browserName: _browser }, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'plimsoll-policies-'))
      const root = join(folder, 'openclaw')
      const sessions = join(root, 'agents', 'main', 'sessions')
      mkdirSync(sessions, { recursive: true })
      for (const name of Object.keys(SESSIONS) as SessionName[]) {
        writeFileSync(join(sessions, `${name}.jsonl`), transcript(name))
      }
      writeFileSync(join(root, 'openclaw.json'), STORE_TEXT)
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      const running = startPlimsoll(['serve', '--port', String(port)], folder, { PLIMSOLL_STORES: root })
      await running.printed('Plimsoll is at')
      const list = async () =>
        (await (await fetch(`${url}/api/sessions`)).json()).rows as { id: string; title: string }[]
      await expect.poll(async () => (await list()).length, { timeout: 20_000 }).toBe(4)
      await use({
        url,
        ownFile: join(folder, '.config', 'plimsoll', 'plimsoll.yaml'),
        storeFile: join(root, 'openclaw.json'),
        history: join(folder, 'state', 'policy-history'),
        session: async (name) => {
          const row = (await list()).find(({ title }) => title.includes(name))
          if (row === undefined) throw new Error(`no session ${name}`)
          return `${url}/sessions/${row.id}`
        },
      })
      running.kill('SIGTERM')
      await running.ended
      rmSync(folder, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
  // Every test begins with the same files and no history.
  home: async ({ started }, use) => {
    const { ownFile, storeFile, history } = started
    const write = (path: string, text: string) => {
      mkdirSync(dirname(path), { recursive: true })
      if (existsSync(path)) chmodSync(path, 0o644)
      writeFileSync(path, text)
    }
    write(ownFile, OWN_TEXT)
    write(storeFile, STORE_TEXT)
    rmSync(history, { recursive: true, force: true })
    await use({
      ...started,
      readOwn: () => readFileSync(ownFile, 'utf8'),
      writeOwn: (text) => writeFileSync(ownFile, text),
      versions: () => textsIn(history),
    })
  },
})

export { expect }

function textsIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.includes('plimsoll.yaml') && name.endsWith('.yaml'))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
}

function transcript(name: SessionName): string {
  const builder = new TranscriptBuilder({ id: name })
  builder.entry('session_info', { name: `Voyage of ${name}` })
  for (const thousands of SESSIONS[name]) {
    builder.user('Where are we?')
    builder.assistant('At sea.', {
      model: 'claude-sonnet-4-5',
      usage: { input: thousands * 1000, output: 20, cost: 0.01 },
    })
  }
  return builder.text()
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
