import { beforeEach, describe, expect, it } from 'vitest'
import { MemoryDisk } from '../../testing/memory-disk'
import { type TestWriter, testWriter } from '../../testing/test-writer'
import { bytesOf, INTENT, NO_WAIT, stateNow } from '../../testing/write-scenarios'
import type { Receipt } from './receipt'
import { changeFiles } from './replace-file'
import { undoWrite } from './undo-write'
import type { FileOperation } from './write-requests'

const FILE = '/store/a.jsonl'
const OTHER = '/store/b.jsonl'

let disk: MemoryDisk
let writer: TestWriter
beforeEach(async () => {
  disk = new MemoryDisk()
  writer = testWriter(disk)
  await disk.put(FILE, 'old\n', 0o640)
})

async function change(...operations: FileOperation[]): Promise<Receipt> {
  const result = await changeFiles(writer, {
    intent: { ...INTENT, reason: 'Dropped a line.' },
    root: '/store',
    kind: 'pi',
    operations,
    wait: NO_WAIT,
  })
  if (result.kind !== 'done') throw new Error(JSON.stringify(result))
  return result.receipt
}
const replacement = async (text = 'new\n'): Promise<FileOperation> => ({
  op: 'replace',
  file: FILE,
  expected: await stateNow(writer, FILE),
  produce: () => bytesOf(text),
})

const undo = (receipt: string) => undoWrite(writer, { receipt, actor: 'somebody', wait: NO_WAIT })
const refused = (code: string, words: RegExp) => ({
  kind: 'refused',
  refusal: { code, message: expect.stringMatching(words) },
})

