import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { HeldLock, LockOwner, LockResult } from '../../engine/write/lock-ports'
import { bundleChild, type ChildProgram } from '../../testing/child'
import { mountSmallDisk } from '../../testing/small-disk'
import { sharedFolder } from '../../testing/store-folder'
import { looksLikeClient } from './client-sign'
import { systemProcesses } from './process-table'
import { sessionLocks } from './session-locks'
import { storeLockTimes } from './store-lock-times'

let program: ChildProgram
const root = sharedFolder()
let file: string
let lockFile: string
let number = 0

beforeAll(() => {
  program = bundleChild('lib/testing/children/take-lock.ts')
})
afterAll(() => program.remove())
beforeEach(() => {
  file = join(root, `s${++number}.jsonl`)
  lockFile = `${file}.lock`
  writeFileSync(file, '')
})

const locks = sessionLocks()

function held(result: LockResult): HeldLock {
  if (!result.held) throw new Error(JSON.stringify(result))
  return result.lock
}

async function child(mode: string, ...args: (string | number)[]) {
  const started = program.start([mode, ...args.map(String)])
  await started.says('\n')
  const [word = '', text = '{}'] = started.output().trim().split(/ (.*)/s)
  return { ...started, word, said: JSON.parse(text) }
}

describe('M4 write lock', () => {
  it('is beside the transcript with what both generations of clients read', async () => {
    const hold = held(await locks.acquire(file, { waitMs: 0 }))
    expect(hold.lockFile).toBe(lockFile)
    const payload = JSON.parse(readFileSync(lockFile, 'utf8'))
    expect(payload).toEqual({
      pid: process.pid,
      createdAt: new Date(payload.createdAt).toISOString(),
      maxHoldMs: 300_000,
      ...(process.platform === 'linux' && { starttime: systemProcesses.startTicks(process.pid) }),
    })
    await hold.release()
    expect(existsSync(lockFile)).toBe(false)
  })

  it('is one and the same through a linked folder', async () => {
    const link = join(root, `link${number}`)
    symlinkSync(root, link)
    const hold = held(await locks.acquire(join(link, `s${number}.jsonl`), { waitMs: 0 }))
    expect(hold.lockFile).toBe(lockFile)
    expect(await locks.acquire(file, { waitMs: 0 })).toMatchObject({ held: false, reason: 'busy' })
    await hold.release()
  })

  it('makes a second process wait, and give up at the end of its wait, naming the owner', async () => {
    const hold = held(await locks.acquire(file, { waitMs: 0 }))
    const other = await child('hold', file, 1200)
    expect(other.word).toBe('refused')
    expect(other.said).toMatchObject({
      reason: 'busy',
      owner: { pid: process.pid, via: 'lock', evidence: lockFile },
    })
    expect(other.said.waited).toBeGreaterThanOrEqual(1200)
    expect(other.said.waited).toBeLessThan(10_000)
    expect(await hold.stillHeld()).toBe(true)
    await hold.release()
  })

  it('goes to the waiting process as soon as it is free', async () => {
    const other = await child('hold', file, 0)
    const owners: LockOwner[] = []
    const taking = locks.acquire(file, { waitMs: 15_000, onWait: (owner) => owners.push(owner) })
    await expect.poll(() => owners.length, { timeout: 10_000 }).toBe(1)
    expect(owners[0]).toMatchObject({ pid: other.process.pid })
    expect(owners[0]?.command).toContain('openclaw')
    other.process.kill('SIGTERM')
    const hold = held(await taking)
    expect(owners).toHaveLength(1)
    await hold.release()
  })

  it('ends a wait when it is stopped', async () => {
    const hold = held(await locks.acquire(file, { waitMs: 0 }))
    const stop = new AbortController()
    const waiting = locks.acquire(file, { waitMs: 60_000, signal: stop.signal })
    stop.abort()
    expect(await waiting).toEqual({ held: false, reason: 'stopped' })
    await hold.release()
  })

  it('loses no update among processes that count in the same file', async () => {
    writeFileSync(file, '0')
    const counters = await Promise.all([1, 2, 3, 4].map(() => child('count', file, 25)))
    expect(await Promise.all(counters.map(({ ended }) => ended))).toEqual([0, 0, 0, 0])
    expect(readFileSync(file, 'utf8')).toBe('100')
    expect(readdirSync(root).filter((name) => name.includes('.lock'))).toEqual([])
  })
})

