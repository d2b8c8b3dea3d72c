import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readFileState } from '../../engine/write/file-state'
import type { LockOwner } from '../../engine/write/lock-ports'
import type { WriteResult } from '../../engine/write/receipt'
import { changeFiles, replaceFile } from '../../engine/write/replace-file'
import { undoWrite } from '../../engine/write/undo-write'
import type { WriteFiles } from '../../engine/write/write-ports'
import type { WaitOptions } from '../../engine/write/write-requests'
import { appendLines } from '../../testing/append-lines'
import { mountSmallDisk } from '../../testing/small-disk'
import { temporaryFolder, treeOf } from '../../testing/store-folder'
import { type TestWriterOptions, testWriter } from '../../testing/test-writer'
import { bytesOf, INTENT, NO_WAIT } from '../../testing/write-scenarios'
import { sessionLocks } from '../locks/session-locks'
import { nodeWriteFiles } from './node-write-files'

const OLD = '{"type":"session","version":3,"id":"a"}\nnot json\n'
const NEW = '{"type":"session","version":3,"id":"a"}\n'

type Case = TestWriterOptions & {
  readonly store?: string
  readonly name?: string
  readonly files?: WriteFiles
  readonly wait?: WaitOptions
  readonly realLocks?: boolean
}

/** A store with one transcript, and ways to write to it. */
function storeOf(options: Case = {}) {
  const folder = temporaryFolder()
  const root = options.store ?? join(folder, 'store')
  mkdirSync(root, { recursive: true })
  const file = join(root, options.name ?? 'a.jsonl')
  writeFileSync(file, OLD)
  const made = testWriter(options.files ?? nodeWriteFiles, { home: join(folder, 'home'), ...options })
  const writer = options.realLocks ? { ...made, locks: sessionLocks() } : made
  const target = { file, root, kind: 'openclaw' } as const
  const wait = options.wait ?? NO_WAIT
  const plan = () => readFileState(testWriter(nodeWriteFiles), file)
  const replace = async (
    expected = plan(),
    produce: () => AsyncIterable<Uint8Array> = () => bytesOf(NEW),
  ): Promise<WriteResult> => {
    const state = await expected
    if (state === null) throw new Error(`${file} is not there`)
    return replaceFile(writer, { intent: INTENT, target, expected: state, produce, wait })
  }
  const append = async (...lines: string[]): Promise<WriteResult> => {
    const expected = await plan()
    if (expected === null) throw new Error(`${file} is not there`)
    return appendLines(writer, { intent: INTENT, target, expected, lines, wait })
  }
  return { root, file, writer, target, plan, replace, append }
}

/** The write is refused for this reason, in words that name the file, and the store is as it was. */
async function expectRefused(root: string, code: string, run: () => Promise<WriteResult>, words: RegExp) {
  const before = treeOf(root)
  const result = await run()
  expect(result).toMatchObject({ kind: 'refused', refusal: { code, message: expect.stringMatching(words) } })
  expect(treeOf(root)).toEqual(before)
}

const OWNER: LockOwner = {
  pid: 4711,
  since: Date.UTC(2026, 10, 1, 8),
  command: 'openclaw gateway',
  via: 'gateway',
  evidence: 'port 18789',
}

