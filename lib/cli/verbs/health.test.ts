import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fileColdStore } from '../../adapters/cold/file-cold-store'
import { nodeWriteFiles } from '../../adapters/write/node-write-files'
import { runCli } from '../../testing/run-cli'
import { sharedFolder } from '../../testing/store-folder'
import { writeDemoSessions } from '../../testing/stores/demo-sessions'

const folder = sharedFolder()
const home = join(folder, 'home')
const log = join(home, '.clawdbot', 'logs', 'context', 'context-health.jsonl')
let store = ''

beforeAll(async () => {
  const roots = await writeDemoSessions({ home: folder, now: Date.parse('2026-11-21T12:00:00Z') })
  store = roots.find((root) => root.kind === 'openclaw')?.path ?? ''
})
beforeEach(() => rmSync(home, { recursive: true, force: true }))

const env = { HOME: home, PLIMSOLL_HOME: join(folder, 'state') }
const run = (argv: readonly string[], more: { readonly stop?: AbortSignal; readonly config?: string } = {}) =>
  runCli([...argv, '--store', store], {
    env: more.config === undefined ? env : { ...env, PLIMSOLL_CONFIG: more.config },
    stop: more.stop ?? new AbortController().signal,
    cwd: folder,
  })
const json = async (...argv: string[]) => JSON.parse((await run([...argv, '--json'])).stdout)
const lines = (): Record<string, unknown>[] =>
  readFileSync(log, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

/** Something of a session in cold storage, under its key as live agents name it, and something expired. */
async function dropFrom(key: string): Promise<void> {
  const cold = fileColdStore(nodeWriteFiles, join(home, '.clawdbot', 'cold-storage'), () => 'batch')
  const at = Date.now()
  const chunk = {
    sessionId: key,
    content: 'text',
    tokens: 1,
    reason: 'low_relevance',
    score: 0.1,
    prompt: 'p',
  }
  await cold.put([
    { ...chunk, chunkId: 'a', at, until: at + 1e9, place: null },
    { ...chunk, chunkId: 'b', at, until: at + 1e9, place: null },
    { ...chunk, chunkId: 'old', at: 1, until: 2, place: null },
  ])
}

describe('R1 plimsoll status', () => {
  test('tells tokens, limit, share, chunks in the context and in cold storage, and compactions', async () => {
    const [{ key }] = (await json('sessions')).sessions
    expect((await json('status', key)).chunks).toMatchObject({ held: expect.any(Number), cold: 0 })
    await dropFrom(key)
    const answer = await json('status', key)
    expect(answer.chunks.cold).toBe(2)
    expect(answer.chunks.held).toBeGreaterThan(0)
    expect(answer.chunks.held).toBeLessThanOrEqual(answer.entries)
    expect(answer).toMatchObject({
      window: { tokens: expect.any(Number) },
      fill: { value: expect.any(Number), pctOfWindow: expect.any(Number) },
      compactions: { count: expect.any(Number) },
    })
    const { stdout } = await run(['status', key])
    expect(stdout).toMatch(/\d+ compactions?, \d+ chunks? in the context, 2 in cold storage/)
  })
})

describe('R7 plimsoll health', () => {
  test('Q5: notes chunks that are held and those in cold storage', async () => {
    const [{ key }] = (await json('sessions')).sessions
    await dropFrom(key)
    const answer = await json('health', key)
    expect(answer).toMatchObject({ key, coldChunks: 2, chunks: expect.any(Number) })
    expect(lines()).toMatchObject([{ memcached_chunks: answer.chunks, cold_storage_chunks: 2 }])
  })

  test('--all checks every live session, the fullest first, and ends with 1 when any is above', async () => {
    const { sessions } = await json('sessions')
    const all = await run(['health', '--all', '--notify-if-pct', '0', '--json'])
    expect(all.code).toBe(1)
    const answer: { key: string; pctUsed: number | null; above: boolean | null }[] = JSON.parse(
      all.stdout,
    ).sessions
    const live = sessions.filter(({ state }: { state: string }) => state === 'live')
    expect(answer).toHaveLength(live.length)
    const shares = answer.flatMap(({ pctUsed }) => pctUsed ?? [])
    expect(shares).toEqual(shares.toSorted((a, b) => b - a))
    expect(lines()).toHaveLength(answer.length)
    expect((await run(['health', '--all', '--notify-if-pct', '1', '--no-log'])).code).toBe(0)
    expect((await run(['health', answer[0]?.key ?? '', '--all'])).code).toBe(2)
  })

  test('T6: --watch writes a line at each turn until it is stopped, and tells the operator once', async () => {
    const answer = join(folder, 'answer')
    const config = join(folder, 'answer.yaml')
    writeFileSync(config, `health:\n  command: 'cat >> "${answer}"; echo >> "${answer}"'\n`)
    const stop = new AbortController()
    const [{ key }] = (await json('sessions')).sessions
    const watching = run(['health', key, '--watch', '--every', '1', '--notify-if-pct', '0'], {
      stop: stop.signal,
      config,
    })
    while (!existsSync(log) || lines().length < 3) await new Promise((resolve) => setTimeout(resolve, 50))
    stop.abort()
    expect((await watching).code).toBe(0)
    const [first, second] = lines().map(({ timestamp }) => Date.parse(String(timestamp)))
    // A second between turns; the first may come late where others are at work.
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(500)
    expect(readFileSync(answer, 'utf8').trim().split('\n')).toHaveLength(1)
  })
})
