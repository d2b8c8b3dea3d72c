import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runCli } from '../../../testing/run-cli'
import { sharedFolder } from '../../../testing/store-folder'
import { demoStoreCopies } from '../../../testing/stores/demo-store'
import type { Io } from '../../io'
import { keepRetrying } from '../../keep-retrying'

const folder = sharedFolder()
let home = ''
const store = demoStoreCopies(folder)
let policy = ''
/** Whether the summarising service answers. */
let isUp = false
let server: Server

beforeAll(async () => {
  server = createServer((_request, response) => {
    response.statusCode = isUp ? 200 : 503
    response.end(JSON.stringify({ choices: [{ message: { content: 'Written by the model.' } }] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  policy = join(folder, 'plimsoll.yaml')
  const { port } = server.address() as AddressInfo
  writeFileSync(
    policy,
    `policy:\n  compaction: { mode: default, retries: 1 }\n  summary: { model: m, url: "http://127.0.0.1:${port}/v1", retryMs: 1 }\n`,
  )
})
beforeEach(() => {
  isUp = false
  home = mkdtempSync(join(folder, 'state-'))
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const envOf = () => ({
  HOME: join(folder, 'home'),
  PLIMSOLL_HOME: home,
  PLIMSOLL_CONFIG: policy,
  PLIMSOLL_STORES: store(),
})

async function run(...argv: string[]) {
  const done = await runCli([...argv, '--json'], { env: envOf(), stop: new AbortController().signal })
  return { ...done, value: JSON.parse(done.stdout) }
}

/** A session that was compacted while the model was down; answers its file. */
async function compactedByDigest(): Promise<string> {
  const { value } = await run('sessions')
  const all = value.sessions as { key: string; file: string; contextTokens: { value: number } }[]
  const { key, file } = all.find(({ contextTokens }) => contextTokens.value > 100_000) as (typeof all)[number]
  const done = await run('compact', key, '--now')
  expect(done.value).toMatchObject({ summary: { source: 'digest' }, verified: true })
  return file
}

const lastRecord = (file: string) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; summary?: string })
    .findLast(({ type }) => type === 'compaction')

describe('the process that stays', () => {
  it('D25: asks by itself as often as the policy says, and stops when it is stopped', async () => {
    const file = await compactedByDigest()
    const stop = new AbortController()
    const said = new PassThrough()
    const io: Io = {
      argv: [],
      env: envOf(),
      stdin: said,
      stdout: said,
      stderr: said,
      cwd: folder,
      root: folder,
      untilStopped: () => stop.signal,
    }
    const running = keepRetrying(io, stop.signal, 20)
    await expect.poll(() => String(said.read() ?? ''), { timeout: 20_000 }).toContain('still the digest')
    isUp = true
    await expect.poll(() => lastRecord(file)?.summary, { timeout: 20_000 }).toContain('Written by the model.')
    stop.abort()
    await running
  })
})

describe('plimsoll compact --retry-pending', () => {
  it('D25: still the digest while the model is down, then its summary, then nothing is pending', async () => {
    const file = await compactedByDigest()
    const down = await run('compact', '--retry-pending')
    expect(down).toMatchObject({ code: 1, value: { summaries: [{ outcome: 'waiting', receipt: null }] } })
    isUp = true
    const up = await run('compact', '--retry-pending')
    expect(up).toMatchObject({ code: 0, value: { summaries: [{ outcome: 'filled', model: 'server/m' }] } })
    expect(lastRecord(file)?.summary).toContain('Written by the model.')
    expect((await run('compact', '--retry-pending')).value).toEqual({ summaries: [] })
  })

  it('is for all sessions: one that is named, and none without it, is wrong use', async () => {
    expect((await runCli(['compact', 'x', '--retry-pending'], { env: envOf() })).code).toBe(2)
    expect((await runCli(['compact'], { env: envOf() })).code).toBe(2)
  })
})
