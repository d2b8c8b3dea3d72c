import { describe, expect, it } from 'vitest'
import { MemoryDisk } from '../testing/memory-disk'
import { testWriter } from '../testing/test-writer'
import { beginOutside } from './outside-receipt'
import { settleWrites } from './settle-writes'

const HOUR = 3_600_000

describe('a receipt of what OpenClaw was told to do, whose process ended before it', () => {
  const intent = {
    kind: 'maintain',
    actor: 'cli',
    reason: 'By OpenClaw itself.',
    session: null,
    summary: { agent: 'main' },
  } as const

  it('waits while OpenClaw may still be at it, and then says that nobody knows', async () => {
    let now = 10 * HOUR
    const writer = testWriter(new MemoryDisk(), { now: () => now })
    const { id } = await beginOutside(writer, intent, '/store')
    now += HOUR
    expect(await settleWrites(writer)).toMatchObject({
      settled: [],
      waiting: [{ receipt: id, why: expect.stringContaining('may still be at it') }],
    })
    now += 2 * HOUR
    const { settled, waiting } = await settleWrites(writer)
    expect(waiting).toEqual([])
    expect(settled).toMatchObject([
      { id, state: 'failed', verified: false, problem: expect.stringContaining('not verified') },
    ])
    expect(writer.rowsPut.get(id)?.state).toBe('failed')
    expect(await settleWrites(writer)).toEqual({ settled: [], waiting: [] })
  })
})
