import { beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { MemoryDisk } from '../../testing/memory-disk'
import { testWriter } from '../../testing/test-writer'
import type { HeldLock, LockOptions, LockOwner, LockResult } from '../write/lock-ports'
import type { CompactionPorts, CompactionRequest, CompactionStep } from './compaction-ports'
import { LockTime, lockSession } from './lock-session'

const FILE = '/store/b.jsonl'
const OWNER: LockOwner = { pid: 7, since: null, command: null, via: 'run', evidence: 'the process' }

let noted: string[] = []
beforeEach(() => {
  noted = []
})
const holdOf = (file: string): HeldLock => ({
  lockFile: `${file}.lock`,
  removed: [],
  stillHeld: async () => true,
  release: async () => void noted.push(`give ${file}`),
})

type World = {
  readonly live?: LockOwner
  readonly takes?: (file: string) => LockResult
}

async function hold(index: string | null = null, { live, takes }: World = {}, waitMs = 5) {
  const disk = new MemoryDisk()
  await disk.put(FILE, 'x')
  const options: LockOptions[] = []
  const sessions: unknown[] = []
  const writer = {
    ...testWriter(disk),
    live: {
      find: async (session: unknown) => {
        sessions.push(session)
        return live ?? null
      },
    },
    locks: {
      owner: async () => null,
      acquire: async (file: string, given: LockOptions): Promise<LockResult> => {
        noted.push(`take ${file}`)
        options.push(given)
        return takes?.(file) ?? { held: true, lock: holdOf(file) }
      },
    },
  }
  const steps: CompactionStep[] = []
  const signal = new AbortController().signal
  const wait = { waitMs, within: [holdOf('/other')] }
  const request = {
    ...{ store: { root: '/store', kind: 'openclaw' }, transcript: { path: FILE }, wait, signal },
    onStep: (step: CompactionStep) => steps.push(step),
  }
  const held = await lockSession(
    { writer } as unknown as CompactionPorts,
    request as unknown as CompactionRequest,
    777,
    index,
  )
  return { held, options, steps, sessions, signal }
}
const refused = (code: string, words: RegExp) => ({
  refusal: { code, message: expect.stringMatching(words) },
})

describe('D12 the lock of a session that is compacted', () => {
  it('is taken when no process works with it, for no longer than it may be held, and not nested', async () => {
    const { held, options, steps, sessions, signal } = await hold()
    expect(held.map(({ lockFile }) => lockFile)).toEqual([`${FILE}.lock`])
    expect(options).toEqual([{ waitMs: 5, maxLockMs: 777, signal }])
    expect(steps).toEqual(['lock'])
    expect(sessions).toEqual([{ file: FILE, root: '/store', kind: 'openclaw' }])
  })

  it.each([
    ['/store/a.json', ['/store/a.json', FILE], [10_000, 5]],
    ['/store/z.json', [FILE, '/store/z.json'], [5, 10_000]],
  ])(
    'comes with that of the index, in the order of names, which is waited for longer: %s',
    async (index, files, waits) => {
      const { options } = await hold(index)
      expect(noted).toEqual(files.map((file) => `take ${file}`))
      expect(options.map(({ waitMs }) => waitMs)).toEqual(waits)
    },
  )

  it('whoever waits longer waits longer for the index as well', async () => {
    const { options } = await hold('/store/z.json', {}, 20_000)
    expect(options.map(({ waitMs }) => waitMs)).toEqual([20_000, 20_000])
  })

  it('is not taken while somebody works with the session', async () => {
    await expect(hold(null, { live: OWNER })).rejects.toMatchObject(
      refused('live', /This session is in use.*process 7/),
    )
    expect(noted).toEqual([])
  })

  it.each<[LockResult, string, RegExp]>([
    [
      { held: false, reason: 'busy', owner: OWNER },
      'locked',
      /z\.json is locked by process 7.*Try again later/,
    ],
    [{ held: false, reason: 'stopped' }, 'stopped', /nothing was changed/],
    [{ held: false, reason: 'failed', problem: 'No lock here.' }, 'failed', /^No lock here\.$/],
  ])('is given back where the other one cannot be had: %j', async (result, code, words) => {
    const takes = (file: string): LockResult => (file === FILE ? { held: true, lock: holdOf(file) } : result)
    await expect(hold('/store/z.json', { takes })).rejects.toMatchObject(refused(code, words))
    expect(noted).toEqual([`take ${FILE}`, 'take /store/z.json', `give ${FILE}`])
  })
})

describe('D13 how long locks are held, all times together', () => {
  const policy = { ...DEFAULT_POLICY, compaction: { ...DEFAULT_POLICY.compaction, timeoutMs: 1_000 } }

  it('two minutes more than a model may take; what was used is gone, and a moment always remains', async () => {
    let now = 5_000
    const time = new LockTime(policy, () => now)
    const most: number[] = []
    const work = async (ms: number) =>
      time.under(
        async (maxLockMs) => {
          most.push(maxLockMs)
          return []
        },
        async () => {
          now += ms
        },
      )
    await work(21_000)
    await work(99_999)
    await work(5_000)
    await work(0)
    expect(most).toEqual([121_000, 100_000, 1, 1])
  })

  it('gives the holds back the last first, once the release was reported, also when the work fails', async () => {
    const time = new LockTime(policy, () => 0)
    const holds = [holdOf('a'), holdOf('b')]
    const fault = new Error('no')
    const work = async (given: readonly HeldLock[]) => {
      expect(given).toBe(holds)
      noted.push('work')
      throw fault
    }
    const done = time.under(
      async () => holds,
      work,
      () => noted.push('release'),
    )
    await expect(done).rejects.toBe(fault)
    expect(noted).toEqual(['work', 'release', 'give b', 'give a'])
    expect(
      await time.under(
        async () => [],
        async () => 'answer',
      ),
    ).toBe('answer')
  })
})
