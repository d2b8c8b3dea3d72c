import { beforeEach, describe, expect, it } from 'vitest'
import { MemoryDisk } from '../../testing/memory-disk'
import { testWriter } from '../../testing/test-writer'
import { acquireLocks } from './acquire-locks'
import type { HeldLock, LockOptions, LockOwner, LockResult } from './lock-ports'
import type { Writer } from './write-ports'
import type { WaitOptions } from './write-requests'

const [A, B, C] = ['/s/a', '/s/b', '/s/c']
const OWNER: LockOwner = { pid: 7, since: null, command: null, via: 'run', evidence: 'the process' }

let now = 0
let reported: string[] = []
beforeEach(() => {
  now = 1_000
  reported = []
})

type World = {
  readonly takes?: (file: string, options: LockOptions) => LockResult
  /** Who works with a session, asked for the n-th time from 1. */
  readonly live?: (time: number, session: { readonly file: string }) => LockOwner | null
  readonly stillHeld?: boolean
  readonly released?: (file: string) => void
}

function holdOf(file: string, { stillHeld = true, released = () => undefined }: World = {}): HeldLock {
  return {
    lockFile: `${file}.lock`,
    removed: [],
    stillHeld: async () => stillHeld,
    release: async () => {
      reported.push(`give ${file}`)
      released(file)
    },
  }
}

function writerOf(world: World = {}): Writer {
  let looks = 0
  return {
    ...testWriter(new MemoryDisk(), { now: () => now }),
    locks: {
      owner: async () => null,
      acquire: async (file, options) => {
        reported.push(`take ${file}`)
        return world.takes?.(file, options) ?? { held: true, lock: holdOf(file, world) }
      },
    },
    live: {
      find: async (session) => {
        reported.push(`look ${session.file}`)
        return world.live?.(++looks, session) ?? null
      },
    },
  }
}
const take = (paths: readonly string[], world: World = {}, wait: WaitOptions = { waitMs: 0 }) =>
  acquireLocks(writerOf(world), { paths, root: '/s', kind: 'pi', wait })
const refused = (code: string, words: RegExp) => ({
  refusal: { code, message: expect.stringMatching(words) },
})

describe('M4 the right to write', () => {
  it('looks for anybody else, takes each lock once in the order of names, and looks again', async () => {
    const holds = await take([C, A, C, B])
    expect(reported).toEqual([
      ...[`look ${A}`, `look ${B}`, `look ${C}`],
      ...[`take ${A}`, `take ${B}`, `take ${C}`],
      ...[`look ${A}`, `look ${B}`, `look ${C}`],
    ])
    reported = []
    expect(await holds.release()).toEqual([])
    expect(reported).toEqual([`give ${C}`, `give ${B}`, `give ${A}`])
  })

  it('asks for the sessions of this store', async () => {
    const asked: unknown[] = []
    await take([A], {
      live: (_time, session) => {
        asked.push(session)
        return null
      },
    })
    expect(asked[0]).toEqual({ file: A, root: '/s', kind: 'pi' })
  })

  it('is asked for again before each write: it may have been lost, and only what was taken is ours', async () => {
    const holds = await take([A])
    await holds.demand(A)
    await expect(holds.demand(B)).rejects.toMatchObject(refused('locked', /^\/s\/b: its lock was lost/))
    const lost = await take([A], { stillHeld: false })
    await expect(lost.demand(A)).rejects.toMatchObject(refused('locked', /^\/s\/a: its lock was lost/))
  })

  it('is given back whole where a lock cannot be had', async () => {
    const busy = (file: string): LockResult =>
      file === C ? { held: false, reason: 'busy', owner: OWNER } : { held: true, lock: holdOf(file) }
    await expect(take([A, B, C], { takes: busy })).rejects.toMatchObject(
      refused('locked', /^\/s\/c is locked by process 7, as the process tells\. Wait for its end/),
    )
    expect(reported.slice(-2)).toEqual([`give ${B}`, `give ${A}`])
  })

  it.each<[LockResult, string, RegExp]>([
    [{ held: false, reason: 'stopped' }, 'stopped', /the lock of \/s\/a; nothing was changed/],
    [{ held: false, reason: 'failed', problem: 'No lock here.' }, 'failed', /^No lock here\.$/],
  ])('says why a lock cannot be had: %j', async (result, code, words) => {
    await expect(take([A], { takes: () => result })).rejects.toMatchObject(refused(code, words))
  })

  it('what cannot be given back is answered, and the rest is', async () => {
    const released = (file: string) => {
      if (file === B) throw new Error('it is gone')
      if (file === A) throw 'for no reason'
    }
    const holds = await take([A, B, C], { released })
    expect(await holds.release()).toEqual([
      `The lock ${B}.lock could not be given back: it is gone`,
      `The lock ${A}.lock could not be given back: for no reason`,
    ])
    expect(reported.slice(-3)).toEqual([`give ${C}`, `give ${B}`, `give ${A}`])
  })

  it('all locks together wait as long as the caller allows', async () => {
    const waits: number[] = []
    const takes = (file: string, { waitMs }: LockOptions): LockResult => {
      waits.push(waitMs)
      now += 400
      return { held: true, lock: holdOf(file) }
    }
    await take([A, B, C], { takes }, { waitMs: 500 })
    expect(waits).toEqual([500, 100, 0])
  })

  it('works under the hold that the caller has of the very file, and tells the lock the rest', async () => {
    const options: LockOptions[] = []
    const takes = (file: string, given: LockOptions): LockResult => {
      options.push(given)
      return { held: true, lock: holdOf(file) }
    }
    const own = holdOf(B)
    const onWait = () => undefined
    await take([A, B], { takes }, { waitMs: 0, onWait, within: [own, holdOf(C)] })
    expect(options).toEqual([
      { waitMs: 0, onWait },
      { waitMs: 0, onWait, within: own },
    ])
  })
})

describe('M4 a session that somebody works with', () => {
  it.each([
    ['run', /^This session is in use: process 7/],
    ['gateway', /^A gateway serves this session: process 7/],
  ] as const)('is not written: %s', async (via, words) => {
    const owner = { ...OWNER, via }
    await expect(take([A], { live: () => owner })).rejects.toMatchObject(refused('live', words))
    expect(reported).toEqual([`look ${A}`])
  })

  it('nor once the locks are ours, which are given back without waiting', async () => {
    const live = (time: number) => (time > 1 ? OWNER : null)
    const began = performance.now()
    await expect(take([A], { live }, { waitMs: 60_000 })).rejects.toMatchObject(
      refused('live', /This session is in use/),
    )
    expect(reported).toEqual([`look ${A}`, `take ${A}`, `look ${A}`, `give ${A}`])
    expect(performance.now() - began).toBeLessThan(30_000)
  })

  it('is waited for as long as the caller allows, and then written', async () => {
    const waited: LockOwner[] = []
    const live = (time: number) => (time === 1 ? OWNER : null)
    await take([A], { live }, { waitMs: 60_000, onWait: (owner) => waited.push(owner) })
    expect(waited).toEqual([OWNER])
    expect(reported).toEqual([`look ${A}`, `look ${A}`, `take ${A}`, `look ${A}`])
  })
})
