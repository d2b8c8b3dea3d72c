import { describe, expect, it } from 'vitest'
import { INTENT } from '../../testing/write-scenarios'
import type { Receipt } from '../write/receipt'
import { recoveryUndoneBy } from './log-undo'

const receipt = (id: string, over: Partial<Receipt>): Receipt => ({
  ...INTENT,
  ...{ id, at: 1, root: '/store', store: 'pi', files: [], state: 'done', undoneBy: null, undoes: null },
  ...{ problem: null, verified: true },
  ...over,
})
const undoOf = (id: string, undoes: string | null) => receipt(id, { kind: 'undo', undoes })
const RECOVERY = receipt('r', { kind: 'recover', summary: { chunk: 'c1', session: 's1', tokens: 40 } })

/** What an undo was about, with these receipts to be found. */
const about = (undo: Receipt, ...others: readonly Receipt[]) =>
  recoveryUndoneBy({ get: async (id) => others.find((one) => one.id === id) ?? null }, undo)

describe('I7 what an undo did to a chunk that had come back', () => {
  it('took it back; the undo of that undo put it back again', async () => {
    const back = { chunkId: 'c1', sessionId: 's1', tokens: 40, isBack: false }
    expect(await about(undoOf('u1', 'r'), RECOVERY)).toEqual(back)
    expect(await about(undoOf('u2', 'u1'), undoOf('u1', 'r'), RECOVERY)).toEqual({ ...back, isBack: true })
    expect(await about(undoOf('u3', 'u2'), undoOf('u2', 'u1'), undoOf('u1', 'r'), RECOVERY)).toEqual(back)
  })

  it('nothing, where it was about something else, or that is not known any more', async () => {
    expect(
      await about(undoOf('u1', 'r'), receipt('r', { kind: 'repair', summary: RECOVERY.summary })),
    ).toBeNull()
    expect(await about(undoOf('u1', 'r'))).toBeNull()
    expect(await about(undoOf('u1', null), RECOVERY)).toBeNull()
  })

  it.each([[{ chunk: 7, session: 's1' }], [{ chunk: 'c1', session: null }], [{}]])(
    'nothing, where the receipt does not name chunk and session: %j',
    async (summary) => {
      expect(await about(undoOf('u1', 'r'), { ...RECOVERY, summary })).toBeNull()
    },
  )

  it('tokens are unknown where they are no number', async () => {
    const unknown = { ...RECOVERY, summary: { ...RECOVERY.summary, tokens: '40' } }
    expect(await about(undoOf('u1', 'r'), unknown)).toMatchObject({ tokens: null })
  })
})
