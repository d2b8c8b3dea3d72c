import { linkSync, lutimesSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { WriteFiles } from '../../engine/write/write-ports'
import { MemoryDisk } from '../../testing/memory-disk'
import { temporaryFolder } from '../../testing/store-folder'
import { fileBackups } from './file-backups'
import { nodeWriteFiles } from './node-write-files'
import { sha256 } from './sha256'

/** The disk's own clock begins there; what was kept a moment ago is not removed for others. */
const NOW = 1_000
const receipts = { ids: async () => [], get: async () => null }

/** Files of ten bytes each, and the room for some of them. @param slow so long a look at all backups takes, ms */
async function world(count: number, quotaBytes: number, slow = 0) {
  const disk = new MemoryDisk()
  const encoder = new TextEncoder()
  const kept: { readonly file: string; readonly hash: string }[] = []
  for (let i = 0; i < count; i++) {
    const [file, text] = [`/cold/c${i}`, `${i}`.padEnd(10)]
    await disk.put(file, text)
    const hasher = sha256()
    hasher.update(encoder.encode(text))
    kept.push({ file, hash: hasher.digest() })
  }
  const seen = { looks: 0, now: NOW }
  const files: WriteFiles = Object.assign(Object.create(disk) as MemoryDisk, {
    list: async (folder: string) => {
      seen.looks++
      seen.now += slow
      return disk.list(folder)
    },
  })
  let unique = 0
  const clock = { now: () => seen.now++ }
  const io = { files, sha256, receipts, clock, unique: () => `u${unique++}` }
  const backups = fileBackups(io, '/backups', { quotaBytes, keepDays: 30 })
  return { disk, kept, seen, backups }
}

describe('keeping many backups', () => {
  test('side by side: no more than there is room for, each whole and flushed', async () => {
    const { disk, kept, backups } = await world(40, 200)
    const results = await Promise.all(kept.map(({ file, hash }) => backups.keep(file, hash, 10)))
    const good = results.filter((result) => result.kept)
    expect(good.length).toBeGreaterThan(0)
    expect(good.length).toBeLessThanOrEqual(20)
    expect(results.filter((result) => !result.kept).map((result) => !result.kept && result.reason)).toEqual(
      Array.from({ length: 40 - good.length }, () => 'quota'),
    )
    disk.losePower(() => 0)
    expect(await disk.list('/backups')).toHaveLength(good.length)
    for (const [i, { hash }] of kept.entries()) {
      const result = results[i]
      if (result?.kept) expect(await backups.check(result.backup, hash)).toBe('good')
    }
  })

  test('one after the other, all that there is room for', async () => {
    const { kept, backups } = await world(40, 200)
    let good = 0
    for (const { file, hash } of kept) if ((await backups.keep(file, hash, 10)).kept) good++
    expect(good).toBe(20)
  })

  test('a look at all of them that takes long is had seldom', async () => {
    const { kept, seen, backups } = await world(300, 1e9, 2_000)
    for (const { file, hash } of kept) {
      seen.now += 200
      expect(await backups.keep(file, hash, 10)).toMatchObject({ kept: true })
    }
    // 300 copies take a minute here, and a look serves for forty seconds.
    expect(seen.looks).toBeLessThanOrEqual(3)
  })
})

test('X17 what is no backup stays when room is made, however old it is, and takes none of it', async () => {
  const folder = temporaryFolder()
  const place = (name: string) => join(folder, 'backups', name)
  const outside = join(folder, 'outside')
  mkdirSync(place(''), { recursive: true })
  const old = '0'.repeat(64)
  const foreign = { 'thesis.tex': 'mine', deadbeef: 'mine', [`${'1'.repeat(64)}.txt`]: 'mine' }
  for (const [name, text] of Object.entries({ ...foreign, [old]: 'old bytes.' }))
    writeFileSync(place(name), text)
  writeFileSync(outside, 'elsewhere.')
  linkSync(outside, place('2'.repeat(64)))
  symlinkSync(outside, place('3'.repeat(64)))
  for (const name of readdirSync(place(''))) lutimesSync(place(name), 1, 1)
  const file = join(folder, 'chunk')
  writeFileSync(file, 'new bytes.')
  const hasher = sha256()
  hasher.update(new TextEncoder().encode('new bytes.'))
  const io = { files: nodeWriteFiles, sha256, receipts, clock: { now: Date.now }, unique: () => 'u' }
  const backups = fileBackups(io, place(''), { quotaBytes: 15, keepDays: 30 })
  const hash = hasher.digest()
  expect(await backups.keep(file, hash, 10)).toMatchObject({ kept: true, removed: { count: 1 } })
  expect(readdirSync(place('')).sort()).toEqual(
    [...Object.keys(foreign), '2'.repeat(64), '3'.repeat(64), hash].sort(),
  )
})
