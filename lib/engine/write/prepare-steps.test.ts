import { beforeEach, describe, expect, it } from 'vitest'
import { failingFiles } from '../../testing/failing-files'
import { MemoryDisk } from '../../testing/memory-disk'
import { testWriter } from '../../testing/test-writer'
import { bytesOf, stateNow } from '../../testing/write-scenarios'
import { prepareSteps, writeTemporary } from './prepare-steps'
import type { FileState } from './receipt'
import { temporaryPath } from './temporary-path'
import type { WriteFiles } from './write-ports'
import type { FileOperation } from './write-requests'
import type { Step } from './write-steps'

const FILE = '/store/a.jsonl'
const TEMPORARY = temporaryPath(new MemoryDisk(), FILE, 'r1')

let disk: MemoryDisk
beforeEach(async () => {
  disk = new MemoryDisk()
  await disk.put(FILE, 'old\n', 0o640)
})
const state = (path = FILE): Promise<FileState> => stateNow(testWriter(disk), path)

async function textOf(read: () => AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of read()) parts.push(part)
  return Buffer.concat(parts).toString()
}

async function prepare(step: Partial<Step> & { operation: FileOperation }, files: WriteFiles = disk) {
  const { op } = step.operation
  const whole: Step = {
    kind: op === 'move' ? 'adopt' : op,
    path: FILE,
    from: null,
    expected: 'expected' in step.operation ? step.operation.expected : null,
    ...step,
  }
  const change = { path: FILE, before: whole.expected, after: null, backup: '/b' }
  const [prepared] = await prepareSteps(testWriter(files), [whole], [change], 'r1')
  return prepared
}
const replacing = async (more: object = {}): Promise<FileOperation> => ({
  op: 'replace',
  file: FILE,
  expected: await state(),
  produce: () => bytesOf('new', '\n'),
  ...more,
})
const failed = (words: RegExp) => ({ refusal: { code: 'failed', message: expect.stringMatching(words) } })