describe('a target that must not be written', () => {
  it('a file with a second name', async () => {
    const { root, file, replace } = storeOf()
    linkSync(file, join(root, 'b.jsonl'))
    await expectRefused(root, 'hard-linked', () => replace(), /2 names/)
  })

  it('a link out of the store; a link inside of it leads to the file that is replaced', async () => {
    const { root, file, replace } = storeOf()
    const outside = join(temporaryFolder(), 'x.jsonl')
    renameSync(file, outside)
    symlinkSync(outside, file)
    const plan = readFileState(testWriter(nodeWriteFiles), outside)
    await expectRefused(root, 'outside', () => replace(plan), /leads out of the store/)
    expect(readFileSync(outside, 'utf8')).toBe(OLD)

    const inside = join(root, 'real.jsonl')
    rmSync(file)
    renameSync(outside, inside)
    symlinkSync(inside, file)
    expect(await replace(readFileState(testWriter(nodeWriteFiles), inside))).toMatchObject({ kind: 'done' })
    expect(readFileSync(inside, 'utf8')).toBe(NEW)
    expect(readdirSync(root).sort()).toEqual(['a.jsonl', 'real.jsonl'])
  })

  it('a folder of the store that is a link out of it', async () => {
    const { root, writer, plan } = storeOf()
    const outside = temporaryFolder()
    writeFileSync(join(outside, 'x.jsonl'), OLD)
    symlinkSync(outside, join(root, 'agents'))
    const expected = await plan()
    if (expected === null) throw new Error('No plan')
    const target = { file: join(root, 'agents', 'x.jsonl'), root, kind: 'openclaw' } as const
    const produce = () => bytesOf(NEW)
    await expectRefused(
      root,
      'outside',
      () => replaceFile(writer, { intent: INTENT, target, expected, produce, wait: NO_WAIT }),
      /leads out of the store/,
    )
  })

  it('a named pipe, a folder, a device', async (context) => {
    for (const [make, words] of [
      [(path: string) => spawnSync('mkfifo', [path]).status === 0, /a named pipe/],
      [(path: string) => mkdirSync(path) === undefined, /a folder/],
      [(path: string) => spawnSync('mknod', [path, 'c', '1', '3']).status === 0, /a device/],
    ] as const) {
      const { root, file, plan, replace } = storeOf()
      const expected = await plan()
      rmSync(file)
      if (!make(file)) context.skip(`this system does not let us make ${words.source}`)
      const before = readdirSync(root)
      const result = await replace(Promise.resolve(expected))
      expect(result).toMatchObject({ refusal: { code: 'not-a-file', message: expect.stringMatching(words) } })
      expect(readdirSync(root)).toEqual(before)
    }
  })

  it('a read-only file', async () => {
    const { root, file, replace } = storeOf()
    spawnSync('chmod', ['444', file])
    await expectRefused(root, 'read-only', () => replace(), /mode 444/)
  })

  it('a read-only folder', async (context) => {
    const disk = mountSmallDisk(1)
    if (disk === null) return context.skip('mounting is not allowed here')
    onTestFinished(() => disk.remove())
    const { root, replace } = storeOf({ store: disk.folder })
    spawnSync('mount', ['-o', 'remount,ro', disk.folder])
    await expectRefused(root, 'read-only', () => replace(), /is read-only/)
  })

  it('a folder in which no file may be made, whatever its mode says', async () => {
    const files: WriteFiles = {
      ...nodeWriteFiles,
      create: async (path, mode) => {
        if (path.endsWith('.tmp') && path.includes('plimsoll-') && path.includes('store')) {
          throw Object.assign(new Error(`EACCES: permission denied, open '${path}'`), { code: 'EACCES' })
        }
        return nodeWriteFiles.create(path, mode)
      },
    }
    const { root, replace, append } = storeOf({ files })
    await expectRefused(root, 'read-only', () => replace(), /not allowed/)
    await expectRefused(root, 'read-only', () => append('{}'), /not allowed/)
  })
})

describe('a file that is not what the plan was made from', () => {
  it('was replaced, grew, or has other bytes under the same size and time', async () => {
    const { root, file, plan, replace } = storeOf()
    const expected = await plan()
    appendFileSync(file, 'x\n')
    await expectRefused(root, 'changed', () => replace(Promise.resolve(expected)), /had 49 bytes and has 51/)

    writeFileSync(`${file}.new`, OLD)
    renameSync(`${file}.new`, file)
    await expectRefused(root, 'changed', () => replace(Promise.resolve(expected)), /another file/)

    const second = await plan()
    const { mtime, atime } = statSync(file)
    writeFileSync(file, OLD.replace('not', 'NOT'))
    utimesSync(file, atime, mtime)
    const third = await plan()
    if (second === null || third === null) throw new Error('No plan')
    await expectRefused(
      root,
      'changed',
      () => replace(Promise.resolve({ ...second, mtimeNs: third.mtimeNs })),
      /content is another one/,
    )
    rmSync(file)
    await expectRefused(root, 'missing', () => replace(Promise.resolve(third)), /not there/)
  })

  it('changed while its replacement was prepared', async () => {
    const { file, writer, replace } = storeOf()
    const produce = async function* () {
      appendFileSync(file, '{"type":"custom"}\n')
      yield* bytesOf(NEW)
    }
    expect(await replace(undefined, produce)).toMatchObject({ refusal: { code: 'changed' } })
    expect(readFileSync(file, 'utf8')).toBe(`${OLD}{"type":"custom"}\n`)
    expect(readdirSync(join(file, '..'))).toEqual(['a.jsonl'])
    const [id = ''] = await writer.receipts.ids()
    expect(await writer.receipts.get(id)).toMatchObject({ state: 'failed', verified: false })
  })
})

