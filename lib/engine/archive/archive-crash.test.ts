import { describe, expect, it } from 'vitest'
import { sha256 } from '../../adapters/write/sha256'
import { BLOCK_BYTES } from '../../core/archive/archived-version'
import { seededRandom } from '../../demo/random'
import {
  ARCHIVE_ROOT,
  archivedBytes,
  keepOnce,
  rewrite,
  type TestFile,
  testArchive,
  testFile,
} from '../../testing/archive-world'
import { type DiskLeftBehind, disksLeftBehind } from '../../testing/disks-left-behind'
import { endsOf, failingFiles } from '../../testing/failing-files'
import { MemoryDisk } from '../../testing/memory-disk'
import type { WriteFiles } from '../write/write-ports'
import { pruneArchive } from './prune-archive'
import { verifyArchive } from './verify-archive'

const DAY = 86_400_000
const FIRST = Buffer.concat([Buffer.alloc(BLOCK_BYTES, 'a'), Buffer.from('first')])
const GROWN = Buffer.concat([FIRST, Buffer.from(' and more')])
const ANEW = Buffer.concat([Buffer.alloc(BLOCK_BYTES, 'b'), Buffer.from('anew')])

const one = testFile('a', FIRST, 1)
const grown = rewrite(one, GROWN, 2)
const anew = rewrite(one, ANEW, 3)
const other = testFile('b', Buffer.from('other'), 1)

/** What happens to the archive, and which contents of the first transcript may be found afterwards. */
type Happening = {
  readonly name: string
  readonly before: (files: WriteFiles) => Promise<unknown>
  readonly run: (files: WriteFiles) => Promise<unknown>
  readonly either: readonly (Buffer | null)[]
  /** The stores as they are now. */
  readonly now: readonly TestFile[]
}

const keep =
  (...listed: readonly TestFile[]) =>
  (files: WriteFiles) =>
    keepOnce(testArchive(files), listed)

const prune = (files: WriteFiles) =>
  pruneArchive(
    { folder: testArchive(files), clock: { now: () => 9 * DAY } },
    { quotaBytes: 1e9, keepMs: DAY, goal: { kind: 'outlived' }, named: new Set() },
  )

const HAPPENINGS: readonly Happening[] = [
  {
    name: 'a first copy',
    before: async () => {},
    run: keep(one, other),
    either: [null, FIRST],
    now: [one, other],
  },
  {
    name: 'a file that grew',
    before: keep(one, other),
    run: keep(grown, other),
    either: [FIRST, GROWN],
    now: [grown, other],
  },
  {
    name: 'a file that was written anew',
    before: keep(one, other),
    run: keep(anew, other),
    either: [FIRST, ANEW],
    now: [anew, other],
  },
  { name: 'a file that has gone', before: keep(one, other), run: keep(other), either: [FIRST], now: [other] },
  {
    name: 'a clean-up of what has gone and was written anew',
    before: async (files) => {
      await keep(one, other)(files)
      await keep(anew, other)(files)
      await keep(other)(files)
    },
    run: prune,
    either: [ANEW, null],
    now: [other],
  },
]

async function diskOf({ before }: Happening): Promise<MemoryDisk> {
  const disk = new MemoryDisk()
  await before(disk)
  return disk
}

const crashes = new Map<Happening, Promise<readonly DiskLeftBehind[]>>()

/** What a process leaves behind that ends while it happens. */
function crashesOf(happening: Happening): Promise<readonly DiskLeftBehind[]> {
  const known =
    crashes.get(happening) ?? diskOf(happening).then((disk) => disksLeftBehind(disk, happening.run))
  crashes.set(happening, known)
  return known
}

const looks = new Map<string, Promise<void>>()

/** Many ends leave one and the same disk behind, as those before and after a flush do: it is looked at once. */
function expectWhole(disk: MemoryDisk, happening: Happening): Promise<void> {
  const key = `${happening.name} ${disk.state()}`
  const look = looks.get(key) ?? expectWholeAt(disk, happening)
  looks.set(key, look)
  return look
}

/** Whatever the archive names is whole, and the next process goes on as if nothing had been. */
async function expectWholeAt(disk: MemoryDisk, { either, now }: Happening): Promise<void> {
  const folder = testArchive(disk)
  expect((await verifyArchive({ folder, sha256 })).damaged).toEqual([])
  const found = await archivedBytes(folder, one)
  expect(either.some((content) => (content === null ? found === null : found?.equals(content)))).toBe(true)
  expect((await keepOnce(folder, now)).problems).toEqual([])
  await pruneArchive(
    { folder, clock: { now: () => 0 } },
    { quotaBytes: 1e9, keepMs: DAY, goal: { kind: 'outlived' }, named: new Set() },
  )
  const check = await verifyArchive({ folder, sha256 })
  expect(check).toMatchObject({ damaged: [], unused: 0 })
  for (const file of now) expect((await archivedBytes(folder, file))?.equals(file.content)).toBe(true)
  expect(await leftovers(disk, ARCHIVE_ROOT)).toEqual([])
}

async function leftovers(disk: MemoryDisk, folder: string): Promise<string[]> {
  const found: string[] = []
  for (const name of await disk.list(folder)) {
    const path = disk.join(folder, name)
    if (name.endsWith('.tmp')) found.push(path)
    if ((await disk.stat(path))?.kind === 'folder') found.push(...(await leftovers(disk, path)))
  }
  return found
}

describe('an archive whose process ends at any system call that changes something', () => {
  for (const happening of HAPPENINGS) {
    it(`${happening.name}: every copy is whole, and the next pass completes it`, async () => {
      const left = await crashesOf(happening)
      expect(left.length).toBeGreaterThan(4)
      for (const { disk } of left) await expectWhole(disk.copy(), happening)
    })

    it(`${happening.name}: the same when the power fails, and only what was flushed is sure`, async () => {
      let seed = 1
      for (const crash of await crashesOf(happening)) {
        const disk = crash.disk.copy()
        disk.losePower(seededRandom(seed++).next)
        await expectWhole(disk, happening)
      }
    })
  }

  it('says what is wrong when the disk refuses, and keeps what it had', async () => {
    const [, growth] = HAPPENINGS
    if (growth === undefined) throw new Error('no happening')
    const before = await diskOf(growth)
    const { files, calls } = failingFiles(before.copy(), null)
    await growth.run(files)
    for (const { at } of endsOf(calls).filter((_, i) => i % 3 === 0)) {
      const disk = before.copy()
      await growth
        .run(failingFiles(disk, { at, code: 'ENOSPC' }).files)
        .catch((error) => expect(error).toMatchObject({ code: 'ENOSPC' }))
      await expectWhole(disk, growth)
    }
  })
})