describe('M7 an undo', () => {
  it('is a write like any other: it says what it takes back, for whom, and can be undone', async () => {
    const receipt = await change(await replacement())
    const result = await undo(receipt.id)
    if (result.kind !== 'done') throw new Error(JSON.stringify(result))
    expect(disk.text(FILE)).toBe('old\n')
    expect((await disk.stat(FILE))?.mode).toBe(0o640)
    expect(result.receipt).toMatchObject({
      kind: 'undo',
      actor: 'somebody',
      reason: 'Takes back: Dropped a line.',
      session: INTENT.session,
      summary: { undoes: receipt.id, was: 'repair' },
      root: '/store',
      store: 'pi',
      undoes: receipt.id,
      state: 'done',
      verified: true,
    })
    expect(await writer.receipts.get(receipt.id)).toMatchObject({
      state: 'undone',
      undoneBy: result.receipt.id,
    })
    expect(await undo(result.receipt.id)).toMatchObject({ kind: 'done' })
    expect(disk.text(FILE)).toBe('new\n')
  })

  it('puts back several files, the last one first', async () => {
    const receipt = await change(await replacement(), {
      op: 'create',
      file: OTHER,
      mode: 0o600,
      produce: () => bytesOf('made\n'),
    })
    const result = await undo(receipt.id)
    if (result.kind !== 'done') throw new Error(JSON.stringify(result))
    expect(result.receipt.files.map(({ path }) => path)).toEqual([OTHER, FILE])
    expect(await disk.list('/store')).toEqual(['a.jsonl'])
    expect(disk.text(FILE)).toBe('old\n')
  })

  it('leaves alone what the write left as it was', async () => {
    await disk.put(OTHER, 'same\n')
    const receipt = await change(await replacement(), {
      op: 'replace',
      file: OTHER,
      expected: await stateNow(writer, OTHER),
      produce: () => bytesOf('same\n'),
    })
    const result = await undo(receipt.id)
    if (result.kind !== 'done') throw new Error(JSON.stringify(result))
    expect(result.receipt.files.map(({ path }) => path)).toEqual([FILE])
    expect([disk.text(FILE), disk.text(OTHER)]).toEqual(['old\n', 'same\n'])
  })

  it('gives a removed file back its bytes, mode and owner', async () => {
    const file = await disk.openEnd(FILE)
    await file.setOwner(7, 8)
    const receipt = await change({ op: 'remove', file: FILE, expected: await stateNow(writer, FILE) })
    expect(disk.text(FILE)).toBeNull()
    expect(await undo(receipt.id)).toMatchObject({ kind: 'done' })
    expect(disk.text(FILE)).toBe('old\n')
    expect(await disk.stat(FILE)).toMatchObject({ mode: 0o640, uid: 7, gid: 8 })
  })

  it('is refused where the file has moved on, is not there, or came back meanwhile', async () => {
    const receipt = await change(await replacement())
    await disk.unlink(FILE)
    expect(await undo(receipt.id)).toEqual(refused('changed', /not there any more/))
    await disk.put(FILE, 'theirs\n')
    expect(await undo(receipt.id)).toEqual(refused('changed', /content is another one/))
    await disk.unlink(FILE)
    await disk.put(FILE, 'old\n')
    const removal = await change({ op: 'remove', file: FILE, expected: await stateNow(writer, FILE) })
    await disk.put(FILE, 'theirs\n')
    expect(await undo(removal.id)).toEqual(refused('changed', /content is another one/))
    expect(disk.text(FILE)).toBe('theirs\n')
  })

  it('is refused without a good backup', async () => {
    const receipt = await change(await replacement())
    const backup = receipt.files[0]?.backup ?? ''
    await writer.receipts.put({
      ...receipt,
      files: receipt.files.map((file) => ({ ...file, backup: null })),
    })
    expect(await undo(receipt.id)).toEqual(refused('no-backup', /its backup {2}is missing/))
    await writer.receipts.put(receipt)
    const file = await disk.openEnd(backup)
    await file.write(new TextEncoder().encode('x'))
    expect(await undo(receipt.id)).toEqual(refused('no-backup', /is damaged\. Nothing was changed/))
    await disk.unlink(backup)
    expect(await undo(receipt.id)).toEqual(refused('no-backup', /is missing/))
    expect(disk.text(FILE)).toBe('new\n')
  })

  it('writes nothing where the backup changes while it is read', async () => {
    const receipt = await change(await replacement())
    const backup = receipt.files[0]?.backup ?? ''
    let looks = 0
    const files = {
      ...disk,
      read: (path: string, range?: { start: number; end: number }) =>
        // Found good twice, then other bytes come.
        path === backup && ++looks > 1 ? bytesOf('not old') : disk.read(path, range),
    }
    const result = await undoWrite(testWriter(files), { receipt: receipt.id, actor: 'a', wait: NO_WAIT })
    expect(result).toEqual(refused('failed', /changed while it was read/))
    expect(disk.text(FILE)).toBe('new\n')
  })

  it.each<[Receipt['state'], string, RegExp]>([
    ['undone', 'changed', /taken back already, by u1/],
    ['failed', 'not-supported', /changed nothing/],
    ['preparing', 'locked', /not ended yet/],
    ['pending', 'locked', /not ended yet/],
  ])('of a write that is %s is refused', async (state, code, words) => {
    const receipt = await change(await replacement())
    const id = `9-${state}`
    await writer.receipts.put({ ...receipt, id, state, undoneBy: state === 'undone' ? 'u1' : null })
    expect(await undo(id)).toEqual(refused(code, words))
    expect(disk.text(FILE)).toBe('new\n')
  })

  it('of a write that was undone by an unknown undo says so', async () => {
    const receipt = await change(await replacement())
    await writer.receipts.put({ ...receipt, state: 'undone', undoneBy: null })
    expect(await undo(receipt.id)).toEqual(refused('changed', /by another undo/))
  })

  it('of a write from before receipts were signed takes leave, and a root that is known otherwise', async () => {
    const { id } = await change(await replacement())
    const read = async (of: string) => {
      const found = await writer.receipts.read(of)
      return found && { ...found, proof: { kind: 'older' } as const }
    }
    const older = { ...writer, receipts: { ...writer.receipts, read } }
    const request = { receipt: id, actor: 'somebody', wait: NO_WAIT }
    expect(await undoWrite(older, request)).toEqual(refused('not-proved', /before receipts were signed/))
    const elsewhere = { ...request, unsigned: { roots: ['/elsewhere'] } }
    expect(await undoWrite(older, elsewhere)).toEqual(refused('not-proved', /names the folder \/store/))
    const leave = { ...request, unsigned: { roots: ['/store'] } }
    expect(await undoWrite(older, leave)).toMatchObject({ kind: 'done' })
    expect(disk.text(FILE)).toBe('old\n')
  })

  it('of what OpenClaw did in its own database is refused', async () => {
    const receipt = await change(await replacement())
    await writer.receipts.put({ ...receipt, by: 'openclaw' })
    expect(await undo(receipt.id)).toEqual(refused('not-supported', /carried out by OpenClaw/))
  })

  it('of an unknown receipt is refused', async () => {
    expect(await undo('none')).toEqual(refused('missing', /no receipt none/))
  })

  it('a receipt that cannot be read is a fault, one that the system withholds a refusal', async () => {
    const broken = (error: unknown): TestWriter => ({
      ...writer,
      receipts: { ...writer.receipts, read: () => Promise.reject(error) },
    })
    const request = { receipt: 'r1', actor: 'a', wait: NO_WAIT }
    const fault = new Error('not a receipt')
    await expect(undoWrite(broken(fault), request)).rejects.toBe(fault)
    const denied = Object.assign(new Error('denied'), { code: 'EACCES' })
    expect(await undoWrite(broken(denied), request)).toEqual(refused('read-only', /^The receipt r1/))
  })
})
