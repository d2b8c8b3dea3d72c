import { beforeEach, describe, expect, it } from 'vitest'
import { MemoryDisk } from '../../testing/memory-disk'
import { type TestWriter, testWriter } from '../../testing/test-writer'
import { bytesOf, INTENT, NO_WAIT, stateNow } from '../../testing/write-scenarios'
import { isOwnWrite } from './own-write'
import type { WriteResult } from './receipt'
import { changeFiles } from './replace-file'
import { undoWrite } from './undo-write'

const FILE = '/store/a.jsonl'

let disk: MemoryDisk
let writer: TestWriter
beforeEach(async () => {
  disk = new MemoryDisk()
  writer = testWriter(disk)
  await disk.put(FILE, 'old\n')
})

async function replace(by: TestWriter, text: string): Promise<string> {
  const expected = await stateNow(by, FILE)
  const operations = [{ op: 'replace' as const, file: FILE, expected, produce: () => bytesOf(text) }]
  return idOf(
    await changeFiles(by, { intent: INTENT, root: '/store', kind: 'pi', operations, wait: NO_WAIT }),
  )
}
function idOf(result: WriteResult): string {
  if (result.kind !== 'done') throw new Error(JSON.stringify(result))
  return result.receipt.id
}

describe('M4 whether a file is as a write of ours left it', () => {
  it('is so after the write, and after the next one; not before any, and not once somebody else wrote', async () => {
    expect(await isOwnWrite(writer, FILE)).toBe(false)
    await replace(writer, 'new\n')
    expect(await isOwnWrite(writer, FILE)).toBe(true)
    await replace(writer, 'newer\n')
    expect(await isOwnWrite(writer, FILE)).toBe(true)
    expect(await isOwnWrite(writer, '/store/b.jsonl')).toBe(false)
    await disk.put('/store/b.jsonl', 'theirs\n')
    expect(await isOwnWrite(writer, '/store/b.jsonl'), 'named by no receipt').toBe(false)
    // As many bytes as ours, in another file of the same name.
    await disk.unlink(FILE)
    expect(await isOwnWrite(writer, FILE), 'taken away by another hand').toBe(false)
    await disk.put(FILE, 'other\n')
    expect(await isOwnWrite(writer, FILE)).toBe(false)
  })

  it('is so for each of several files that were written at once', async () => {
    await disk.put('/store/b.jsonl', 'old\n')
    const operations = []
    for (const file of [FILE, '/store/b.jsonl']) {
      const expected = await stateNow(writer, file)
      operations.push({ op: 'replace' as const, file, expected, produce: () => bytesOf('new\n') })
    }
    const request = { intent: INTENT, root: '/store', kind: 'pi' as const, operations, wait: NO_WAIT }
    idOf(await changeFiles(writer, request))
    expect(await isOwnWrite(writer, FILE)).toBe(true)
    expect(await isOwnWrite(writer, '/store/b.jsonl')).toBe(true)
  })

  it('is so after an undo, and not where the write or its undo took the file away', async () => {
    const id = await replace(writer, 'new\n')
    idOf(await undoWrite(writer, { receipt: id, actor: 'x', wait: NO_WAIT }))
    expect(await isOwnWrite(writer, FILE)).toBe(true)
    const operations = [{ op: 'remove' as const, file: FILE, expected: await stateNow(writer, FILE) }]
    const request = { intent: INTENT, root: '/store', kind: 'pi' as const, operations, wait: NO_WAIT }
    idOf(await changeFiles(writer, request))
    expect(await isOwnWrite(writer, FILE)).toBe(false)
    await disk.put(FILE, 'old\n')
    expect(await isOwnWrite(writer, FILE)).toBe(false)
  })

  it.each([
    ['later', { mtimeNs: '1' }],
    ['another file', { ino: '1' }],
    ['longer', { size: 1 }],
  ])('is not so where the file is %s', async (_what, now) => {
    await replace(writer, 'new\n')
    const stat = async (path: string) => {
      const seen = await disk.stat(path)
      return seen && { ...seen, ...now }
    }
    const files = Object.assign(Object.create(disk), { stat })
    expect(await isOwnWrite({ ...writer, files }, FILE)).toBe(false)
  })

  it('looks at the receipts that prove themselves, past those that cannot be read', async () => {
    await replace(writer, 'new\n')
    const [id = ''] = await writer.receipts.ids()
    const read = writer.receipts.read.bind(writer.receipts)
    const looking = (newer: () => ReturnType<typeof read>) =>
      isOwnWrite(
        {
          files: disk,
          receipts: {
            ...writer.receipts,
            ids: async () => ['newer', id],
            read: (one) => (one === 'newer' ? newer() : read(one)),
          },
        },
        FILE,
      )
    expect(await looking(() => Promise.reject(new Error('damaged')))).toBe(true)
    expect(await looking(async () => null)).toBe(true)
    const forged = await read(id)
    const proof = { kind: 'not-proved', why: 'x' } as const
    expect(await looking(async () => forged && { ...forged, proof })).toBe(true)
    const onlyForged = { ...writer.receipts, read: async () => forged && { ...forged, proof } }
    expect(await isOwnWrite({ files: disk, receipts: onlyForged }, FILE)).toBe(false)
  })

  it('looks at the newest fifty', async () => {
    await replace(writer, 'new\n')
    const [id = ''] = await writer.receipts.ids()
    const behind = (count: number) => ({
      ...writer.receipts,
      ids: async () => [...Array.from({ length: count }, () => 'none'), id],
    })
    expect(await isOwnWrite({ files: disk, receipts: behind(49) }, FILE)).toBe(true)
    expect(await isOwnWrite({ files: disk, receipts: behind(50) }, FILE)).toBe(false)
  })
})

describe('M4 a file that was written a moment ago', () => {
  const live = {
    pid: null,
    since: null,
    command: null,
    via: 'recent',
    evidence: 'It was written a moment ago',
  } as const

  it('is refused while its runtime may be at it, and not where that was us', async () => {
    const watched = testWriter(disk, { live })
    await expect(replace(watched, 'new\n')).rejects.toThrow(
      /"code":"live".*It was written a moment ago, since its/,
    )
    await replace(writer, 'new\n')
    await replace(watched, 'newer\n')
    expect(disk.text(FILE)).toBe('newer\n')
  })

  it('is refused for a process that is seen, whoever wrote it last', async () => {
    await replace(writer, 'new\n')
    const running = testWriter(disk, { live: { ...live, via: 'run', evidence: 'the process' } })
    await expect(replace(running, 'newer\n')).rejects.toThrow(/"code":"live".*This session is in use/)
  })
})