describe('locks and live owners (M4)', () => {
  it('a session that is locked, or somebody works with: says who and since when', async () => {
    const foreign = new Map<string, LockOwner>()
    const locked = storeOf({ foreign })
    foreign.set(locked.file, { ...OWNER, via: 'lock', evidence: `${locked.file}.lock` })
    const words = /process 4711 \(openclaw gateway\) since 2026-11-01T08:00:00.000Z/
    await expectRefused(locked.root, 'locked', () => locked.replace(), words)
    const live = storeOf({ live: OWNER })
    await expectRefused(live.root, 'live', () => live.replace(), words)
  })

  it('a lock that was lost while the replacement was prepared', async () => {
    let held = true
    const { root, replace } = storeOf({ stillHeld: () => held })
    const produce = async function* () {
      held = false
      yield* bytesOf(NEW)
    }
    await expectRefusedFile(root, 'locked', () => replace(undefined, produce))
  })

  it('a lock that cannot be removed', async () => {
    const { root, file, replace } = storeOf({ realLocks: true })
    mkdirSync(`${file}.lock`)
    await expectRefused(root, 'failed', () => replace(), /^(?!.*locked.*locked).*cannot be locked.*a folder/)
  })

  it('takes and gives back the real lock file', async () => {
    const { file, replace, root } = storeOf({ realLocks: true })
    const produce = async function* () {
      expect(readdirSync(root)).toContain('a.jsonl.lock')
      yield* bytesOf(NEW)
    }
    expect(await replace(undefined, produce)).toMatchObject({ kind: 'done' })
    expect(readdirSync(root)).toEqual(['a.jsonl'])
    expect(readFileSync(file, 'utf8')).toBe(NEW)
  })

  it('writes under the hold that the caller has, and waits in line without it', async () => {
    const { file, root, writer, target, plan, replace } = storeOf({ realLocks: true })
    const taken = await writer.locks.acquire(file, NO_WAIT)
    if (!taken.held) throw new Error('The lock was not taken')
    expect(await replace()).toMatchObject({ refusal: { code: 'locked' } })
    const expected = await plan()
    if (expected === null) throw new Error('No plan')
    const wait = { ...NO_WAIT, within: [taken.lock] }
    const produce = () => bytesOf(NEW)
    expect(await replaceFile(writer, { intent: INTENT, target, expected, produce, wait })).toMatchObject({
      kind: 'done',
    })
    expect(await taken.lock.stillHeld()).toBe(true)
    await taken.lock.release()
    expect(readdirSync(root)).toEqual(['a.jsonl'])
  })

  it('lets one of several that begin at once write, and the others see that the file has changed', async () => {
    const { file, replace } = storeOf({ realLocks: true, wait: { waitMs: 5_000 } })
    const results = await Promise.all([1, 2, 3, 4].map((n) => replace(undefined, () => bytesOf(`${n}\n`))))
    const done = results.flatMap((result, i) => (result.kind === 'done' ? [i + 1] : []))
    expect(done).toHaveLength(1)
    expect(readFileSync(file, 'utf8')).toBe(`${done[0]}\n`)
    const refused = results.flatMap((result) => (result.kind === 'refused' ? [result.refusal.code] : []))
    expect(refused).toEqual(['changed', 'changed', 'changed'])
  })

  it('stops when it is stopped, before anything is changed', async () => {
    const stop = new AbortController()
    const { root, replace } = storeOf({ wait: { waitMs: 0, signal: stop.signal } })
    const produce = async function* () {
      stop.abort()
      yield* bytesOf(NEW)
    }
    await expectRefusedFile(root, 'stopped', () => replace(undefined, produce))
  })
})

