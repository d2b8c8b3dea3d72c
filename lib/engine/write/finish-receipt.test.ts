import { beforeEach, describe, expect, it } from 'vitest'
import { failingFiles } from '../../testing/failing-files'
import { MemoryDisk } from '../../testing/memory-disk'
import { type TestWriter, testWriter } from '../../testing/test-writer'
import { INTENT } from '../../testing/write-scenarios'
import { finishReceipt } from './finish-receipt'
import type { Receipt } from './receipt'
import { temporaryPath } from './temporary-path'
import type { Writer } from './write-ports'

const FILE = '/store/a.jsonl'
const TEMPORARY = temporaryPath(new MemoryDisk(), FILE, 'r2')

let disk: MemoryDisk
let writer: TestWriter
beforeEach(async () => {
  disk = new MemoryDisk()
  writer = testWriter(disk)
  await disk.makeFolder('/store')
})

const receipt = (over: Partial<Receipt> = {}): Receipt => ({
  ...INTENT,
  ...{ id: 'r2', at: 1, root: '/store', store: 'pi', state: 'pending', undoneBy: null, undoes: null },
  ...{ files: [{ path: FILE, before: null, after: null, backup: null }], problem: null, verified: false },
  ...over,
})

/** A writer that writes down what it is asked for; what is named fails. */
function watched(...failing: string[]): { readonly reported: string[]; readonly writer: Writer } {
  const reported: string[] = []
  const tell = (what: string) => {
    reported.push(what)
    if (failing.includes(what)) throw new Error(`no ${what}`)
  }
  return {
    reported,
    writer: {
      ...writer,
      log: { add: async ({ state }) => tell(`log ${state}`) },
      receipts: {
        ...writer.receipts,
        read: async (id) => {
          if (id !== 'r1') tell(`read ${id}`)
          return writer.receipts.read(id)
        },
        put: async ({ id, state }) => tell(`receipt ${id} ${state}`),
      },
      rows: { put: async (rows) => tell(`rows ${rows.map(({ id }) => id).join(' ')}`) },
      onWritten: async (paths) => tell(`written ${paths.join(' ')}`),
    },
  }
}

describe('X17 the end of a write', () => {
  it('the log first, then the receipt, the row and the word to readers', async () => {
    const { reported, writer: watching } = watched()
    const ended = await finishReceipt(watching, receipt())
    expect(reported).toEqual(['log done', 'receipt r2 done', 'rows r2', `written ${FILE}`])
    expect(ended).toEqual({ receipt: receipt({ state: 'done', verified: true }), notes: [] })
  })

  it('the receipt that was taken back is marked before its own ends', async () => {
    await writer.receipts.put(receipt({ id: 'r1', state: 'done' }))
    const { reported, writer: watching } = watched()
    await finishReceipt(watching, receipt({ undoes: 'r1' }))
    expect(reported).toEqual([
      'log done',
      'receipt r1 undone',
      'receipt r2 done',
      'rows r2 r1',
      `written ${FILE}`,
    ])
    await finishReceipt(writer, receipt({ undoes: 'r1' }))
    expect(await writer.receipts.get('r1')).toMatchObject({ state: 'undone', undoneBy: 'r2' })
    expect(await writer.receipts.get('r2')).toMatchObject({ state: 'done', verified: true })
  })

  it('one that is not there any more is no hindrance', async () => {
    const { reported, writer: watching } = watched()
    expect((await finishReceipt(watching, receipt({ undoes: 'gone' }))).notes).toEqual([])
    expect(reported).toEqual(['log done', 'read gone', 'receipt r2 done', 'rows r2', `written ${FILE}`])
  })

  it('one that does not prove itself any more is not signed for its sake', async () => {
    await writer.receipts.put(receipt({ id: 'r1', state: 'done' }))
    const { reported, writer: watching } = watched()
    const read = async (id: string) => {
      const found = await writer.receipts.read(id)
      return found === null ? null : { ...found, proof: { kind: 'not-proved', why: 'changed' } as const }
    }
    const receipts = { ...watching.receipts, read }
    await finishReceipt({ ...watching, receipts }, receipt({ undoes: 'r1' }))
    expect(reported).toEqual(['log done', 'receipt r2 done', 'rows r2', `written ${FILE}`])
    expect(await writer.receipts.get('r1')).toMatchObject({ state: 'done' })
  })

  it('a failed write marks nothing, tells no reader, and keeps its problem', async () => {
    await writer.receipts.put(receipt({ id: 'r1', state: 'done' }))
    const { reported, writer: watching } = watched()
    const failed = receipt({ state: 'failed', problem: 'no', undoes: 'r1' })
    expect(await finishReceipt(watching, failed)).toEqual({ receipt: failed, notes: [] })
    expect(reported).toEqual(['log failed', 'receipt r2 failed', 'rows r2'])
  })

  it('what lies beside the files goes first, flushed with its folder; where nothing lies, nothing is flushed', async () => {
    await disk.put(TEMPORARY, 'half')
    const { files, calls } = failingFiles(disk, null)
    await finishReceipt({ ...watched().writer, files }, receipt())
    expect(calls).toEqual([`stat ${TEMPORARY}`, `unlink ${TEMPORARY}`, 'fsync /store/'])
    await finishReceipt({ ...watched().writer, files }, receipt())
    expect(calls.slice(3)).toEqual([`stat ${TEMPORARY}`])
  })

  it('what fails is a note, and the rest is done', async () => {
    await disk.put(TEMPORARY, 'half')
    const { files } = failingFiles(disk, { at: 1, code: 'EIO' })
    const { reported, writer: watching } = watched(
      'log done',
      'receipt r2 done',
      'rows r2',
      `written ${FILE}`,
    )
    const { receipt: ended, notes } = await finishReceipt({ ...watching, files }, receipt())
    expect(ended.state).toBe('done')
    expect(reported).toEqual(['log done', 'receipt r2 done', 'rows r2', `written ${FILE}`])
    const later = 'it is made up for at the next start.'
    expect(notes).toEqual([
      `${TEMPORARY} is left over and could not be removed: EIO: injected at unlink ${TEMPORARY}`,
      'The line of the audit log could not be written (no log done); "plimsoll audit --verify" will name this write as one without a line.',
      `The receipt could not be written (no receipt r2 done); ${later}`,
      `The row of the audit table could not be written (no rows r2); ${later}`,
      `The word to who reads the stores could not be written (no written ${FILE}); ${later}`,
    ])
  })
})
