import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TranscriptBuilder } from '../lib/testing/builders/transcript'
import { ask, sessionPage } from './ask'
import { startPlimsoll } from './start-plimsoll'
import { dashboard } from './world'

const DAY = 86_400_000
const PAST_CLOCK = fileURLToPath(new URL('./past-clock.cjs', import.meta.url))

const SETTINGS = `{
  // mine
  meta: { lastTouchedVersion: '2026.7.1' },
  agents: { defaults: { compaction: { mode: 'default', keepRecentTokens: 24000 } } }, /* end */
}
`

/** Tools that fail in the crowd, each for another reason: a cause for each. */
const CROWD = 1_000
const TOOLS_OF_SESSION = 20

/** Stores in which something is wrong: a setting that can be changed, one that was and made it worse, and a crowd. */
export type FindingsStore = {
  readonly url: string
  /** The runtime's settings of the store where nothing was changed yet, as bytes. */
  settings(): Buffer
  /** The same of the store where a setting was applied four days ago; `before` is what it was until then. */
  worse(): Buffer
  readonly before: string
  /** Address of the page of the session whose compactions free nothing. */
  loop(): Promise<string>
  /** Address of the page of a session in which nothing is wrong until `fail` is called. */
  calm(): Promise<string>
  /** Has a tool fail in it again and again, for so many dollars a call. */
  fail(tool: string, dollars: number): void
  /** Calls with smaller prompts, made now, in the store where nothing was changed yet. */
  improve(): void
}

/** Sessions alike at a moment, four calls each with prompts of about so many tokens. */
function writeSessions(folder: string, name: string, at: number, prompt: number, count = 12): void {
  for (let i = 0; i < count; i++) {
    const prompts = [0, 1, 2, 3].map((call) => prompt + 500 * ((i + call) % 5))
    writeFileSync(join(folder, `${name}-${i}.jsonl`), session(`${name}-${i}`, at, prompts))
  }
}

/** `compacted`: with a compaction before each call but the first, which frees nothing. */
function session(id: string, at: number, prompts: readonly number[], compacted = false): string {
  const builder = new TranscriptBuilder({ id })
  const over = { timestamp: new Date(at).toISOString() }
  builder.entry('session_info', { name: `Voyage of ${id}`, ...over })
  prompts.forEach((input, i) => {
    const asked = builder.user('Go.', over)
    if (i > 0 && compacted) builder.compaction('The berths were counted. '.repeat(30), asked, over)
    builder.assistant('Yes.', { usage: { input, output: 10, cost: 0.02 }, over })
  })
  return builder.text()
}

function failing(tool: string, reason: string) {
  return {
    role: 'toolResult',
    toolCallId: tool,
    toolName: tool,
    content: [{ type: 'text', text: `There is no berth ${reason}.` }],
    isError: true,
  }
}

/** A word for a number: digits of errors do not count. */
function word(n: number): string {
  return [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('')
}

function writeCrowd(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (let first = 0; first < CROWD; first += TOOLS_OF_SESSION) {
    const builder = new TranscriptBuilder({ id: `crowd-${first}` })
    builder.user('Find the berths.')
    for (let n = first; n < first + TOOLS_OF_SESSION; n++)
      for (let time = 0; time < 3; time++) builder.message(failing(`find_${word(n)}`, word(n)))
    builder.assistant('None.', { usage: { input: 900, output: 5, cost: 0.001 } })
    writeFileSync(join(folder, `crowd-${first}.jsonl`), builder.text())
  }
}

function sessionsOf(folder: string, store: string): string {
  return join(folder, store, 'agents', 'main', 'sessions')
}

function writeStore(folder: string, store: string, loopAt: number): string {
  const sessions = sessionsOf(folder, store)
  mkdirSync(sessions, { recursive: true })
  writeFileSync(join(folder, store, 'openclaw.json'), SETTINGS)
  writeFileSync(
    join(sessions, 'loop.jsonl'),
    session(`loop of ${store}`, loopAt, Array(7).fill(50_000), true),
  )
  return sessions
}

/** Applies the setting behind the loop of a store, as the operator did four days ago. */
async function applyInPast(folder: string, store: string): Promise<void> {
  const where = ['--store', join(folder, store), '--json']
  const run = async (args: readonly string[], env = {}) => {
    const { code, stdout, stderr } = await startPlimsoll(['findings', ...args, ...where], folder, env).ended
    if (code !== 0) throw new Error(`findings ${args.join(' ')} ended with ${code}: ${stderr}`)
    return JSON.parse(stdout)
  }
  const { findings } = await run([])
  const { id } = findings.find(({ kind }: { kind: string }) => kind === 'compaction-frees-nothing')
  await run(['apply', id], { NODE_OPTIONS: `--require ${PAST_CLOCK}`, PAST_DAYS: '4' })
}

let failures = 0

export const test = dashboard({
  name: 'findings',
  write: async (folder) => {
    const now = Date.now()
    writeSessions(writeStore(folder, 'harbour', now - DAY), 'before', now - DAY, 50_000)
    const worse = writeStore(folder, 'quay', now - 5 * DAY)
    writeSessions(worse, 'before', now - 5 * DAY, 30_000)
    writeSessions(worse, 'after', now - 3.5 * DAY, 60_000)
    writeSessions(worse, 'since', now - DAY, 60_000)
    await applyInPast(folder, 'quay')
    const calm = join(folder, 'calm')
    mkdirSync(calm)
    writeFileSync(join(calm, 'calm.jsonl'), session('calm sea', now, [2_000]))
    writeCrowd(join(folder, 'crowd'))
    const stores = ['harbour', 'quay', 'calm', 'crowd'].map((name) => join(folder, name))
    return { PLIMSOLL_STORES: stores.join(':') }
  },
  ready: ({ url }) =>
    ask(`${url}/api/findings?severity=low&limit=1`, (answer) =>
      (answer as { total: number }).total >= CROWD ? null : undefined,
    ),
  view: ({ url, folder }): FindingsStore => {
    const settings = (store: string) => readFileSync(join(folder, store, 'openclaw.json'))
    const calm = join(folder, 'calm', 'calm.jsonl')
    return {
      url,
      before: SETTINGS,
      settings: () => settings('harbour'),
      worse: () => settings('quay'),
      loop: () => sessionPage(url, ({ title }) => title.includes('loop of harbour'), '?q=harbour'),
      calm: () => sessionPage(url, ({ title }) => title.includes('calm sea')),
      fail: (tool, dollars) => {
        const builder = new TranscriptBuilder()
        const fields = () => {
          const parentId = failures === 0 ? 'e3' : `f${failures}`
          failures += 1
          return { id: `f${failures}`, parentId, timestamp: new Date().toISOString() }
        }
        for (let time = 0; time < 12; time++) {
          builder.message(failing(tool, tool), fields())
          builder.assistant('Again.', {
            usage: { input: 3_000, output: 5, cost: dollars },
            over: fields(),
          })
        }
        appendFileSync(calm, `${builder.lines.slice(1).join('\n')}\n`)
      },
      improve: () => writeSessions(sessionsOf(folder, 'harbour'), 'after', Date.now(), 30_000),
    }
  },
})
