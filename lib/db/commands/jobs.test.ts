import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JobRow } from '../../engine/jobs/job-ports'
import { createTestDatabase, type TestDatabase } from '../../testing/database'
import { findEndedJobs, findJob, findUnfinishedJobs, hasFreshJobs } from '../queries/jobs'
import { readLiveStamp } from '../queries/live-stamp'
import { jobRows } from './jobs'

const job = (over: Partial<JobRow> = {}): JobRow => ({
  id: '20261103T081500123-0a',
  kind: 'repair',
  title: 'Repair harbour',
  lane: 'abc',
  sessionId: 'abc',
  storeId: null,
  params: { session: 'abc', nothing: null },
  process: '12 345',
  state: 'running',
  done: 1,
  of: null,
  doing: 'Looking',
  receipt: null,
  message: null,
  result: null,
  createdAt: 1_000,
  startedAt: 2_000,
  endedAt: null,
  ...over,
})

describe('X16 the table of jobs', () => {
  let database: TestDatabase
  beforeEach(() => {
    database = createTestDatabase()
  })
  afterEach(() => database.destroy())

  it('answers a job as it was kept, at every stage', async () => {
    const rows = jobRows(database.connection)
    await rows.put(job())
    expect(await rows.unfinished()).toEqual([job()])
    const ended = job({
      state: 'done',
      done: 5,
      of: 5,
      receipt: 'r1',
      message: 'Repaired.',
      result: { findings: 3 },
      endedAt: 9_000,
    })
    await rows.put(ended)
    expect(findJob(database, ended.id)).toEqual(ended)
    expect(findUnfinishedJobs(database)).toEqual([])
    expect(findEndedJobs(database, { skip: 0, limit: 10 })).toEqual({ total: 1, jobs: [ended] })
    expect(findJob(database, 'none')).toBeNull()
  })

  it('lets the live line hear of every change', async () => {
    const rows = jobRows(database.connection)
    const seen = [readLiveStamp(database).jobs]
    for (const done of [1, 2]) {
      await rows.put(job({ done }))
      seen.push(readLiveStamp(database).jobs)
    }
    expect(seen).toEqual([0, 1, 2])
    expect(hasFreshJobs(database, 5_000)).toBe(true)
    await rows.put(job({ state: 'failed', endedAt: 4_000 }))
    expect(hasFreshJobs(database, 3_999)).toBe(true)
    expect(hasFreshJobs(database, 4_000)).toBe(false)
  })

  it('forgets the oldest of those that have ended, never one that goes on', async () => {
    const rows = jobRows(database.connection)
    await rows.put(job({ id: '0-goes-on' }))
    for (let i = 1; i <= 503; i++)
      await rows.put(job({ id: `1-${String(i).padStart(4, '0')}`, state: 'done', endedAt: i }))
    const { total, jobs } = findEndedJobs(database, { skip: 499, limit: 10 })
    expect(total).toBe(500)
    expect(jobs.map(({ id }) => id)).toEqual(['1-0004'])
    expect(findUnfinishedJobs(database).map(({ id }) => id)).toEqual(['0-goes-on'])
  })
})
