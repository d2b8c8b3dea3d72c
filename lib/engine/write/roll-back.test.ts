import { beforeEach, describe, expect, it } from 'vitest'
import { failingFiles } from '../../testing/failing-files'
import { MemoryDisk } from '../../testing/memory-disk'
import { testWriter } from '../../testing/test-writer'
import { stateNow } from '../../testing/write-scenarios'
import type { FileChange, FileState } from './receipt'
import { needsRollBack, rollBack } from './roll-back'
import { temporaryPath } from './temporary-path'
import type { WriteFiles } from './write-ports'

const FOLDER = '/store'
const FILE = `${FOLDER}/a.jsonl`
const OTHER = `${FOLDER}/b.jsonl`
const RECEIPT = 'r1'
const TEMPORARY = temporaryPath(new MemoryDisk(), FILE, RECEIPT)

const OLD = 'old\n'
const NEW = 'brand new\n'
const ADDED = 'added line\n'

let disk: MemoryDisk
beforeEach(async () => {
  disk = new MemoryDisk()
  await disk.makeFolder(FOLDER)
})

const state = (path = FILE): Promise<FileState> => stateNow(testWriter(disk), path)

/** Another hand writes into the very same file. */
async function write(path: string, text: string, from: 'start' | 'end' = 'end'): Promise<void> {
  const file = await disk.openEnd(path)
  if (from === 'start') await file.truncate(0)
  await file.write(new TextEncoder().encode(text))
}

async function replace(text: string, path = FILE): Promise<void> {
  await disk.put(`${path}.new`, text)
  await disk.rename(`${path}.new`, path)
}

async function backupOf(path: string, before: FileState): Promise<string> {
  const kept = await testWriter(disk).backups.keep(path, before.hash, before.size)
  if (!kept.kept) throw new Error(kept.message)
  return kept.backup
}

/** A file with a backup, and what a write was to make of it. */
async function begun(path = FILE): Promise<FileChange & { before: FileState; backup: string }> {
  await disk.put(path, OLD, 0o640)
  const before = await state(path)
  return { path, before, after: null, backup: await backupOf(path, before) }
}

async function replaced(): Promise<FileChange & { after: FileState; backup: string }> {
  const change = await begun()
  await replace(NEW)
  return { ...change, after: await state() }
}

/** An addition that has not begun, with its bytes beside the file. */
async function adding(bytes = ADDED): Promise<FileChange & { after: FileState }> {
  const change = await begun()
  await disk.put(TEMPORARY, bytes)
  await write(FILE, bytes)
  const after = await state()
  const file = await disk.openEnd(FILE)
  await file.truncate(OLD.length)
  return { ...change, after: { ...after, size: OLD.length + bytes.length } }
}

const roll = (changes: readonly FileChange[], atOnce = false, files: WriteFiles = disk) =>
  rollBack(testWriter(files), changes, RECEIPT, atOnce)
const needs = (...changes: readonly FileChange[]) => needsRollBack(testWriter(disk), changes, RECEIPT)

/** Rolls back; nothing is left over, and the file holds this (null: it is gone). */
async function expectBack(change: FileChange, text: string | null, need: boolean, atOnce = false) {
  expect(await needs(change)).toBe(need)
  expect(await roll([change], atOnce)).toEqual([])
  expect(disk.text(change.path)).toBe(text)
}

/** Rolls back; the file stays as it is, and the sentence says why. */
async function expectLeft(change: FileChange, why: RegExp, atOnce = false) {
  const before = disk.text(change.path)
  expect(await needs(change)).toBe(true)
  expect(await roll([change], atOnce)).toEqual([expect.stringMatching(why)])
  expect(disk.text(change.path)).toBe(before)
}

const KEPT = /changed by another hand since; what it held before is kept at \/home\/backups\/[0-9a-f]{64}\.$/

describe('M9 a file that was made', () => {
  const made = async (): Promise<FileChange> => {
    await disk.put(FILE, NEW)
    return { path: FILE, before: null, after: await state(), backup: null }
  }

  it('is taken away again', async () => {
    await expectBack(await made(), null, true)
  })

  it('needs nothing where it is not there', async () => {
    const change = await made()
    await disk.unlink(FILE)
    await expectBack(change, null, false)
  })

  it('needs nothing, and nothing is flushed, where its folder has gone', async () => {
    const change = { ...(await made()), path: '/gone/a.jsonl' }
    await expectBack(change, null, false)
  })

  it('stays where another hand added to it, or wrote something else', async () => {
    const change = await made()
    await write(FILE, 'x')
    await expectLeft(change, /^\/store\/a\.jsonl has been changed by another hand since\.$/)
    await write(FILE, 'something else', 'start')
    await expectLeft(change, /by another hand/)
  })
})