describe('M5 longest hold', () => {
  it('M5 looks every 60 s: a lock held for six minutes is released by the watchdog, and its hold says so', async () => {
    let now = Date.now()
    const watchdogs: (() => void)[] = []
    const every = (ms: number, run: () => void) => {
      expect(ms).toBe(60_000)
      watchdogs.push(run)
      return () => undefined
    }
    const slow = sessionLocks({ now: () => now, every })
    const hold = held(await slow.acquire(file, { waitMs: 0 }))
    now += 4 * 60_000
    for (const run of watchdogs) run()
    expect(existsSync(lockFile)).toBe(true)
    expect(await hold.stillHeld()).toBe(true)
    now += 2 * 60_000
    for (const run of watchdogs) run()
    expect(existsSync(lockFile)).toBe(false)
    expect(await hold.stillHeld()).toBe(false)
  })

  it('may be configured for the store', async () => {
    mkdirSync(join(root, '.openclaw', 'sessions'), { recursive: true })
    const settings = { session: { writeLock: { maxHoldMs: 1234 } } }
    writeFileSync(join(root, '.openclaw', 'openclaw.json'), JSON.stringify(settings))
    const configured = sessionLocks({ times: storeLockTimes({}) })
    const maxHold = async (path: string) => {
      const hold = held(await configured.acquire(path, { waitMs: 0 }))
      const { maxHoldMs } = JSON.parse(readFileSync(hold.lockFile, 'utf8'))
      await hold.release()
      return maxHoldMs
    }
    expect(await maxHold(join(root, '.openclaw', 'sessions', 'a.jsonl'))).toBe(1234)
    expect(await maxHold(file)).toBe(300_000)
  })

  it('does not wait for the watchdog: whoever asks too late may not write', async () => {
    let now = Date.now()
    const slow = sessionLocks({ now: () => now })
    const hold = held(await slow.acquire(file, { waitMs: 0 }))
    now += 300_001
    expect(await hold.stillHeld()).toBe(false)
    const next = held(await locks.acquire(file, { waitMs: 0 }))
    await hold.release()
    expect(await next.stillHeld()).toBe(true)
    await next.release()
  })
})

describe('M6 nested holds', () => {
  it('two are taken, one is released: still held', async () => {
    const outer = held(await locks.acquire(file, { waitMs: 0 }))
    const inner = held(await locks.acquire(file, { waitMs: 0, within: outer }))
    await inner.release()
    await inner.release()
    expect(existsSync(lockFile)).toBe(true)
    expect(await inner.stillHeld()).toBe(false)
    expect(await outer.stillHeld()).toBe(true)
    await outer.release()
    expect(existsSync(lockFile)).toBe(false)
  })

  it('a second taker of the same process waits like any other', async () => {
    const hold = held(await locks.acquire(file, { waitMs: 0 }))
    expect(await sessionLocks().acquire(file, { waitMs: 60 })).toMatchObject({ reason: 'busy' })
    const waiting = locks.acquire(file, { waitMs: 10_000 })
    await hold.release()
    await held(await waiting).release()
  })

  it('goes from taker to taker of the same process in the order of asking, without a look in between', async () => {
    // No pause comes to its end.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const order: number[] = []
    const first = held(await locks.acquire(file, { waitMs: 0 }))
    const others = [1, 2, 3, 4].map(async (taker) => {
      const lock = held(await sessionLocks().acquire(file, { waitMs: 60_000 }))
      order.push(taker)
      await lock.release()
    })
    await first.release()
    await Promise.all(others)
    expect(order).toEqual([1, 2, 3, 4])
  })

  it('nothing nests in a hold that was lost', async () => {
    const outer = held(await locks.acquire(file, { waitMs: 0 }))
    rmSync(lockFile)
    expect(await locks.acquire(file, { waitMs: 0, within: outer })).toMatchObject({ reason: 'failed' })
  })
})