describe('M9 what is to come is written beside the file first', () => {
  it('a replacement, made from the old bytes, with mode and owner of the file; the file is not touched', async () => {
    const owned = await disk.openEnd(FILE)
    await owned.setOwner(7, 8)
    const before = await state()
    const produce = async function* (read: () => AsyncIterable<Uint8Array>) {
      yield new TextEncoder().encode((await textOf(read)).toUpperCase())
    }
    const prepared = await prepare({ operation: await replacing({ produce }) })
    expect(disk.text(TEMPORARY)).toBe('OLD\n')
    expect(await disk.stat(TEMPORARY)).toMatchObject({ mode: 0o640, uid: 7, gid: 8 })
    expect(prepared?.change).toEqual({ path: FILE, before, after: await state(TEMPORARY), backup: '/b' })
    expect(await state()).toEqual(before)
  })

  it('a new file, with its own mode, and its owner only where one is named', async () => {
    const create = { op: 'create', file: FILE, mode: 0o100644, produce: () => bytesOf('made\n') } as const
    await prepare({ operation: create })
    expect(await disk.stat(TEMPORARY)).toMatchObject({ mode: 0o644, uid: 0, gid: 0 })
    await disk.unlink(TEMPORARY)
    await prepare({ operation: { ...create, owner: { uid: 0, gid: 9 } } })
    expect(await disk.stat(TEMPORARY)).toMatchObject({ uid: 0, gid: 9 })
  })

  it('is closed to others at first, gets owner, then mode, is flushed and read back, and closed', async () => {
    const { files, calls } = failingFiles(disk, null)
    await disk.openEnd(FILE).then((file) => file.setOwner(7, 0))
    const operation = await replacing()
    await prepare({ operation }, files)
    const own = calls.filter((call) => call.endsWith(TEMPORARY)).map((call) => call.split(' ')[0])
    expect(own).toEqual([
      ...['create', 'write', 'write', 'fstat', 'chown', 'chmod', 'fsync', 'fstat', 'read', 'close'],
    ])
    let mode = 0
    const watched: WriteFiles = {
      ...disk,
      create: (path: string, given: number) => {
        mode = given
        return disk.create(path, given)
      },
    }
    await disk.unlink(TEMPORARY)
    await prepare({ operation }, watched)
    expect(mode).toBe(0o600)
  })

  it('does not ask for an owner that the file has already', async () => {
    const { files, calls } = failingFiles(disk, null)
    await prepare({ operation: await replacing() }, files)
    expect(calls.filter((call) => call.startsWith('chown'))).toEqual([])
  })

  it('is refused where it does not read back as it was written, and closed', async () => {
    let closed = 0
    const files: WriteFiles = {
      ...disk,
      read: (path: string, range?: { start: number; end: number }) =>
        path === TEMPORARY ? bytesOf('torn') : disk.read(path, range),
      create: async (path: string, mode: number) => ({
        ...(await disk.create(path, mode)),
        close: async () => void closed++,
      }),
    }
    await expect(prepare({ operation: await replacing() }, files)).rejects.toMatchObject(
      failed(/did not read back/),
    )
    expect(closed).toBe(1)
  })

  it('is looked at by the request, and what it finds wrong is a refusal', async () => {
    const looked: string[] = []
    const verify = async (read: () => AsyncIterable<Uint8Array>) => {
      looked.push(await textOf(read))
      return null
    }
    await prepare({ operation: await replacing({ verify }) })
    await disk.unlink(TEMPORARY)
    const create = { op: 'create', file: FILE, mode: 0o600, produce: () => bytesOf('made\n') } as const
    await prepare({ operation: { ...create, verify } })
    await disk.unlink(TEMPORARY)
    const bytes = new TextEncoder().encode('x\n')
    const append = { op: 'append', file: FILE, expected: await state(), bytes } as const
    await prepare({ operation: { ...append, verify } })
    expect(looked).toEqual(['new\n', 'made\n', 'old\nx\n'])
    const wrong = async () => 'two calls without results'
    const operations = [
      await replacing({ verify: wrong }),
      { ...create, verify: wrong },
      { ...append, verify: wrong },
    ]
    for (const operation of operations) {
      await disk.unlink(TEMPORARY).catch(() => undefined)
      await expect(prepare({ operation })).rejects.toMatchObject(
        failed(/was not changed, since the new content is wrong: two calls without results$/),
      )
    }
  })

  it('an addition: what will be there, and its bytes beside the file, flushed with their folder', async () => {
    const before = await state()
    const bytes = new TextEncoder().encode('x\n')
    const { files, calls } = failingFiles(disk, null)
    const prepared = await prepare(
      { operation: { op: 'append', file: FILE, expected: before, bytes } },
      files,
    )
    expect(disk.text(TEMPORARY)).toBe('x\n')
    expect((await disk.stat(TEMPORARY))?.mode).toBe(0o600)
    expect(calls.at(-1)).toBe('fsync /store/')
    const file = await disk.openEnd(FILE)
    await file.write(bytes)
    expect(prepared?.change.after).toEqual({ ...before, size: 6, hash: (await state()).hash })
  })

  it('nothing is added behind a line without its end; behind nothing at all, it is', async () => {
    const bytes = new TextEncoder().encode('x\n')
    const torn = await disk.openEnd(FILE)
    await torn.write(new TextEncoder().encode('{'))
    const expected = await state()
    await expect(prepare({ operation: { op: 'append', file: FILE, expected, bytes } })).rejects.toMatchObject(
      {
        refusal: { code: 'unsafe', message: expect.stringContaining('its last line has no end') },
      },
    )
    expect(disk.text(TEMPORARY)).toBeNull()
    await torn.truncate(0)
    const empty = await state()
    const prepared = await prepare({ operation: { op: 'append', file: FILE, expected: empty, bytes } })
    expect(prepared?.change.after?.size).toBe(2)
  })

  it('a removal and a move need nothing beside: the new name gets the very same file', async () => {
    const expected = await state()
    expect((await prepare({ operation: { op: 'remove', file: FILE, expected } }))?.change.after).toBeNull()
    const move = { op: 'move', file: FILE, to: '/store/b', expected } as const
    expect((await prepare({ kind: 'adopt', operation: move }))?.change.after).toBe(expected)
    expect((await prepare({ kind: 'remove', operation: move }))?.change.after).toBeNull()
    expect(await disk.list('/store')).toEqual(['a.jsonl'])
  })

  it('does not write over what lies under the temporary name', async () => {
    await disk.put(TEMPORARY, 'theirs')
    const content = () => bytesOf('mine')
    const writing = writeTemporary(testWriter(disk), FILE, 'r1', { content, mode: 0o600, owner: null })
    await expect(writing).rejects.toMatchObject({ code: 'EEXIST' })
    expect(disk.text(TEMPORARY)).toBe('theirs')
  })
})