describe('M9 a file that was taken away', () => {
  it('comes back with its mode', async () => {
    const change = await begun()
    await disk.unlink(FILE)
    await expectBack(change, OLD, true)
    expect((await disk.stat(FILE))?.mode).toBe(0o640)
    expect(await disk.list(FOLDER)).toEqual(['a.jsonl'])
  })

  it('needs nothing where it still is, also when others added to it', async () => {
    const change = await begun()
    await expectBack(change, OLD, false)
    await write(FILE, 'x')
    await expectBack(change, `${OLD}x`, false)
  })

  it('does not replace what lies there by now', async () => {
    const change = await begun()
    await replace('something else')
    await expectLeft(change, KEPT)
    await expectLeft(change, KEPT, true)
  })

  it.each([
    ['missing', async (backup: string) => disk.unlink(backup), /its backup \/home\/.* is missing\.$/],
    ['damaged', async (backup: string) => write(backup, 'x'), /its backup \/home\/.* is damaged\.$/],
  ])('cannot come back where its backup is %s', async (_what, harm, words) => {
    const change = await begun()
    await disk.unlink(FILE)
    await harm(change.backup)
    await expectLeft(change, words)
  })

  it('cannot come back without one', async () => {
    const change = await begun()
    await disk.unlink(FILE)
    await expectLeft({ ...change, backup: null }, /no backup/)
  })
})

describe('M9 a file that was replaced', () => {
  it('holds its old bytes again, whatever an earlier attempt left beside it', async () => {
    const change = await replaced()
    await disk.put(TEMPORARY, 'half')
    await expectBack(change, OLD, true)
    expect(await disk.list(FOLDER)).toEqual(['a.jsonl'])
  })

  it('needs nothing before its turn, also when others added to it', async () => {
    const change = await begun()
    await disk.put(OTHER, NEW)
    const after = await state(OTHER)
    await expectBack({ ...change, after }, OLD, false)
    await write(FILE, 'x')
    await expectBack({ ...change, after }, `${OLD}x`, false)
  })

  it('stays where others added to the new bytes, wrote others, or took it away', async () => {
    const change = await replaced()
    await write(FILE, 'x')
    await expectLeft(change, KEPT)
    await write(FILE, 'damaged', 'start')
    await expectLeft(change, KEPT)
    await disk.unlink(FILE)
    await expectLeft(change, KEPT)
  })

  it('was ours all the time: what is damaged in it is put back as well', async () => {
    const change = await replaced()
    await write(FILE, 'damaged', 'start')
    await expectBack(change, OLD, true, true)
  })

  it('was ours all the time: so are other bytes of the same number', async () => {
    const change = await replaced()
    await write(FILE, 'x'.repeat(NEW.length), 'start')
    await expectBack(change, OLD, true, true)
  })

  it('was ours all the time: what is no longer the file that we made is left', async () => {
    const change = await replaced()
    const moved = { ...change, after: { ...change.after, dev: '2', hash: 'x' } }
    await expectLeft(moved, KEPT, true)
    await replace('another!')
    await expectLeft(change, KEPT, true)
    await disk.unlink(FILE)
    await expectLeft(change, KEPT, true)
  })

  it('was ours all the time: what has grown was not only us', async () => {
    const change = await replaced()
    await write(FILE, 'x')
    await expectLeft(change, KEPT, true)
  })

  it('by its own beginning: the old bytes are no sign that it happened, the new ones are', async () => {
    const change = await begun()
    const short = OLD.slice(0, 2)
    await disk.put(OTHER, short)
    const after = await state(OTHER)
    await expectBack({ ...change, after }, OLD, false)
    await replace(short)
    await expectBack({ ...change, after: await state() }, OLD, true)
  })
})

