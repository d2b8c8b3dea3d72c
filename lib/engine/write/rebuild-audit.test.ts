import { expect, it } from 'vitest'
import { MemoryDisk } from '../../testing/memory-disk'
import { testWriter } from '../../testing/test-writer'
import { INTENT } from '../../testing/write-scenarios'
import { beginOutside } from './outside-receipt'
import { rebuildAudit } from './rebuild-audit'
import type { Receipt } from './receipt'

it('M9 the audit table is made again from the receipts, in batches; what cannot be read is answered', async () => {
  const writer = testWriter(new MemoryDisk())
  const begun = await beginOutside(writer, { ...INTENT }, '/store')
  const ids = Array.from({ length: 201 }, (_, at) => `r${at}`)
  const batches: number[] = []
  const put: Receipt[] = []
  const rebuild = (get: (id: string) => Receipt | null, some = ids) =>
    rebuildAudit({
      receipts: { ...writer.receipts, ids: async () => some, get: async (id) => get(id) },
      rows: {
        put: async (rows) => {
          batches.push(rows.length)
          put.push(...rows)
        },
      },
    })
  expect(await rebuild((id) => ({ ...begun, id }))).toEqual([])
  expect([batches, put.map(({ id }) => id)]).toEqual([[200, 1], ids])
  batches.length = 0
  // One that is gone by then is no problem, and nothing at all is no batch.
  const problems = await rebuild(
    (id) => {
      if (id === 'r1') throw new Error('r1 is torn')
      return id === 'r0' ? { ...begun, id } : null
    },
    ids.slice(0, 3),
  )
  expect([problems, batches]).toEqual([['r1 is torn'], [1]])
  expect([await rebuild(() => null, []), batches]).toEqual([[], [1]])
})
