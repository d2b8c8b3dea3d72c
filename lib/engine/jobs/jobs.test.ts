import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { JobContext, JobKinds, JobOutcome, JobPorts, JobRow } from './job-ports'
import { JobRunner } from './jobs'

type Kinds = { readonly dig: { readonly hole: string }; readonly look: null }

const DONE: JobOutcome = { kind: 'done', message: 'Dug.', receipt: null }

/** A hole that is dug as the test says, over rows in memory. */
function setup({ alive = [] as string[], own = 'this', kept = [] as JobRow[], atOnce = 2 } = {}) {
  const rows = new Map(kept.map((row) => [row.id, row]))
  const puts: JobRow[] = []
  let count = kept.length
  const ports: JobPorts = {
    clock: { now: Date.now },
    ids: { job: () => `job-${++count}` },
    rows: {
      put: async (row) => {
        puts.push(row)
        rows.set(row.id, row)
      },
      unfinished: async () => [...rows.values()].filter(({ endedAt }) => endedAt === null),
    },
    processes: { own, isAlive: (name) => alive.includes(name) },
  }
  const holes = new Map<string, (context: JobContext) => Promise<JobOutcome>>()
  const begun: string[] = []
  const kinds: JobKinds<Kinds> = {
    dig: {
      describe: ({ hole }) => ({ title: `Dig ${hole}`, lane: hole, sessionId: hole, storeId: null }),
      run: async ({ hole }, context) => {
        begun.push(hole)
        return (await holes.get(hole)?.(context)) ?? DONE
      },
    },
    look: {
      describe: () => ({ title: 'Look', lane: 'look', sessionId: null, storeId: null }),
      joins: true,
      run: async (_, { signal }) => {
        await stopped(signal)
        return { kind: 'stopped', message: 'Looked away.' }
      },
    },
  }
  const runner = new JobRunner<Kinds>(ports, kinds, atOnce)
  return { runner, rows, puts, holes, begun, row: (id: string) => rows.get(id) }
}

const stopped = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
const settle = () => vi.advanceTimersByTimeAsync(1)

