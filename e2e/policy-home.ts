import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { TranscriptBuilder } from '../lib/testing/builders/transcript'
import { ask, sessionPage } from './ask'
import { dashboard } from './world'

/** Fills of the calls of each session, in thousands of tokens of a window of 200,000. */
const SESSIONS = { anchor: [40, 120, 60, 110], beacon: [90], capstan: [130], davit: [20] } as const

type SessionName = keyof typeof SESSIONS

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
  "meta": { "lastTouchedVersion": "2026.2.26" },
  "gateway": { "auth": { "token": "open-sesame-4711" } },
  "agents": { "defaults": { "compaction": { "reserveTokensFloor": 25000 /* room */ } } }
}
`

/** A dashboard with its own settings file and a store with four sessions of known fills. */
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

export const test = dashboard({
  name: 'policies',
  write: (folder) => {
    const root = join(folder, 'openclaw')
    const sessions = join(root, 'agents', 'main', 'sessions')
    mkdirSync(sessions, { recursive: true })
    for (const name of Object.keys(SESSIONS) as SessionName[]) {
      writeFileSync(join(sessions, `${name}.jsonl`), transcript(name))
    }
    writeFileSync(join(root, 'openclaw.json'), STORE_TEXT)
    return { PLIMSOLL_STORES: root }
  },
  ready: ({ url }) =>
    ask(`${url}/api/sessions`, (answer) =>
      (answer as { total: number }).total === Object.keys(SESSIONS).length ? null : undefined,
    ),
  // Every test begins with the same files and no history.
  view: ({ url, folder }): PolicyHome => {
    const ownFile = join(folder, '.config', 'plimsoll', 'plimsoll.yaml')
    const storeFile = join(folder, 'openclaw', 'openclaw.json')
    const history = join(folder, 'state', 'policy-history')
    const write = (path: string, text: string) => {
      mkdirSync(dirname(path), { recursive: true })
      if (existsSync(path)) chmodSync(path, 0o644)
      writeFileSync(path, text)
    }
    write(ownFile, OWN_TEXT)
    write(storeFile, STORE_TEXT)
    rmSync(history, { recursive: true, force: true })
    return {
      url,
      ownFile,
      storeFile,
      readOwn: () => readFileSync(ownFile, 'utf8'),
      writeOwn: (text) => writeFileSync(ownFile, text),
      versions: () => textsIn(history),
      session: (name) => sessionPage(url, ({ title }) => title.includes(name)),
    }
  },
})

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
