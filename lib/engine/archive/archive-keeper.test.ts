import { describe, expect, it } from 'vitest'
import { sha256 } from '../../adapters/write/sha256'
import { BLOCK_BYTES } from '../../core/archive/archived-version'
import {
  ARCHIVE_STORE,
  archivedBytes,
  keeperContext,
  keepOnce,
  rewrite,
  testArchive,
  testFile,
} from '../../testing/archive-world'
import { MemoryDisk } from '../../testing/memory-disk'
import { ArchiveKeeper } from './archive-keeper'
import type { ArchiveSources } from './archive-ports'
import { pruneArchive } from './prune-archive'
import { verifyArchive } from './verify-archive'

type Opening = Parameters<ArchiveSources['open']>
const HOUR = 3_600_000
const bytes = (text: string) => Buffer.from(text)
/** Two and a half blocks that differ from each other. */
const LONG = Buffer.concat(
  ['a', 'b', 'c'].map((letter, i) => Buffer.alloc(i < 2 ? BLOCK_BYTES : BLOCK_BYTES / 2, letter)),
)

async function world() {
  return testArchive(new MemoryDisk())
}

async function versionsOf(folder: Awaited<ReturnType<typeof world>>) {
  const names: string[] = []
  for await (const found of folder.versions())
    names.push('problem' in found ? found.problem : `${found.version.number} ${found.version.size}`)
  return names.sort()
}

describe('transcripts are copied when they change', () => {
  it('copies each once, and again only when it changed', async () => {
    const folder = await world()
    const files = [testFile('a', bytes('one'), 1), testFile('b', bytes('two'), 2)]
    expect(await keepOnce(folder, files)).toMatchObject({ copied: 2, gone: [], problems: [] })
    expect(await keepOnce(folder, files)).toMatchObject({ copied: 0, added: 0 })
    const grown = rewrite(files[0] ?? testFile('a', bytes(''), 0), bytes('one and more'), 3)
    expect(await keepOnce(folder, [grown])).toMatchObject({ copied: 1, gone: ['000000000000000b'] })
    expect((await archivedBytes(folder, grown))?.toString()).toBe('one and more')
  })

  it('reads of a file that grew its first block, and what is behind its last whole one', async () => {
    const folder = await world()
    const file = testFile('a', LONG, 1)
    await keepOnce(folder, [file])
    const grown = rewrite(file, Buffer.concat([LONG, bytes('more')]), 2)
    const context = keeperContext(folder, [grown])
    const keeper = new ArchiveKeeper(context)
    expect(await keepOnce(folder, [grown], {}, keeper)).toMatchObject({ copied: 1 })
    const { read } = context.sources as unknown as { read: number }
    expect(read).toBe(BLOCK_BYTES + BLOCK_BYTES / 2 + 4)
    expect((await archivedBytes(folder, grown))?.equals(grown.content)).toBe(true)
    expect(await versionsOf(folder)).toEqual([`1 ${LONG.length + 4}`])
  })

  it('keeps what was written anew beside what it was before', async () => {
    const folder = await world()
    const file = testFile('a', LONG, 1)
    await keepOnce(folder, [file])
    const changed = Buffer.from(LONG)
    changed[10] = 65
    const anew = rewrite(file, changed, 2)
    await keepOnce(folder, [anew])
    const shorter = rewrite(file, bytes('short'), 3)
    await keepOnce(folder, [shorter])
    expect(await versionsOf(folder)).toEqual([`1 ${LONG.length}`, `2 ${LONG.length}`, '3 5'])
    expect((await verifyArchive({ folder, sha256 })).damaged).toEqual([])
    expect((await archivedBytes(folder, shorter))?.toString()).toBe('short')
  })

  it('finds a change in the middle of a file that grew as well, once the file is quiet', async () => {
    const folder = await world()
    const file = testFile('a', LONG, 1)
    await keepOnce(folder, [file])
    const changed = Buffer.concat([LONG, bytes('more')])
    changed[BLOCK_BYTES + 7] = 65
    const sly = rewrite(file, changed, 2)
    // Its first and its last block are as they were: from outside it has only grown.
    await keepOnce(folder, [sly])
    expect((await archivedBytes(folder, sly))?.equals(changed)).toBe(false)
    await keepOnce(folder, [sly], { clock: { now: () => 2 * HOUR } })
    expect((await archivedBytes(folder, sly))?.equals(changed)).toBe(true)
    expect(await keepOnce(folder, [sly], { clock: { now: () => 4 * HOUR } })).toMatchObject({ copied: 0 })
  })

  it('lets a file that is written all the time rest for a minute', async () => {
    const folder = await world()
    let now = 1_000
    const file = testFile('a', bytes('1'), 1)
    const files = new Map([[file.found.id, file]])
    const sources = {
      open: (...given: Opening) => keeperContext(folder, [...files.values()]).sources.open(...given),
    }
    const keeper = new ArchiveKeeper({ ...keeperContext(folder, []), sources, clock: { now: () => now } })
    keeper.takeListing(ARCHIVE_STORE, [file.found], true)
    expect(await keeper.pass()).toMatchObject({ copied: 1 })
    files.set(file.found.id, rewrite(file, bytes('12'), 2))
    keeper.takeChanged([file.found.id])
    expect(await keeper.pass()).toMatchObject({ copied: 0 })
    now += 60_000
    expect(await keeper.pass()).toMatchObject({ copied: 1 })
    expect((await archivedBytes(folder, file))?.toString()).toBe('12')
  })
})