describe('X16 jobs', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('keeps what it does before it begins, how far it is, and what came of it', async () => {
    const { runner, row, holes } = setup()
    let go = () => {}
    holes.set('a', async ({ report, underReceipt }) => {
      report({ done: 1, of: 3, doing: 'Digging' })
      await underReceipt('r1')
      await new Promise<void>((resolve) => {
        go = resolve
      })
      return { kind: 'done', message: 'Dug.', receipt: 'r1', result: { depth: 2 } }
    })
    const { id } = await runner.start('dig', { hole: 'a' })
    expect(row(id)).toMatchObject({ state: 'waiting', title: 'Dig a', params: { hole: 'a' } })
    await vi.advanceTimersByTimeAsync(200)
    expect(row(id)).toMatchObject({ state: 'running', done: 1, of: 3, doing: 'Digging', receipt: 'r1' })
    go()
    await settle()
    expect(row(id)).toMatchObject({ state: 'done', done: 3, message: 'Dug.', result: { depth: 2 } })
    expect(row(id)?.endedAt).toBe(Date.now() - 1)
  })

  it('keeps the last of many reports, and few of them', async () => {
    const { runner, row, puts, holes } = setup()
    holes.set('a', async ({ report, signal }) => {
      for (let i = 1; i <= 1000; i++) report({ done: i, of: 1000, doing: `Stone ${i}` })
      await stopped(signal)
      return DONE
    })
    const { id } = await runner.start('dig', { hole: 'a' })
    await vi.advanceTimersByTimeAsync(200)
    expect(row(id)).toMatchObject({ done: 1000, doing: 'Stone 1000' })
    expect(puts.length).toBeLessThan(5)
    await runner.cancel(id)
    await settle()
    // It was done when it heard of it.
    expect(row(id)).toMatchObject({ state: 'done' })
  })

  it('runs one job at a time for each session, and no more at once than the cap', async () => {
    const { runner, begun, holes } = setup()
    const ends: (() => void)[] = []
    for (const hole of ['a', 'b', 'c'])
      holes.set(hole, () => new Promise((resolve) => ends.push(() => resolve(DONE))))
    for (const hole of ['a', 'a', 'b', 'c']) await runner.start('dig', { hole })
    await settle()
    expect(begun).toEqual(['a', 'b'])
    ends.shift()?.()
    await settle()
    expect(begun).toHaveLength(3)
    while (ends.length > 0) {
      ends.shift()?.()
      await settle()
    }
    expect(begun.sort()).toEqual(['a', 'a', 'b', 'c'])
  })

  it('stops a job that runs where it can be stopped, and one that waits at once', async () => {
    const { runner, row, begun, holes } = setup({ atOnce: 1 })
    holes.set('a', async ({ signal }) => {
      await stopped(signal)
      throw new Error('aborted')
    })
    const first = await runner.start('dig', { hole: 'a' })
    const second = await runner.start('dig', { hole: 'b' })
    await settle()
    expect(await runner.cancel(second.id)).toBe('cancelling')
    expect(row(second.id)).toMatchObject({ state: 'cancelled', startedAt: null })
    expect(await runner.cancel(first.id)).toBe('cancelling')
    await settle()
    expect(row(first.id)).toMatchObject({ state: 'cancelled' })
    expect(begun).toEqual(['a'])
    expect(await runner.cancel(first.id)).toBe('ended')
  })

  it('tells a refusal from a fault', async () => {
    const { runner, row, holes } = setup()
    holes.set('a', async () => ({ kind: 'refused', message: 'It is locked.' }))
    holes.set('b', async () => {
      throw new Error('The spade broke.')
    })
    const [a, b] = [await runner.start('dig', { hole: 'a' }), await runner.start('dig', { hole: 'b' })]
    await settle()
    expect(row(a.id)).toMatchObject({ state: 'refused', message: 'It is locked.' })
    expect(row(b.id)).toMatchObject({ state: 'failed', message: 'The spade broke.' })
  })

  it('asked for the same again, answers the job that is under way', async () => {
    const { runner } = setup()
    const first = await runner.start('look', null)
    expect((await runner.start('look', null)).id).toBe(first.id)
    await settle()
    await runner.cancel(first.id)
    await settle()
    expect((await runner.start('look', null)).id).not.toBe(first.id)
  })

  it('says of jobs whose process is gone that they were interrupted, with their receipt, and of no others', async () => {
    const left = async (own: string) => {
      const before = setup({ own })
      before.holes.set('a', async ({ underReceipt, signal }) => {
        await underReceipt('r1')
        await stopped(signal)
        return DONE
      })
      await before.runner.start('dig', { hole: 'a' })
      await settle()
      return [...before.rows.values()]
    }
    const rename = (row: JobRow): JobRow => ({ ...row, id: `${row.process}-${row.id}` })
    const kept = [...(await left('dead')), ...(await left('beside'))].map(rename)
    const { runner, row } = setup({ kept, alive: ['beside'] })
    const mine = await runner.start('look', null)
    expect((await runner.settle()).map(({ id }) => id)).toEqual(['dead-job-1'])
    expect(row('dead-job-1')).toMatchObject({ state: 'interrupted', receipt: 'r1', endedAt: Date.now() })
    expect(row('beside-job-1')).toMatchObject({ state: 'running' })
    expect(row(mine.id)).toMatchObject({ endedAt: null })
    expect(await runner.cancel('beside-job-1')).toBe('elsewhere')
  })

  it('tells whoever waits how a job ended', async () => {
    const { runner, holes } = setup({ atOnce: 1 })
    holes.set('a', async () => {
      throw new Error('The spade broke.')
    })
    const first = await runner.start('dig', { hole: 'a' })
    const second = await runner.start('dig', { hole: 'b' })
    const ends = Promise.all([runner.whenEnded(first.id), runner.whenEnded(second.id)])
    await runner.cancel(second.id)
    await settle()
    expect((await ends).map((row) => row?.state)).toEqual(['failed', 'cancelled'])
    expect(await runner.whenEnded(first.id)).toBeNull()
  })

  it('keeps the end of a job as soon as the database takes it, and does not go on until then as if it ran', async () => {
    const { runner, rows, row, holes } = setup()
    let go = () => {}
    holes.set('a', async ({ report }) => {
      report({ done: 9, of: 13, doing: 'Keeping a copy' })
      await new Promise<void>((resolve) => {
        go = resolve
      })
      return DONE
    })
    const { id } = await runner.start('dig', { hole: 'a' })
    await vi.advanceTimersByTimeAsync(200)
    const ended = runner.whenEnded(id)
    const busy = vi.spyOn(rows, 'set').mockImplementation(() => {
      throw new Error('database is locked')
    })
    go()
    await vi.advanceTimersByTimeAsync(20_000)
    expect((await ended)?.state).toBe('done')
    expect(row(id)).toMatchObject({ state: 'running', doing: 'Keeping a copy' })
    busy.mockRestore()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(row(id)).toMatchObject({ state: 'done', done: 13, message: 'Dug.' })
  })

  it('does not begin what cannot be kept', async () => {
    const { runner, begun, rows } = setup()
    const full = vi.spyOn(rows, 'set').mockImplementation(() => {
      throw new Error('disk full')
    })
    await expect(runner.start('dig', { hole: 'a' })).rejects.toThrow('disk full')
    full.mockRestore()
    await settle()
    expect(begun).toEqual([])
  })
})
