import { beforeEach, describe, expect, it } from 'vitest'
import { MemoryDisk } from '../../testing/memory-disk'
import { safeTarget } from './safe-target'
import type { FileStat, WriteFiles } from './write-ports'

const FILE = '/store/sub/a.jsonl'

let disk: MemoryDisk
beforeEach(async () => {
  disk = new MemoryDisk()
  await disk.put(FILE, 'old\n', 0o640)
})

const target = (file: string, files: WriteFiles = disk) => safeTarget(files, '/store', file)
const refused = (code: string, words: RegExp) => ({
  refusal: { code, message: expect.stringMatching(words) },
})
const seeing = (over: Partial<FileStat>): WriteFiles => ({
  ...disk,
  stat: async (path) => {
    const seen = await disk.stat(path)
    return seen === null || path !== FILE ? seen : { ...seen, ...over }
  },
})

describe('M6 where a write goes', () => {
  it('to the file, with what lies there, or to a free name', async () => {
    expect(await target(FILE)).toEqual({ path: FILE, seen: await disk.stat(FILE) })
    expect(await target('/store/sub/free')).toEqual({ path: '/store/sub/free', seen: null })
  })

  it('to where links lead, of the file, its folder and the store', async () => {
    const files: WriteFiles = {
      ...seeing({}),
      stat: async (path) => {
        const seen = await disk.stat(FILE)
        if (path === '/store/sub/link' && seen !== null) return { ...seen, kind: 'link' }
        return disk.stat(path)
      },
      realPath: async (path) =>
        ({ '/alias': '/store', '/alias/dir': '/store/sub', '/store/sub/link': FILE })[path] ?? path,
    }
    const found = await safeTarget(files, '/alias', '/alias/dir/link')
    expect(found.path).toBe(FILE)
  })

  it.each(['/elsewhere/x', '/storehouse/x', '/store'])('never out of the store: %s', async (file) => {
    await disk.makeFolder('/elsewhere')
    await disk.makeFolder('/storehouse')
    await expect(target(file)).rejects.toMatchObject(
      refused('outside', /leads out of the store.*below \/store/),
    )
  })

  it('never to anything but a file with one name', async () => {
    await expect(target('/store/sub')).rejects.toMatchObject(
      refused('not-a-file', /is a folder, not a regular file/),
    )
    await disk.link(FILE, '/store/b')
    await expect(target(FILE)).rejects.toMatchObject(refused('hard-linked', /has 2 names/))
  })

  it('never to what is read-only by its mode or in fact, nor into such a folder', async () => {
    await expect(target(FILE, seeing({ mode: 0o100444 }))).rejects.toMatchObject(
      refused('read-only', /mode 444/),
    )
    await expect(target(FILE, seeing({ mode: 0o45 }))).rejects.toMatchObject(refused('read-only', /mode 045/))
    for (const mode of [0o200, 0o020, 0o002]) expect((await target(FILE, seeing({ mode }))).path).toBe(FILE)
    disk.readOnly.add(FILE)
    await expect(target(FILE)).rejects.toMatchObject(
      refused('read-only', /a\.jsonl is read-only \(mode 640\)/),
    )
    disk.readOnly.add('/store/sub')
    await expect(target('/store/sub/free')).rejects.toMatchObject(
      refused('read-only', /folder \/store\/sub is/),
    )
  })
})
