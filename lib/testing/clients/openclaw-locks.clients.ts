import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { liveOwners } from '../../adapters/locks/live-owners'
import { sessionLocks } from '../../adapters/locks/session-locks'
import type { HeldLock, LockOwner, LockResult } from '../../engine/write/lock-ports'
import { acquireAsClient, acquired, type ClientVersion } from './client-locks'
import { type FakeModel, startFakeModel } from './fake-model'
import { makeOpenClawHome, type OpenClawHome } from './openclaw-home'

const GENERATIONS: ClientVersion[] = ['2026.2.26', '2026.7.1']

let model: FakeModel
let client: OpenClawHome
let sessions: string

beforeAll(async () => {
  model = await startFakeModel(1500)
  client = makeOpenClawHome(model.url, 18_771)
  sessions = join(client.state, 'agents', 'main', 'sessions')
  mkdirSync(sessions, { recursive: true })
})
afterAll(async () => {
  await model?.close()
  client?.remove()
})

const locks = sessionLocks()

function held(result: LockResult): HeldLock {
  if (!result.held) throw new Error(JSON.stringify(result))
  return result.lock
}

function newSession(name: string): string {
  const file = join(sessions, name)
  writeFileSync(file, '')
  return file
}

describe.each(GENERATIONS)('M4 the lock of OpenClaw %s', (generation) => {
  it('waits for ours, and does not steal it', async () => {
    const file = newSession(`ours-${generation}.jsonl`)
    const hold = held(await locks.acquire(file, { waitMs: 0 }))
    const gaveUp = await acquireAsClient(client, generation, file, { timeoutMs: 2000, holdMs: 0 }).ended
    expect(acquired(gaveUp.output)).toMatchObject({
      result: 'failed',
      error: expect.stringContaining(`pid=${process.pid}`),
    })
    expect(await hold.stillHeld()).toBe(true)

    const waiting = acquireAsClient(client, generation, file, { timeoutMs: 30_000, holdMs: 0 })
    await sleep(2500)
    expect(await hold.stillHeld()).toBe(true)
    await hold.release()
    expect(acquired((await waiting.ended).output)).toMatchObject({ result: 'held' })
    expect(existsSync(hold.lockFile)).toBe(false)
  })

  it('makes us wait, and is not stolen', async () => {
    const file = newSession(`theirs-${generation}.jsonl`)
    const run = acquireAsClient(client, generation, file, { timeoutMs: 1000, holdMs: 4000 })
    await expect.poll(() => existsSync(`${file}.lock`), { timeout: 20_000 }).toBe(true)
    const theirs = readFileSync(`${file}.lock`, 'utf8')
    expect(await locks.acquire(file, { waitMs: 500 })).toMatchObject({
      reason: 'busy',
      owner: { pid: run.process.pid, via: 'lock', evidence: `${file}.lock` },
    })
    expect(readFileSync(`${file}.lock`, 'utf8')).toBe(theirs)
    const owners: LockOwner[] = []
    const hold = held(await locks.acquire(file, { waitMs: 30_000, onWait: (owner) => owners.push(owner) }))
    expect(owners).toMatchObject([{ pid: run.process.pid }])
    expect(hold.removed).toEqual([])
    await hold.release()
    expect((await run.ended).code).toBe(0)
  })

  it('is taken over by us when its owner was killed', async () => {
    const file = newSession(`killed-${generation}.jsonl`)
    const run = acquireAsClient(client, generation, file, { timeoutMs: 1000, holdMs: 60_000 })
    await expect.poll(() => existsSync(`${file}.lock`), { timeout: 20_000 }).toBe(true)
    run.process.kill('SIGKILL')
    await run.ended
    const hold = held(await locks.acquire(file, { waitMs: 0 }))
    expect(hold.removed).toMatchObject([{ reason: 'dead-pid' }])
    await hold.release()
  })
})

describe('M4 a process that does not look like a client', () => {
  it('loses its lock to OpenClaw 2026.7.1, and is notified', async () => {
    const file = newSession('stolen.jsonl')
    const hold = held(await locks.acquire(file, { waitMs: 0 }))
    // What our own processes wear is taken off.
    process.title = 'node plimsoll'
    const thief = acquireAsClient(client, '2026.7.1', file, { timeoutMs: 2000, holdMs: 0 })
    expect(acquired((await thief.ended).output)).toMatchObject({ result: 'held' })
    expect(await hold.stillHeld()).toBe(false)
  })
})

describe('M4 a whole turn of OpenClaw 2026.7.1', () => {
  const turn = (message: string) =>
    client.run('agent', '--local', '--agent', 'main', '--message', message, '--json')
  const transcript = () =>
    join(sessions, readdirSync(sessions).find((name) => /^[0-9a-f-]{36}\.jsonl$/.test(name)) ?? '')

  it('is seen while it runs, and waits for our lock', async () => {
    const live = liveOwners()
    const first = turn('first')
    await expect
      .poll(() => live.find({ file: join(sessions, 'x.jsonl'), root: client.state, kind: 'openclaw' }))
      .toMatchObject({ pid: first.process.pid, via: 'run' })
    expect(await first.ended).toMatchObject({ code: 0 })
    const file = transcript()
    expect(await live.find({ file, root: client.state, kind: 'openclaw' })).toBeNull()

    const before = readFileSync(file, 'utf8')
    const hold = held(await locks.acquire(file, { waitMs: 0 }))
    const answers = model.answers()
    const second = turn('second')
    let over = false
    void second.ended.then(() => {
      over = true
    })
    await sleep(30_000)
    expect(over).toBe(false)
    expect(await hold.stillHeld()).toBe(true)
    expect(model.answers()).toBe(answers)
    expect(readFileSync(file, 'utf8')).toBe(before)
    await hold.release()
    expect(await second.ended).toMatchObject({ code: 0 })
    expect(model.answers()).toBeGreaterThan(answers)
    const after = readFileSync(file, 'utf8')
    expect(after.startsWith(before)).toBe(true)
    expect(after).toContain('second')
  })
})