describe('a file that grew and then rests', () => {
  it('is read whole by itself, without another listing', async () => {
    const folder = await world()
    let now = 1_000
    const file = testFile('a', LONG, 1)
    const grown = rewrite(file, Buffer.concat([LONG, bytes('more')]), 2)
    const files = new Map([[file.found.id, file]])
    const sources = {
      open: (...given: Opening) => keeperContext(folder, [...files.values()]).sources.open(...given),
    }
    const keeper = new ArchiveKeeper({ ...keeperContext(folder, []), sources, clock: { now: () => now } })
    keeper.takeListing(ARCHIVE_STORE, [file.found], true)
    await keeper.pass()
    files.set(file.found.id, grown)
    now += 60_000
    keeper.takeChanged([file.found.id])
    await keeper.pass()
    expect((await folder.newest(file.found.id))?.sha256).toBeNull()
    expect(await keeper.pass()).toMatchObject({ copied: 0 })
    now += 2 * HOUR
    expect(await keeper.pass()).toMatchObject({ copied: 1 })
    expect((await folder.newest(file.found.id))?.sha256).not.toBeNull()
  })
})

describe('transcripts that leave their store', () => {
  it('notes when, and by which rule of the runtime it was due', async () => {
    const folder = await world()
    const [due, other] = [testFile('a', bytes('one'), 1), testFile('b', bytes('two'), 900)]
    await keepOnce(folder, [due, other])
    const deletionOf = () => (file: { mtimeMs: number }) => ({ at: file.mtimeMs + 500, rule: 'days is 30' })
    const report = await keepOnce(folder, [], { deletionOf })
    expect(report.gone).toEqual([due.found.id, other.found.id])
    expect(await folder.marks()).toEqual([
      { id: due.found.id, storeId: ARCHIVE_STORE.id, at: 1_000, rule: 'days is 30' },
      { id: other.found.id, storeId: ARCHIVE_STORE.id, at: 1_000, rule: null },
    ])
    expect((await archivedBytes(folder, due))?.toString()).toBe('one')
    expect(await keepOnce(folder, [])).toMatchObject({ gone: [] })
    await keepOnce(folder, [due])
    expect((await folder.marks()).map(({ id }) => id)).toEqual([other.found.id])
  })

  it('does not call gone what could not be listed, or cannot be read now', async () => {
    const folder = await world()
    const file = testFile('a', bytes('one'), 1)
    const keeper = new ArchiveKeeper(keeperContext(folder, [file]))
    await keepOnce(folder, [file], {}, keeper)
    keeper.takeListing(ARCHIVE_STORE, [], false)
    expect(await keeper.pass()).toMatchObject({ gone: [] })
    keeper.takeListing(ARCHIVE_STORE, [{ ...file.found, problem: 'EACCES' }], true)
    expect(await keeper.pass()).toMatchObject({ gone: [] })
    expect(await folder.marks()).toEqual([])
    // One that cannot be read does not keep the others from being noted.
    const other = testFile('b', bytes('two'), 1)
    keeper.takeListing(ARCHIVE_STORE, [{ ...other.found, problem: 'EACCES' }], true)
    expect(await keeper.pass()).toMatchObject({ gone: [file.found.id] })
  })

  it('follows a file that was renamed', async () => {
    const folder = await world()
    const file = testFile('a', bytes('one'), 1)
    await keepOnce(folder, [file])
    const id = '00000000000000aa'
    const aside = {
      ...file,
      found: { ...file.found, id, path: '/store/a.jsonl.deleted.x', state: 'deleted' },
    } as const
    expect(await keepOnce(folder, [aside])).toMatchObject({ copied: 1, added: 0, gone: [] })
    expect(await folder.newest(file.found.id)).toBeNull()
    expect((await archivedBytes(folder, aside))?.toString()).toBe('one')
  })
})