describe('M7 stale locks', () => {
  const made = new Date().toISOString()

  it('passes on when its owner is killed', async () => {
    const other = await child('hold', file, 0)
    other.process.kill('SIGKILL')
    await other.ended
    expect(existsSync(lockFile)).toBe(true)
    expect(await locks.owner(file)).toBeNull()
    const hold = held(await locks.acquire(file, { waitMs: 0 }))
    expect(hold.removed).toMatchObject([{ reason: 'dead-pid', owner: { pid: other.process.pid } }])
    await hold.release()
    expect(readdirSync(root).filter((name) => name.includes('.lock'))).toEqual([])
  })

  it('goes to one only of several that find it stale', async () => {
    for (let round = 0; round < 5; round++) {
      writeFileSync(lockFile, JSON.stringify({ pid: 2 ** 30, createdAt: made }))
      const others = await Promise.all([1, 2, 3].map(() => child('hold', file, 0)))
      expect(others.filter(({ word }) => word === 'held')).toHaveLength(1)
      for (const other of others) other.process.kill('SIGTERM')
      await Promise.all(others.map(({ ended }) => ended))
      expect(existsSync(lockFile)).toBe(false)
    }
  })

  const parent = process.ppid
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  const alive = { pid: parent, createdAt: made }
  const started = systemProcesses.startTicks(parent)

  it.runIf(started !== null)('knows a number that was given to another process', async () => {
    writeFileSync(lockFile, JSON.stringify({ ...alive, starttime: (started ?? 0) - 1 }))
    const hold = held(await locks.acquire(file, { waitMs: 0 }))
    expect(hold.removed).toMatchObject([{ reason: 'recycled-pid' }])
    await hold.release()
  })

  it.runIf(started !== null)(
    'knows such a number without a start time: the process is younger and no client',
    async () => {
      writeFileSync(lockFile, JSON.stringify({ ...alive, createdAt: '2020-01-01T00:00:00.000Z' }))
      const hold = held(await locks.acquire(file, { waitMs: 0 }))
      expect(hold.removed).toMatchObject([{ reason: 'recycled-pid' }])
      await hold.release()
    },
  )

  it.runIf(started !== null)(
    'M4 a lock whose time is a number stays with the process that made it, whatever its age',
    async () => {
      const owner = spawn('sleep', ['60'])
      onTestFinished(() => void owner.kill())
      // A program that is just being loaded has no arguments yet, and without them no process is taken for another one.
      await expect.poll(() => systemProcesses.argv(owner.pid ?? 0)?.[0]).toBe('sleep')
      const later = (minutes: number) => sessionLocks({ now: () => Date.now() + minutes * 60_000 })
      writeFileSync(lockFile, JSON.stringify({ pid: owner.pid, createdAt: Date.now() }))
      for (const minutes of [0, 1, 31, 600])
        expect(await later(minutes).acquire(file, { waitMs: 0 })).toMatchObject({
          reason: 'busy',
          owner: { pid: owner.pid },
        })
      writeFileSync(lockFile, JSON.stringify({ pid: owner.pid, createdAt: Date.now() - 3_600_000 }))
      const hold = held(await locks.acquire(file, { waitMs: 0 }))
      expect(hold.removed).toMatchObject([{ reason: 'recycled-pid' }])
      await hold.release()
    },
  )

  const living: [string, object | string, number?][] = [
    ['a living owner', alive],
    ['a lock of the first generation, 20 minutes old', { ...alive, createdAt: minutesAgo(20) }],
    ['a lock without any content, just made', ''],
    ['a lock of a living owner with an unusable time, 31 minutes old', { ...alive, createdAt: 12 }, 31],
    ['a lock whose time is a number, of a living owner', { ...alive, createdAt: Date.now() }, 1],
    ['a lock of a living owner, however old, where the system does not tell its start', alive, 600],
  ]
  if (started !== null) {
    const proven = { ...alive, createdAt: minutesAgo(90), starttime: started }
    living.push(['the very owner, however old', proven])
  }
  it.each(living)('M4 does not touch %s', async (_name, payload, ageMinutes = 0) => {
    const processes = { ...systemProcesses, startedAt: () => null }
    writeFileSync(lockFile, typeof payload === 'string' ? payload : JSON.stringify(payload))
    const before = readFileSync(lockFile, 'utf8')
    const now = () => Date.now() + ageMinutes * 60_000
    const taken = await sessionLocks({ processes, now }).acquire(file, { waitMs: 0 })
    expect(taken).toMatchObject({ reason: 'busy' })
    expect(readFileSync(lockFile, 'utf8')).toBe(before)
  })

  it.each([
    ['unreadable', '', 1],
    ['unreadable', '[1', 1],
    ['missing-pid', JSON.stringify({ createdAt: made }), 1],
    ['not-ours', JSON.stringify({ pid: process.pid, createdAt: made }), 0],
  ])('removes a lock that is %s: %s', async (reason, text, ageMinutes) => {
    const processes = { ...systemProcesses, startedAt: () => null }
    writeFileSync(lockFile, text)
    const now = () => Date.now() + ageMinutes * 60_000
    const hold = held(await sessionLocks({ now, processes }).acquire(file, { waitMs: 0 }))
    expect(hold.removed).toMatchObject([{ reason }])
    await hold.release()
  })
})

