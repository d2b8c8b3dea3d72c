import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AgentDatabaseBuilder } from '../builders/agent-database'
import { TranscriptBuilder } from '../builders/transcript'
import { YAML_BOMBS, zstdOf } from './bombs'
import { HOSTILE_DATABASES } from './hostile-sqlite'
import { starOverrides, starPattern } from './patterns'
import { HOSTILE_TRANSCRIPTS } from './transcripts'

/** A store that was made to harm, and what must be said of it; null where it is read like any other. */
type HostileStore = { readonly name: string; readonly root: string; readonly problem: RegExp | null }

/** Stores in one folder: good ones of both eras, and beside them one for each attack. */
export type HostileHome = {
  readonly good: { readonly files: string; readonly database: string }
  readonly bad: readonly HostileStore[]
  /** Of the good stores; no other session has it. */
  readonly words: string
}

const SESSIONS = 'agents/main/sessions'
const DATABASE = 'agents/main/agent/openclaw-agent.sqlite'
const GOOD_WORDS = 'the harbour is calm tonight'

/** @param entries of each hostile transcript, and of those that many entries alone harm */
export function writeHostileHome(
  folder: string,
  entries: { readonly most: number; readonly few: number },
): HostileHome {
  const bad: HostileStore[] = []
  const store = (
    name: string,
    problem: RegExp | null,
    files: { readonly [path: string]: string | Uint8Array },
  ) => {
    const root = join(folder, 'stores', `bad-${bad.length}`)
    bad.push({ name, root, problem })
    for (const [path, content] of Object.entries(files)) write(join(root, path), content)
    return root
  }
  for (const [name, { make, problem }] of Object.entries(HOSTILE_DATABASES)) {
    const file = join(store(name, problem, {}), DATABASE)
    mkdirSync(dirname(file), { recursive: true })
    make(file)
  }
  for (const [name, make] of Object.entries(HOSTILE_TRANSCRIPTS)) {
    store(name, null, { [`${SESSIONS}/s1.jsonl`]: make(MANY.has(name) ? entries.most : entries.few) })
  }
  for (const [name, make] of Object.entries(YAML_BOMBS)) {
    store(name, null, { ...oneSession(`settings: ${name}`), 'context-config.yaml': make() })
  }
  const { name: key } = starPattern(0, 100)
  store('a pattern of stars', null, {
    ...oneSession('settings: stars', key),
    'context-config.yaml': starOverrides(12),
  })
  const archive = `${SESSIONS}/s0.jsonl.deleted.2026-11-01T08-00-00.000Z.zst`
  store('four gigabytes of zeros', /unpacks to more than/, { [archive]: zstdOf(0, 32_000) })
  store('a million lines', /unpacks to more than/, { [archive]: fixture('same-line-1280000.jsonl.zst') })
  return { good: writeGood(folder), bad, words: GOOD_WORDS }
}

/** The good stores, and beside them one with a hostile transcript of so many entries. */
export function writeHostileTranscript(folder: string, name: string, entries: number): HostileHome {
  const root = join(folder, 'stores', 'bad-0')
  write(join(root, SESSIONS, 's1.jsonl'), HOSTILE_TRANSCRIPTS[name]?.(entries) ?? '')
  return { good: writeGood(folder), bad: [{ name, root, problem: null }], words: GOOD_WORDS }
}

/** Those that cost a careless reader the square of their number. */
const MANY = new Set([
  'children before their parent',
  'jumps back to the beginning',
  'one conversation of many messages',
])

function writeGood(folder: string): HostileHome['good'] {
  const files = join(folder, 'stores', 'good-files')
  for (const [path, content] of Object.entries(oneSession(GOOD_WORDS))) write(join(files, path), content)
  const database = join(folder, 'stores', 'good-database')
  new AgentDatabaseBuilder(join(database, DATABASE), { wal: false })
    .session({
      id: 's1',
      key: 'agent:main:main',
      rows: transcript(`${GOOD_WORDS}, says the database`).lines,
      entry: { sessionId: 's1' },
      changedAt: Date.UTC(2026, 10, 2),
    })
    .close()
  return { files, database }
}

function oneSession(words: string, key = 'agent:main:main'): { readonly [path: string]: string } {
  return {
    [`${SESSIONS}/sessions.json`]: JSON.stringify({ [key]: { sessionId: 's1' } }),
    [`${SESSIONS}/s1.jsonl`]: transcript(words).text(),
  }
}

function transcript(words: string): TranscriptBuilder {
  const builder = new TranscriptBuilder({ id: 's1' })
  builder.user(words)
  builder.assistant('So it is.', { usage: { input: 9_000, output: 5 } })
  return builder
}

function fixture(name: string): Buffer {
  return readFileSync(fileURLToPath(new URL(`../fixtures/stores/${name}`, import.meta.url)))
}

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}