/** Like `expectRefused`, where a temporary file has come and gone: the folder's time is another one. */
async function expectRefusedFile(root: string, code: string, run: () => Promise<WriteResult>) {
  const { '.': _, ...before } = treeOf(root)
  expect(await run()).toMatchObject({ kind: 'refused', refusal: { code } })
  const { '.': __, ...after } = treeOf(root)
  expect(after).toEqual(before)
}

describe('room', () => {
  it('a full disk: the old file stays, nothing is left over', async (context) => {
    const disk = mountSmallDisk(1)
    if (disk === null) return context.skip('mounting is not allowed here')
    onTestFinished(() => disk.remove())
    const { root, replace, append } = storeOf({ store: disk.folder })
    const large = 'x'.repeat(600_000)
    const twice = () => bytesOf(large, large)
    await expectRefusedFile(root, 'no-space', () => replace(undefined, twice))
    // The last page of the disk is gone: neither a temporary file nor a line at the end has room.
    spawnSync('dd', ['if=/dev/zero', `of=${join(root, 'filler')}`, 'bs=4096'], { stdio: 'ignore' })
    await expectRefusedFile(root, 'no-space', () => append('y'.repeat(5000)))
    await expectRefusedFile(root, 'no-space', () => replace())
  })

  it('an addition of which the system took only a part is taken back', async () => {
    const files: WriteFiles = {
      ...nodeWriteFiles,
      openEnd: async (path) => {
        const file = await nodeWriteFiles.openEnd(path)
        return path.endsWith('a.jsonl')
          ? { ...file, write: (bytes) => file.write(bytes.subarray(0, 3)) }
          : file
      },
    }
    const { file, append, writer } = storeOf({ files })
    expect(await append('{"type":"custom"}')).toMatchObject({ refusal: { code: 'no-space' } })
    expect(readFileSync(file, 'utf8')).toBe(OLD)
    const [id = ''] = await writer.receipts.ids()
    expect(await writer.receipts.get(id)).toMatchObject({ state: 'failed' })
  })

  it('backups within their quota: what can still be undone is not removed, what is older is, and that is reported', async () => {
    let now = Date.now()
    const day = 86_400_000
    const limits = { quotaBytes: 120, keepDays: 30 }
    const { root, writer, replace } = storeOf({ limits, now: () => now })
    expect(await replace()).toMatchObject({ kind: 'done', notes: [] })
    expect(await replace(undefined, () => bytesOf(OLD))).toMatchObject({ kind: 'done' })
    expect(await replace(undefined, () => bytesOf('third\n'))).toMatchObject({ kind: 'done' })
    const fourth = () => replace(undefined, () => bytesOf(NEW, NEW))
    expect(await fourth()).toMatchObject({ kind: 'done' })
    await expectRefused(root, 'no-space', () => replace(), /use 95 of 120.*backups\.quota/s)
    now += 31 * day
    const unknown = join(root, '..', 'home', 'receipts', 'unknown.json')
    writeFileSync(unknown, '{')
    await expectRefused(root, 'no-space', () => replace(), /backups\.quota/)
    rmSync(unknown)
    expect(await replace()).toMatchObject({ notes: [expect.stringContaining('older than they are kept')] })
    const ids = await writer.receipts.ids()
    const gone = await undoWrite(writer, { receipt: ids.at(-2) ?? '', actor: 'test', wait: NO_WAIT })
    expect(gone).toMatchObject({ kind: 'refused' })
  })

  it('another file system on the way', async () => {
    const { root, replace } = storeOf({
      files: {
        ...nodeWriteFiles,
        rename: async (from, to) => {
          if (!to.endsWith('a.jsonl')) return nodeWriteFiles.rename(from, to)
          throw Object.assign(new Error('EXDEV: cross-device link not permitted'), { code: 'EXDEV' })
        },
      },
    })
    await expectRefusedFile(root, 'not-supported', () => replace())
  })
})