describe('M8 signals', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGQUIT', 'SIGABRT'] as const)(
    '%s removes the lock file, and ends the process',
    async (signal) => {
      const other = await child('hold', file, 0)
      expect(existsSync(lockFile)).toBe(true)
      other.process.kill(signal)
      expect(await other.ended).toBeNull()
      expect(other.process.signalCode).toBe(signal)
      expect(existsSync(lockFile)).toBe(false)
    },
  )

  it('leaves a lock that somebody else put in its place', async () => {
    const other = await child('hold', file, 0)
    rmSync(lockFile)
    writeFileSync(lockFile, 'theirs')
    other.process.kill('SIGTERM')
    await other.ended
    expect(readFileSync(lockFile, 'utf8')).toBe('theirs')
  })
})

describe('a hold', () => {
  it('is lost when its lock is taken away or replaced, and then touches nothing', async () => {
    const hold = held(await locks.acquire(file, { waitMs: 0 }))
    const text = readFileSync(lockFile, 'utf8')
    writeFileSync(`${lockFile}.new`, text)
    renameSync(`${lockFile}.new`, lockFile)
    expect(await hold.stillHeld()).toBe(false)
    await hold.release()
    expect(readFileSync(lockFile, 'utf8')).toBe(text)
  })

  it.runIf(process.platform !== 'win32')(
    'makes this process look like a client, and only as long',
    async () => {
      const looks = () => looksLikeClient(systemProcesses.argv(process.pid) ?? [])
      expect(looks()).toBe(false)
      const first = held(await locks.acquire(file, { waitMs: 0 }))
      const second = held(await locks.acquire(`${file}l`, { waitMs: 0 }))
      await first.release()
      expect(looks()).toBe(true)
      await second.release()
      expect(looks()).toBe(false)
    },
  )
})

describe('bad input', () => {
  it('says why a lock cannot be made', async () => {
    const result = await locks.acquire(join(root, 'nowhere', 'x.jsonl'), { waitMs: 0 })
    expect(result).toMatchObject({
      reason: 'failed',
      problem: expect.stringContaining('folder is not there'),
    })
  })

  it('says why a lock cannot be removed or made on a file system that is read-only or full', async (context) => {
    const disk = mountSmallDisk(1)
    context.skip(disk === null, 'needs the right to mount a file system')
    if (disk === null) return
    onTestFinished(() => disk.remove())
    const there = join(disk.folder, 'x.jsonl')
    writeFileSync(there, '')
    // Filled to the last byte: a name can still be made, its content not.
    expect(() => writeFileSync(join(disk.folder, 'filler'), Buffer.alloc(2 * 1024 * 1024))).toThrow(/ENOSPC/)
    expect(await locks.acquire(there, { waitMs: 0 })).toMatchObject({
      reason: 'failed',
      problem: expect.stringContaining('the disk is full'),
    })
    expect(readdirSync(disk.folder).sort()).toEqual(['filler', 'x.jsonl'])
    rmSync(join(disk.folder, 'filler'))
    const stale = JSON.stringify({ pid: 2 ** 30, createdAt: new Date().toISOString() })
    writeFileSync(`${there}.lock`, stale)
    disk.close()
    expect(await locks.acquire(there, { waitMs: 0 })).toMatchObject({
      reason: 'failed',
      problem: expect.stringContaining('read-only file system'),
    })
    expect(readFileSync(`${there}.lock`, 'utf8')).toBe(stale)
  })

  it('does not take a folder or a link for a lock', async () => {
    mkdirSync(lockFile)
    expect(await locks.acquire(file, { waitMs: 0 })).toMatchObject({
      reason: 'failed',
      problem: expect.stringContaining('is a folder'),
    })
    rmSync(lockFile, { recursive: true })
    symlinkSync(file, lockFile)
    expect(await locks.acquire(file, { waitMs: 0 })).toMatchObject({
      reason: 'failed',
      problem: expect.stringContaining('symbolic link'),
    })
    expect(await locks.owner(file)).toMatchObject({
      pid: null,
      evidence: expect.stringContaining('symbolic link'),
    })
  })
})