describe('M9 a file that was added to', () => {
  it('is cut back to what it was', async () => {
    const change = await adding()
    await write(FILE, ADDED)
    await expectBack({ ...change, after: await state() }, OLD, true)
  })

  it('needs nothing before its turn', async () => {
    await expectBack(await adding(), OLD, false)
  })

  it('by nothing needs nothing, whatever others added', async () => {
    const change = await adding('')
    await write(FILE, 'theirs\n')
    await expectBack(change, `${OLD}theirs\n`, false)
  })

  it('on another device is put back as a replaced file is', async () => {
    const change = await adding()
    await write(FILE, ADDED)
    const after = { ...(await state()), dev: '2' }
    const { files, calls } = failingFiles(disk, null)
    expect(await roll([{ ...change, after }], false, files)).toEqual([])
    expect(calls).toContain(`rename ${FILE}`)
    expect(disk.text(FILE)).toBe(OLD)
  })

  it('is cut back where only a part arrived', async () => {
    const change = await adding()
    await write(FILE, ADDED.slice(0, 4))
    await expectBack(change, OLD, true)
  })

  it('is cut back where the system filled its end with zeros', async () => {
    for (const end of [`${ADDED.slice(0, 4)}\0\0\0`, '\0\0\0\0', '\0'.repeat(ADDED.length)]) {
      disk = new MemoryDisk()
      const change = await adding()
      await write(FILE, end)
      await expectBack(change, OLD, true)
    }
  })

  it.each([
    ['other bytes', 'x'],
    ['a part of ours, then other bytes', `${ADDED.slice(0, 4)}x`],
    ['zeros, then other bytes', '\0\0x'],
    ['more than we had', `${ADDED.slice(0, -1)}\0\0`],
  ])('is left alone with %s at its end, as a torn line may be in front of them', async (_what, end) => {
    const change = await adding()
    await write(FILE, end)
    await expectLeft(change, /has grown since.*"plimsoll repair" finds it\.$/)
  })

  it('is left alone where nothing tells any more what was to be added', async () => {
    const change = await adding()
    await disk.unlink(TEMPORARY)
    await write(FILE, ADDED.slice(0, 4))
    await expectLeft(change, /has grown since/)
  })

  it('is left alone where others added behind us', async () => {
    const change = await adding()
    await write(FILE, ADDED)
    const after = await state()
    await write(FILE, 'theirs\n')
    await expectLeft({ ...change, after }, KEPT)
  })

  it('needs nothing where another file with the same beginning is in its place', async () => {
    const change = await adding()
    await replace(`${OLD}${ADDED.slice(0, 4)}`)
    await expectBack(change, `${OLD}${ADDED.slice(0, 4)}`, false)
  })

  it('reads no more of what was to be added than is there', async () => {
    const long = `${'word '.repeat(60)}\n`
    const change = await adding(long)
    await write(FILE, long.slice(0, 200))
    await expectBack(change, OLD, true)
  })
})

describe('M9 several files', () => {
  it('are put back in the opposite order, each flushed with its folder', async () => {
    const first = await replaced()
    await disk.put(OTHER, NEW)
    const second: FileChange = { path: OTHER, before: null, after: await state(OTHER), backup: null }
    const { files, calls } = failingFiles(disk, null)
    expect(await needs(second, first)).toBe(true)
    expect(await roll([first, second], false, files)).toEqual([])
    const changed = calls.filter((call) => /^(rename|unlink|fsync \/store\/$)/.test(call))
    expect(changed).toEqual([`unlink ${OTHER}`, 'fsync /store/', `rename ${FILE}`, 'fsync /store/'])
    expect(calls).toContain(`fsync ${TEMPORARY}`)
  })

  it('an addition is cut off, flushed and closed', async () => {
    const change = await adding()
    await write(FILE, ADDED)
    const { files, calls } = failingFiles(disk, null)
    expect(await roll([{ ...change, after: await state() }], false, files)).toEqual([])
    expect(calls.slice(calls.indexOf(`open ${FILE}`))).toEqual([
      `open ${FILE}`,
      `truncate ${FILE}`,
      `fsync ${FILE}`,
      `close ${FILE}`,
      'fsync /store/',
    ])
  })

  it('a new name stays where the old one could not be given back: it may be the only one', async () => {
    const gone = await begun()
    await disk.link(FILE, OTHER)
    const adopted: FileChange = { path: OTHER, before: null, after: await state(OTHER), backup: null }
    await disk.unlink(FILE)
    await disk.unlink(gone.backup)
    expect(await roll([adopted, gone])).toEqual([
      expect.stringMatching(/a\.jsonl could not be put back/),
      expect.stringMatching(/b\.jsonl stays, for the same reason/),
    ])
    expect(disk.text(OTHER)).toBe(OLD)
  })

  it('what the system refuses is said, with where the old bytes are, and the others are put back', async () => {
    const first = await replaced()
    const second = await begun(OTHER)
    await disk.unlink(OTHER)
    const files: WriteFiles = {
      ...failingFiles(disk, null).files,
      rename: async (from, to) => {
        if (to === OTHER) throw new Error('no such luck')
        return disk.rename(from, to)
      },
    }
    expect(await roll([first, second], false, files)).toEqual([
      `${OTHER} could not be put back (no such luck); what it held before is kept at ${second.backup}.`,
    ])
    expect(disk.text(FILE)).toBe(OLD)
  })
})