describe('the archive does not fill the disk', () => {
  const NOISE = Buffer.from(Array.from({ length: 3000 }, (_, i) => (i * 7919 * (i % 251)) % 256))

  it('stops at its quota, says so, and goes on when there is room', async () => {
    const folder = await world()
    const files = [testFile('a', NOISE, 1), testFile('b', Buffer.from(NOISE).reverse(), 2)]
    const full = await keepOnce(folder, files, { limits: { quotaBytes: 4_500, keepMs: HOUR } })
    expect(full.copied).toBe(1)
    expect(full.problems.join()).toMatch(/the archive is full \(\d+ of 4500 bytes, archive.quota\)/)
    expect(await keepOnce(folder, files)).toMatchObject({ copied: 1, problems: [] })
  })

  it('makes room with what was deleted longer ago than it is kept', async () => {
    const folder = await world()
    const [old, fresh] = [testFile('a', NOISE, 1), testFile('b', Buffer.from(NOISE).reverse(), 2)]
    await keepOnce(folder, [old])
    await keepOnce(folder, [])
    const limits = { quotaBytes: 4_500, keepMs: HOUR }
    expect((await keepOnce(folder, [fresh], { limits })).problems).toHaveLength(1)
    expect(await archivedBytes(folder, old)).toEqual(NOISE)
    const later = { limits, clock: { now: () => 2 * HOUR } }
    expect(await keepOnce(folder, [fresh], later)).toMatchObject({ copied: 1, problems: [] })
    expect(await archivedBytes(folder, old)).toBeNull()
    expect(await folder.marks()).toEqual([])
  })

  it('copies again what another process took out, if it is still in its store', async () => {
    const folder = await world()
    const file = testFile('a', bytes('one'), 1)
    const keeper = new ArchiveKeeper(keeperContext(folder, [file]))
    await keepOnce(folder, [file], {}, keeper)
    await pruneArchive(
      { folder, clock: { now: () => 2_000 } },
      { quotaBytes: 1, keepMs: 1, goal: { kind: 'outlived' }, named: new Set([file.found.id]) },
    )
    expect(await archivedBytes(folder, file)).toBeNull()
    expect(await keeper.pass({ eager: true })).toMatchObject({ copied: 1 })
    expect(await keeper.pass({ eager: true })).toMatchObject({ copied: 0 })
    expect((await archivedBytes(folder, file))?.toString()).toBe('one')
  })

  it('takes away what nothing names any more, also what earlier processes left', async () => {
    const folder = await world()
    let file = testFile('a', bytes('0'), 1)
    for (let i = 1; i <= 70; i++) {
      file = rewrite(file, Buffer.concat([file.content, bytes(`${i}`)]), i + 1)
      await keepOnce(folder, [file])
    }
    // The last pass found more than 64 and took them away, but for the one that it left itself.
    expect((await folder.blocks()).size).toBeLessThan(10)
    expect((await archivedBytes(folder, file))?.equals(file.content)).toBe(true)
  })

  it('copies nothing when the disk is nearly full', async () => {
    const folder = { ...(await world()), freeBytes: async () => 1_000_000 }
    const report = await keepOnce(folder, [testFile('a', bytes('one'), 1)])
    expect(report).toMatchObject({ copied: 0 })
    expect(report.problems[0]).toMatch(/its disk has 1000000 bytes left/)
  })
})
