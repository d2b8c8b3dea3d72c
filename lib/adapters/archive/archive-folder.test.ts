import { randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { BLOCK_BYTES } from '../../core/archive/archived-version'
import { pruneArchive, UnreadableCopy } from '../../engine/archive/prune-archive'
import { verifyArchive } from '../../engine/archive/verify-archive'
import { keepOnce, testFile } from '../../testing/archive-world'
import { temporaryFolder, writeFiles } from '../../testing/store-folder'
import { sha256 } from '../write/sha256'
import { openArchiveFolder } from './open-archive'

const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

function open() {
  const root = join(temporaryFolder(), 'archive')
  mkdirSync(root, { mode: 0o700 })
  return { root, folder: openArchiveFolder(root, Date.now) }
}

function hashOf(content: Uint8Array): string {
  const hasher = sha256()
  hasher.update(content)
  return hasher.digest()
}

const placeOf = (root: string, hash: string) => join(root, 'blocks', hash.slice(0, 2), `${hash}.br`)

describe('the archive on disk', () => {
  it('gives back what it was given, for its owner alone, under names that are hashes', async () => {
    const { root, folder } = open()
    const content = Buffer.concat([randomBytes(1000), Buffer.alloc(BLOCK_BYTES - 1000, 'x')])
    const hash = hashOf(content)
    const bytes = await folder.putBlock(hash, content)
    expect((await folder.block(hash, BLOCK_BYTES)).length).toBe(BLOCK_BYTES)
    expect(hashOf(await folder.block(hash, BLOCK_BYTES))).toBe(hash)
    expect(await folder.blocks()).toEqual(new Map([[hash, bytes]]))
    await keepOnce(folder, [testFile('a', Buffer.from('one'), 1)])
    const names = readdirSync(root, { recursive: true }) as string[]
    for (const name of names) {
      expect(name).toMatch(
        /^(blocks|transcripts|gone)(\/[0-9a-f]{2})?(\/[0-9a-f]+\.(br|json))?$|^lease|^generation\.json$/,
      )
      if (/\.(br|json)$/.test(name) && !name.startsWith('lease')) {
        expect(lstatSync(join(root, name)).mode & 0o777, name).toBe(0o600)
      }
      if (lstatSync(join(root, name)).isDirectory())
        expect(lstatSync(join(root, name)).mode & 0o777).toBe(0o700)
    }
  })

  it('never unpacks more than a block should hold', async () => {
    const { root, folder } = open()
    const bomb = Buffer.alloc(64 * BLOCK_BYTES)
    const hash = hashOf(bomb)
    await folder.putBlock(hash, Buffer.from('x'))
    writeFileSync(placeOf(root, hash), brotliCompressSync(bomb, FAST))
    await expect(folder.block(hash, 100)).rejects.toThrow(/cannot be unpacked/)
    writeFileSync(placeOf(root, hash), randomBytes(BLOCK_BYTES * 2))
    await expect(folder.block(hash, 100)).rejects.toThrow(/more than \d+ are not read/)
  })

  it('finds a block that was changed, cut off, exchanged or is missing', async () => {
    const { root, folder } = open()
    const files = [testFile('a', Buffer.from('one one one'), 1), testFile('b', Buffer.from('two'), 2)]
    await keepOnce(folder, files)
    const [first, second] = [...(await folder.blocks()).keys()]
    if (first === undefined || second === undefined) throw new Error('no blocks')
    const check = async () => (await verifyArchive({ folder, sha256 })).damaged.map(({ problem }) => problem)
    expect(await check()).toEqual([])
    renameSync(placeOf(root, first), join(root, 'aside'))
    expect(await check()).toEqual([expect.stringMatching(/is missing/)])
    writeFileSync(placeOf(root, first), brotliCompressSync(Buffer.from('three')))
    expect(await check()).toHaveLength(1)
    writeFileSync(placeOf(root, first), '')
    expect(await check()).toEqual([expect.stringMatching(/cannot be unpacked/)])
    symlinkSync(join(root, 'aside'), placeOf(root, second).replace(/\.br$/, '.link'))
    renameSync(join(root, 'aside'), placeOf(root, first))
    expect(await check()).toEqual([])
  })

  it('takes nothing away while it does not know which blocks a copy names, unless that copy is named', async () => {
    const { root, folder } = open()
    await keepOnce(folder, [testFile('a', Buffer.from('one'), 1), testFile('b', Buffer.from('two'), 2)])
    writeFiles(root, { 'transcripts/000000000000000a.json': '{"format":1', 'transcripts/notes.json': 'mine' })
    const prune = (named: readonly string[]) =>
      pruneArchive(
        { folder, clock: { now: Date.now } },
        { quotaBytes: 1, keepMs: 1, goal: { kind: 'outlived' }, named: new Set(named) },
      )
    await expect(prune([])).rejects.toThrow(UnreadableCopy)
    expect((await folder.blocks()).size).toBe(2)
    expect((await verifyArchive({ folder, sha256 })).damaged).toMatchObject([{ name: '000000000000000a' }])
    await prune(['000000000000000a'])
    expect((await folder.blocks()).size).toBe(1)
    expect(readdirSync(join(root, 'transcripts')).sort()).toEqual(['000000000000000b.json', 'notes.json'])
  })

  it('lets one process change it at a time', async () => {
    const { root, folder } = open()
    const other = openArchiveFolder(root, Date.now)
    expect(await folder.alone(() => other.alone(async () => 1))).toEqual({ value: null })
    expect(await other.alone(async () => 1)).toEqual({ value: 1 })
  })
})
