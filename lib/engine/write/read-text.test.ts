import { expect, it } from 'vitest'
import { MemoryDisk } from '../../testing/memory-disk'
import { bytesOf } from '../../testing/write-scenarios'
import { readTextFile } from './read-text'

it('a text file is read as it is: its byte order mark, and characters that come in two pieces', async () => {
  const disk = new MemoryDisk()
  const text = `\uFEFF${'Grüße 🐚 '.repeat(40)}`
  await disk.put('/a', text)
  for (const size of [1, 2, 3, 64]) {
    const read = async function* () {
      for await (const bytes of bytesOf(text))
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    }
    expect(await readTextFile({ ...disk, read } as unknown as MemoryDisk, '/a')).toBe(text)
  }
  expect(await readTextFile(disk, '/a', { start: 3, end: 9 })).toBe('Grüß')
})