describe('undo', () => {
  it('refuses without its backup, or with another one', async () => {
    const { root, replace, writer } = storeOf()
    const result = await replace()
    if (result.kind !== 'done') throw new Error('The write was not done')
    const undo = () => undoWrite(writer, { receipt: result.receipt.id, actor: 'test', wait: NO_WAIT })
    const backup = result.receipt.files[0]?.backup ?? ''
    writeFileSync(backup, 'something else')
    await expectRefused(root, 'no-backup', undo, /damaged/)
    rmSync(backup)
    await expectRefused(root, 'no-backup', undo, /missing/)
  })

  it('refuses when a file has moved on, or has gone', async () => {
    const { root, file, replace, writer } = storeOf()
    const result = await replace()
    if (result.kind !== 'done') throw new Error('The write was not done')
    const undo = () => undoWrite(writer, { receipt: result.receipt.id, actor: 'test', wait: NO_WAIT })
    appendFileSync(file, '{"type":"custom"}\n')
    await expectRefused(root, 'changed', undo, /moved on.*another one/)
    rmSync(file)
    await expectRefused(root, 'changed', undo, /moved on.*not there/)
  })

  it('refuses what was undone already, what failed, and what it does not know', async () => {
    const { root, replace, writer } = storeOf()
    const result = await replace()
    if (result.kind !== 'done') throw new Error('The write was not done')
    const undo = (receipt: string) => undoWrite(writer, { receipt, actor: 'test', wait: NO_WAIT })
    expect(await undo(result.receipt.id)).toMatchObject({ kind: 'done' })
    await expectRefused(root, 'changed', () => undo(result.receipt.id), /already/)
    await expectRefused(root, 'missing', () => undo('../../etc/passwd'), /no receipt/)
  })
})

describe('what is written', () => {
  it('keeps mode and owner, and is closed to others until it has them', async () => {
    const { file, replace } = storeOf()
    spawnSync('chmod', ['640', file])
    spawnSync('chown', ['12345:23456', file])
    const { uid, gid } = statSync(file)
    expect(await replace()).toMatchObject({ kind: 'done', receipt: { verified: true } })
    expect(statSync(file)).toMatchObject({ mode: 0o100640, uid, gid })
  })

  it('is checked before it is written there', async () => {
    const { root, target, writer, plan } = storeOf()
    const expected = await plan()
    if (expected === null) throw new Error('No plan')
    const produce = () => bytesOf(NEW)
    const verify = async () => 'two calls without results'
    await expectRefusedFile(root, 'failed', () =>
      replaceFile(writer, { intent: INTENT, target, expected, produce, verify, wait: NO_WAIT }),
    )
  })

  it('adds nothing behind a torn line', async () => {
    const { root, file, append } = storeOf()
    appendFileSync(file, '{"type":')
    await expectRefusedFile(root, 'unsafe', () => append('{}'))
  })

  it('leaves no trace when nothing is to be changed', async () => {
    const { root, replace, writer } = storeOf()
    const before = treeOf(root)
    expect(await replace(undefined, () => bytesOf(OLD))).toEqual({ kind: 'unchanged' })
    expect(treeOf(root)['a.jsonl']).toBe(before['a.jsonl'])
    expect(await writer.receipts.ids()).toEqual([])
  })

  it('does not overwrite what appeared under a new name', async () => {
    const { root, writer } = storeOf()
    const file = join(root, 'b.jsonl')
    const produce = async function* () {
      writeFileSync(file, 'theirs')
      yield* bytesOf(NEW)
    }
    const result = await changeFiles(writer, {
      intent: INTENT,
      root,
      kind: 'openclaw',
      operations: [{ op: 'create', file, mode: 0o600, produce }],
      wait: NO_WAIT,
    })
    expect(result).toMatchObject({ refusal: { code: 'changed' } })
    expect(readFileSync(file, 'utf8')).toBe('theirs')
  })

  it('is put back when the disk does not hold what was written', async () => {
    const files: WriteFiles = {
      ...nodeWriteFiles,
      rename: async (from, to) => {
        await nodeWriteFiles.rename(from, to)
        if (to.endsWith('/a.jsonl') && readFileSync(to, 'utf8') === NEW) writeFileSync(to, 'damaged')
      },
    }
    const { file, replace } = storeOf({ files })
    expect(await replace()).toMatchObject({ kind: 'refused' })
    expect(readFileSync(file, 'utf8')).toBe(OLD)
  })
})
