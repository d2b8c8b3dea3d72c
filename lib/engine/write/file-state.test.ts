import { beforeEach, describe, expect, it } from 'vitest'
import { MemoryDisk } from '../../testing/memory-disk'
import { testWriter } from '../../testing/test-writer'
import { difference, hashOf, matchContent, readFileState, unlinkIfThere, writeAll } from './file-state'
import type { WriteFiles } from './write-ports'

const FILE = '/store/a.jsonl'

let disk: MemoryDisk
beforeEach(async () => {
  disk = new MemoryDisk()
  await disk.put(FILE, 'abcdef', 0o640)
})
const io = () => testWriter(disk)
const seen = async () => {
  const found = await disk.stat(FILE)
  if (found === null) throw new Error('nothing there')
  return found
}

/** SHA-256 of `abcdef`, of `abc`, and of nothing. */
const HASH = 'bef57ec7f53a6d40beb640a780a639c83bc29ac8a9816f1fc6c5c6dcd93c4721'
const HASH_ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
const HASH_NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

describe('the state of a file', () => {
  it('is what the system says about it, and the hash of its bytes', async () => {
    const { dev, ino, size, mtimeNs, mode, uid, gid } = await seen()
    expect(await readFileState(io(), FILE)).toEqual({
      ...{ dev, ino, size, mtimeNs, mode, uid, gid },
      hash: HASH,
    })
    expect(mode).toBe(0o640)
  })

  it('of nothing, or of what is no file, is none', async () => {
    expect(await readFileState(io(), '/store/none')).toBeNull()
    expect(await readFileState(io(), '/store')).toBeNull()
  })

  it('of a part of it is the hash of those bytes', async () => {
    expect(await hashOf(io(), FILE, { start: 0, end: 3 })).toBe(HASH_ABC)
    expect(await hashOf(io(), FILE, { start: 3, end: 3 })).toBe(HASH_NOTHING)
  })

  it('tells in which way a file is another one', async () => {
    const now = await seen()
    const { kind: _, what: __, links: ___, ...rest } = now
    const state = { ...rest, hash: HASH }
    expect(difference(state, now)).toBeNull()
    expect(difference({ ...state, dev: '9' }, now)).toBe('it was replaced by another file')
    expect(difference({ ...state, ino: '99' }, now)).toBe('it was replaced by another file')
    expect(difference({ ...state, size: 4 }, now)).toBe('it had 4 bytes and has 6 now')
    expect(difference({ ...state, mtimeNs: '1' }, now)).toBe('it was written to')
    expect(difference(state, { ...now, kind: 'other', what: 'a named pipe' })).toBe('it is a named pipe now')
    expect(difference({ ...state, mode: 0o600, uid: 5, hash: HASH_ABC }, now)).toBeNull()
  })

  it.each([
    [{ size: 6, hash: HASH }, 'exactly'],
    [{ size: 3, hash: HASH_ABC }, 'at-start'],
    [{ size: 0, hash: HASH_NOTHING }, 'at-start'],
    [{ size: 6, hash: HASH_ABC }, 'no'],
    [{ size: 3, hash: HASH }, 'no'],
    [{ size: 7, hash: HASH }, 'no'],
  ] as const)('holds %j: %s', async (wanted, expected) => {
    expect(await matchContent(io(), FILE, wanted)).toBe(expected)
  })

  it('nothing holds no bytes', async () => {
    expect(await matchContent(io(), '/store/none', { size: 0, hash: HASH_NOTHING })).toBe('no')
    expect(await matchContent(io(), '/store', { size: 0, hash: HASH_NOTHING })).toBe('no')
  })
})

describe('writing everything', () => {
  const taking = (most: number) => {
    const got: number[] = []
    const write = async (bytes: Uint8Array) => {
      const taken = Math.min(most, bytes.length)
      got.push(...bytes.subarray(0, taken))
      return taken
    }
    return { got, write }
  }

  it('takes as many calls as the system needs', async () => {
    const file = taking(3)
    await writeAll(file, new Uint8Array([1, 2, 3, 4, 5, 6, 7]))
    expect(file.got).toEqual([1, 2, 3, 4, 5, 6, 7])
    await writeAll({ write: () => Promise.reject(new Error('not asked')) }, new Uint8Array())
  })

  it('fails as a full disk does where the system takes nothing', async () => {
    await expect(writeAll(taking(0), new Uint8Array([1]))).rejects.toMatchObject({ code: 'ENOSPC' })
  })
})

describe('taking a file away', () => {
  it('says whether it was there', async () => {
    expect(await unlinkIfThere(disk, FILE)).toBe(true)
    expect(disk.text(FILE)).toBeNull()
    expect(await unlinkIfThere(disk, FILE)).toBe(false)
  })

  const failing = (code: string): WriteFiles => ({
    ...disk,
    unlink: () => Promise.reject(Object.assign(new Error(code), { code })),
  })

  it('is done as well where another process was quicker; any other failure is one', async () => {
    expect(await unlinkIfThere(failing('ENOENT'), FILE)).toBe(false)
    await expect(unlinkIfThere(failing('EACCES'), FILE)).rejects.toThrow('EACCES')
  })
})
