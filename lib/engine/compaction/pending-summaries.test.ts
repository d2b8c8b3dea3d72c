import { describe, expect, it } from 'vitest'
import { INTENT } from '../../testing/write-scenarios'
import type { Receipt, ReceiptProof } from '../write/receipt'
import { PendingSummaries } from './pending-summaries'

const receipt = (id: string, over: Partial<Receipt> = {}): Receipt => ({
  ...INTENT,
  ...{ id, kind: 'compact', at: 1, root: '/store', store: 'openclaw', files: [], state: 'done' },
  ...{ undoneBy: null, undoes: null, problem: null, verified: true, summary: {} },
  ...over,
})
const waits = { summary: { pending: true } }

/** Receipts of a store, newest first; null is one that cannot be read. */
function listed(...receipts: readonly (readonly [string, Receipt | null | Error])[]) {
  const byId = new Map(receipts)
  const asked: string[] = []
  const proofs = new Map<string, ReceiptProof>()
  const pending = new PendingSummaries({
    ids: async () => [...byId.keys()],
    read: async (id) => {
      asked.push(id)
      const found = byId.get(id) ?? null
      if (found instanceof Error) throw found
      return found === null ? null : { receipt: found, proof: proofs.get(id) ?? { kind: 'proved' } }
    },
  })
  const list = async () => (await pending.list()).map(({ id }) => id)
  return { list, asked, byId, proofs }
}
const of = (...receipts: readonly Receipt[]) => listed(...receipts.map((one) => [one.id, one] as const))

describe('D25 summaries that are asked for again', () => {
  it.each([{ kind: 'older' }, { kind: 'not-proved', why: 'altered' }] as const)(
    'not for a receipt that another hand may have written: $kind',
    async (proof) => {
      const { list, proofs } = of(receipt('2', waits), receipt('1', waits))
      proofs.set('2', proof)
      expect(await list()).toEqual(['1'])
    },
  )

  it('those that wait, oldest first', async () => {
    expect(await of(receipt('3', waits), receipt('2'), receipt('1', waits)).list()).toEqual(['1', '3'])
  })

  it('not those that were filled; again those whose filling was taken back', async () => {
    const fills = { summary: { fills: '1' } }
    expect(await of(receipt('2', fills), receipt('1', waits)).list()).toEqual([])
    expect(await of(receipt('2', { ...fills, state: 'undone' }), receipt('1', waits)).list()).toEqual(['1'])
  })

  it('not those that were taken back, failed, or do not wait', async () => {
    const others = (['undone', 'failed', 'pending', 'preparing'] as const).map((state, i) =>
      receipt(String(i), { ...waits, state }),
    )
    expect(await of(...others, receipt('8', { summary: { pending: false } })).list()).toEqual([])
    expect(await of(receipt('9', { summary: { pending: 'yes' } })).list()).toEqual([])
  })

  it('what cannot be read, or has gone, is no hindrance', async () => {
    const { list } = listed(['3', new Error('no receipt')], ['2', null], ['1', receipt('1', waits)])
    expect(await list()).toEqual(['1'])
  })

  it('what was taken back or failed is read once, when it was done before as well', async () => {
    const { list, asked, byId } = of(
      receipt('4', { ...waits, state: 'undone' }),
      receipt('3', { summary: { fills: '1' }, state: 'failed' }),
      receipt('2', waits),
      receipt('1', waits),
    )
    expect(await list()).toEqual(['1', '2'])
    byId.set('2', receipt('2', { ...waits, state: 'undone' }))
    expect(await list()).toEqual(['1'])
    asked.length = 0
    expect(await list()).toEqual(['1'])
    expect(asked).toEqual(['1'])
  })

  it('what says nothing of it is read once; what may change is read each time', async () => {
    const { list, asked, byId } = of(
      receipt('5'),
      receipt('4', { summary: { fills: '1' } }),
      receipt('3', { state: 'pending' }),
      receipt('2', { state: 'undone' }),
      receipt('1', waits),
    )
    await list()
    byId.set('3', receipt('3', waits))
    byId.set('4', receipt('4', { summary: { fills: '1' }, state: 'undone' }))
    asked.length = 0
    expect(await list()).toEqual(['1', '3'])
    expect(asked).toEqual(['4', '3', '1'])
  })

  it('only the newest 500 are looked through', async () => {
    const many = Array.from({ length: 501 }, (_, i) => receipt(`r${i}`, i >= 499 ? waits : {}))
    const { list, asked } = of(...many)
    expect(await list()).toEqual(['r499'])
    expect(asked).toHaveLength(500)
  })
})
