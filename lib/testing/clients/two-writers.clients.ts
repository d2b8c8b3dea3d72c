import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { liveOwners } from '../../adapters/locks/live-owners'
import { sessionLocks } from '../../adapters/locks/session-locks'
import { nodeWriteFiles } from '../../adapters/write/node-write-files'
import { readFileState } from '../../engine/write/file-state'
import { replaceFile } from '../../engine/write/replace-file'
import type { Writer } from '../../engine/write/write-ports'
import { appendLines } from '../append-lines'
import { testWriter } from '../test-writer'
import { compactBeside } from './compact-beside'
import { type FakeModel, startFakeModel } from './fake-model'
import { makeOpenClawHome, OPENCLAW, type OpenClawHome } from './openclaw-home'
import { HURT, hurtBeside, repairBeside } from './repair-beside'

/** How long both write. */
const FOR_MS = 60_000
/** Every so many of our attempts, the session is compacted as well. */
const COMPACT_EVERY = 5
/** Every so many of them, a damaged line is added. */
const HURT_EVERY = 3
/** Seldomer, it is repaired, so that turns run while damage is there. */
const REPAIR_EVERY = 12

let model: FakeModel
let client: OpenClawHome
let own: string
let writer: Writer

beforeAll(async () => {
  model = await startFakeModel(1000)
  client = makeOpenClawHome(model.url, 18_772)
  own = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-two-writers-')))
  mkdirSync(join(own, 'logs'))
  writer = { ...testWriter(nodeWriteFiles, { home: own }), locks: sessionLocks(), live: liveOwners() }
})
afterAll(async () => {
  await model?.close()
  client?.remove()
  rmSync(own, { recursive: true, force: true })
})

async function turn(text: string): Promise<void> {
  const run = client.run('agent', '--local', '--agent', 'main', '--message', text, '--json')
  const { code, output } = await run.ended
  expect(code, output).toBe(0)
  expect(output).not.toMatch(/Takeover|takeover/)
}

type Line = {
  readonly type: string
  readonly id: string
  readonly customType?: string
  readonly data?: { readonly n: number }
}

/** Whole lines only: without a lock, an append of the client can be seen half done. */
function readLines(file: string): Line[] {
  const whole = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  return whole.map((line) => JSON.parse(line))
}

/** Adds entry number `n` by replacing the file or by appending to it; answers how that ended. */
async function write(file: string, n: number): Promise<string> {
  const expected = await readFileState(writer, file)
  if (expected === null) throw new Error(`${file} is gone`)
  const parentId = readLines(file).at(-1)?.id ?? null
  const entry = { type: 'custom', id: `own-${n}`, parentId, timestamp: new Date().toISOString() }
  const line = JSON.stringify({ ...entry, customType: 'plimsoll.test', data: { n } })
  const request = {
    intent: { kind: 'repair', actor: 'test', reason: 'two writers', session: null, summary: {} },
    target: { file, root: client.state, kind: 'openclaw' },
    expected,
    wait: { waitMs: 0 },
  } as const
  const result =
    n % 2 === 0
      ? await appendLines(writer, { ...request, lines: [line] })
      : await replaceFile(writer, {
          ...request,
          produce: async function* (read) {
            yield* read()
            yield new TextEncoder().encode(`${line}\n`)
          },
        })
  return result.kind === 'refused' ? result.refusal.code : result.kind
}

it(`two writers: OpenClaw ${OPENCLAW.version} runs turns while we write, repair and compact the same session for a minute`, async () => {
  await turn('turn 0')
  const sessions = join(realpathSync(client.state), 'agents', 'main', 'sessions')
  const name = readdirSync(sessions).find((entry) => /^[0-9a-f-]{36}\.jsonl$/.test(entry)) ?? ''
  const file = join(sessions, name)

  let over = false
  let turns = 1
  const theirs = (async () => {
    const end = performance.now() + FOR_MS
    while (performance.now() < end) {
      await turn(`turn ${turns}`)
      turns++
      await sleep(1500)
    }
    over = true
  })()

  const ended: Record<string, number> = {}
  const seen = new Set<string>()
  const written: number[] = []
  const records: string[] = []
  const target = { file, root: client.state, kind: 'openclaw' } as const
  const count = (what: string) => {
    ended[what] = (ended[what] ?? 0) + 1
  }
  for (let n = 1; !over; n++) {
    for (const { id } of readLines(file)) seen.add(id)
    if (n % COMPACT_EVERY === 0) {
      const compacted = await compactBeside(writer, realpathSync(client.state), file)
      count(compacted.ended)
      if (compacted.record !== null) records.push(compacted.record)
    }
    if (n % HURT_EVERY === 0)
      count(`damage ${await hurtBeside(writer, target, n, readLines(file).at(-1)?.id ?? null)}`)
    if (n % REPAIR_EVERY === 0) {
      for (const { id } of readLines(file)) seen.add(id)
      count(`repair ${await repairBeside(writer, target)}`)
    }
    const how = await write(file, n)
    count(how)
    if (how === 'done') written.push(n)
    await Promise.race([sleep(30), theirs])
  }
  await theirs
  // What was still damaged when the time was over.
  count(`repair ${await repairBeside(writer, target)}`)

  const lines = readLines(file)
  const ids = lines.map(({ id }) => id)
  expect(new Set(ids).size, 'no duplicates').toBe(ids.length)
  expect(
    [...seen].filter((id) => !ids.includes(id) && !id.startsWith(HURT)),
    'no line that was ever seen is lost, but for what a repair names',
  ).toEqual([])
  expect(
    ids.filter((id) => id.startsWith(HURT)),
    'each damage is repaired',
  ).toEqual([])
  expect(Object.keys(ended)).toEqual(expect.arrayContaining(['repair done', 'repair live']))
  const ours = lines.filter(({ customType }) => customType === 'plimsoll.test').map(({ data }) => data?.n)
  expect(ours, 'all of ours, each once, in order').toEqual(written)
  const compactions = lines.filter(({ type }) => type === 'compaction').map(({ id }) => id)
  expect(compactions, 'each compaction once, in order').toEqual(records)
  expect(records.length).toBeGreaterThan(0)
  const text = readFileSync(file, 'utf8')
  expect(text.endsWith('\n')).toBe(true)
  for (let n = 0; n < turns; n++) expect(text.split(`"turn ${n}"`).length - 1, `turn ${n}`).toBe(1)
  for (let n = 1; n <= turns; n++) expect(text.split(`"answer ${n}"`).length - 1, `answer ${n}`).toBe(1)
  expect(Object.keys(ended).sort()).toEqual(expect.arrayContaining(['done', 'live']))
  console.info(`${turns} turns, ${lines.length} lines; our attempts: ${JSON.stringify(ended)}`)
})
