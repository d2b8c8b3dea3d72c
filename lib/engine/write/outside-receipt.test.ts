import { describe, expect, it } from 'vitest'
import { MemoryDisk } from '../../testing/memory-disk'
import { testWriter } from '../../testing/test-writer'
import { beginOutside, endOutside } from './outside-receipt'
import { recoverWrites } from './recover-writes'

const HOUR = 3_600_000

describe('a receipt of what OpenClaw was asked to do, whose process ended before it', () => {
  const intent = {
    kind: 'maintain',
    actor: 'cli',
    reason: 'By OpenClaw itself.',
    session: null,
    summary: { agent: 'main' },
  } as const

  it('waits while OpenClaw may still be at it, and then says that it is unknown', async () => {
    let now = 10 * HOUR
    const writer = testWriter(new MemoryDisk(), { now: () => now })
    const { id } = await beginOutside(writer, intent, '/store')
    now += HOUR
    expect(await recoverWrites(writer)).toMatchObject({
      settled: [],
      waiting: [{ receipt: id, why: expect.stringContaining('may still be at it') }],
    })
    now += HOUR
    const { settled, waiting } = await recoverWrites(writer)
    expect(waiting).toEqual([])
    expect(settled).toMatchObject([
      { id, state: 'failed', verified: false, problem: expect.stringContaining('not verified') },
    ])
    expect(writer.rowsPut.get(id)?.state).toBe('failed')
    expect(await recoverWrites(writer)).toEqual({ settled: [], waiting: [], leftAlone: [] })
  })

  it('begins with what is asked of OpenClaw, and ends with what came of it, in log, receipt, row and word', async () => {
    const writer = testWriter(new MemoryDisk(), { now: () => HOUR })
    const begun = await beginOutside(writer, intent, '/store')
    expect(begun).toEqual({
      ...intent,
      ...{ id: begun.id, at: HOUR, root: '/store', store: 'openclaw', files: [], by: 'openclaw' },
      ...{ state: 'pending', undoneBy: null, undoes: null, problem: null, verified: false },
    })
    expect(await writer.receipts.get(begun.id)).toEqual(begun)
    const end = { state: 'done', verified: true, problem: null, summary: { rows: 3 } } as const
    const { receipt, notes } = await endOutside(writer, begun, end, ['/store/a.db'])
    expect([receipt, notes]).toEqual([{ ...begun, ...end }, []])
    expect(await writer.receipts.get(begun.id)).toEqual(receipt)
    expect(writer.rowsPut.get(begun.id)).toEqual(receipt)
    expect(writer.written).toEqual(['/store/a.db'])
    await endOutside(writer, begun, end)
    expect(writer.written).toEqual(['/store/a.db'])
  })

  it('what cannot be written down is answered, and the rest is written', async () => {
    const writer = testWriter(new MemoryDisk(), { now: () => HOUR })
    const begun = await beginOutside(writer, intent, '/store')
    const fail = (what: unknown) => () => Promise.reject(what)
    const failing = { ...writer, log: { add: fail(new Error('full')) }, rows: { put: fail('locked') } }
    const end = { state: 'failed', verified: false, problem: 'no', summary: {} } as const
    const { receipt, notes } = await endOutside(failing, begun, end, ['/store/a.db'])
    expect(notes).toEqual([
      'The line of the audit log could not be written (full).',
      'The row of the audit table could not be written (locked).',
    ])
    expect(await writer.receipts.get(begun.id)).toEqual(receipt)
    expect(writer.written).toEqual(['/store/a.db'])
  })
})
