import { beforeEach, expect, test } from 'vitest'
import { failingFiles } from '../../testing/failing-files'
import { MemoryDisk } from '../../testing/memory-disk'
import { writeChunkFile } from './write-chunk-file'

let disk: MemoryDisk
beforeEach(async () => {
  disk = new MemoryDisk()
  await disk.makeFolder('/out')
})
const chunk = { content: 'what was said 🚢' }

test('a chunk becomes a new file, closed to others, flushed and closed', async () => {
  const { files, calls } = failingFiles(disk, null)
  expect(await writeChunkFile(files, '/out/c.txt', chunk)).toBeNull()
  expect(disk.text('/out/c.txt')).toBe('what was said 🚢')
  expect((await disk.stat('/out/c.txt'))?.mode).toBe(0o600)
  expect(calls.map((call) => call.split(' ')[0])).toEqual(['create', 'write', 'fsync', 'close'])
})

test('what is there already is not overwritten', async () => {
  await disk.put('/out/c.txt', 'theirs')
  expect(await writeChunkFile(disk, '/out/c.txt', chunk)).toEqual({
    code: 'changed',
    message: '/out/c.txt is there already; it is not overwritten.',
  })
  expect(disk.text('/out/c.txt')).toBe('theirs')
})

test.each([1, 2])('a file that cannot be written whole does not stay: call %i fails', async (at) => {
  const { files, calls } = failingFiles(disk, { at, code: 'ENOSPC' })
  expect(await writeChunkFile(files, '/out/c.txt', chunk)).toMatchObject({ code: 'no-space' })
  expect(disk.text('/out/c.txt')).toBeNull()
  expect(calls.at(-1)).toBe('close /out/c.txt')
})

test('the reason is that of the write, though the file cannot be taken away either', async () => {
  disk.room = 0
  const files = { ...disk, unlink: () => Promise.reject(new Error('not that')) }
  expect(await writeChunkFile(files, '/out/c.txt', chunk)).toMatchObject({ code: 'no-space' })
})

test('a folder that is not there is a refusal, a fault of the program is one', async () => {
  const nowhere = {
    ...disk,
    create: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOENT' })),
  }
  expect(await writeChunkFile(nowhere, '/none/c', chunk)).toMatchObject({ code: 'missing' })
  const fault = new TypeError('no')
  const broken = { ...disk, create: () => Promise.reject(fault) }
  await expect(writeChunkFile(broken, '/out/c.txt', chunk)).rejects.toBe(fault)
})
