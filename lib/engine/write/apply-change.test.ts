import { beforeEach, describe, expect, it } from 'vitest'
import { failingFiles } from '../../testing/failing-files'
import { MemoryDisk } from '../../testing/memory-disk'
import { type TestWriter, testWriter } from '../../testing/test-writer'
import { bytesOf, INTENT, NO_WAIT, stateNow } from '../../testing/write-scenarios'
import { applyChange, type Job } from './apply-change'
import type { LockOwner } from './lock-ports'
import type { Receipt } from './receipt'
import { changeFiles, replaceFile } from './replace-file'
import { temporaryPath } from './temporary-path'
import type { Writer } from './write-ports'
import type { FileOperation } from './write-requests'

const FILE = '/store/a.jsonl'
const OTHER = '/store/b.jsonl'
const OWNER: LockOwner = { pid: 7, since: null, command: null, via: 'run', evidence: 'the process' }

let disk: MemoryDisk
let writer: TestWriter
beforeEach(async () => {
  disk = new MemoryDisk()
  writer = testWriter(disk, { now: () => 1_000 })
  await disk.put(FILE, 'old\n')
  await disk.put(OTHER, 'other\n')
})

const replacing = async (file = FILE, text = 'new\n', more: object = {}): Promise<FileOperation> => ({
  op: 'replace',
  file,
  expected: await stateNow(testWriter(disk), file),
  produce: () => bytesOf(text),
  ...more,
})
const jobOf = (operations: readonly FileOperation[], more: Partial<Job> = {}): Job => ({
  ...{ intent: INTENT, root: '/store', kind: 'openclaw', operations, wait: NO_WAIT, undoes: null },
  ...more,
})
const newest = async (from: Writer = writer): Promise<Receipt | null> => {
  const [id = ''] = await from.receipts.ids()
  return from.receipts.get(id)
}

/** What the parts of a writer are asked for, in order; each may be made to fail. */
function watched(failures: Readonly<Record<string, Error>> = {}) {
  const reported: string[] = []
  const tell = (what: string) => {
    reported.push(what)
    const failure = failures[what]
    if (failure !== undefined) throw failure
  }
  const watching: Writer = {
    ...writer,
    live: {
      find: async (session) => {
        tell('live')
        return writer.live.find(session)
      },
    },
    locks: {
      ...writer.locks,
      acquire: async (file, options) => {
        tell('lock')
        const taken = await writer.locks.acquire(file, options)
        if (!taken.held) return taken
        const { lock } = taken
        return {
          held: true,
          lock: {
            ...lock,
            stillHeld: async () => {
              tell('held?')
              return lock.stillHeld()
            },
            release: async () => {
              tell('release')
              await lock.release()
            },
          },
        }
      },
    },
    backups: {
      ...writer.backups,
      keep: async (file, hash, size) => {
        tell('backup')
        return writer.backups.keep(file, hash, size)
      },
    },
    receipts: {
      ...writer.receipts,
      put: async (receipt) => {
        tell(`receipt ${receipt.state}`)
        await writer.receipts.put(receipt)
      },
      forget: async (id) => {
        tell('forget')
        await writer.receipts.forget(id)
      },
    },
    log: {
      add: async (receipt) => {
        tell('log')
        await writer.log.add(receipt)
      },
    },
    rows: {
      put: async (rows) => {
        tell('rows')
        await writer.rows.put(rows)
      },
    },
    onWritten: async (paths) => {
      tell('written')
      await writer.onWritten(paths)
    },
    files: {
      ...disk,
      rename: async (from, to) => {
        if (to.startsWith('/store')) tell('rename')
        await disk.rename(from, to)
      },
    },
  }
  return { reported, writer: watching }
}

const DONE = [
  ...['live', 'lock', 'live', 'backup', 'receipt preparing', 'receipt pending'],
  ...['held?', 'rename', 'log', 'receipt done', 'rows', 'written', 'release'],
]

describe('M5 M6 M9 a write, step by step', () => {
  it('looks, locks, looks again, keeps a copy, writes its receipt, changes the file, and ends what it began', async () => {
    const { reported, writer: watching } = watched()
    const result = await applyChange(watching, jobOf([await replacing()]))
    expect(reported).toEqual(DONE)
    expect(result).toMatchObject({ kind: 'done', notes: [] })
    expect(disk.text(FILE)).toBe('new\n')
    expect(await disk.list('/store')).toEqual(['a.jsonl', 'b.jsonl'])
  })

  it('the receipt says what, when, where, and with which states', async () => {
    const before = await stateNow(writer, FILE)
    const operation = await replacing()
    const result = await applyChange(writer, jobOf([operation], { undoes: 'none' }))
    if (result.kind !== 'done') throw new Error(JSON.stringify(result))
    const after = await stateNow(writer, FILE)
    expect(result.receipt).toEqual({
      ...INTENT,
      id: result.receipt.id,
      at: 1_000,
      root: '/store',
      store: 'openclaw',
      files: [{ path: FILE, before, after, backup: expect.stringContaining(before.hash) }],
      state: 'done',
      undoneBy: null,
      undoes: 'none',
      problem: null,
      verified: true,
    })
    expect(await newest()).toEqual(result.receipt)
  })

  it('leaves no receipt and nothing beside the files where nothing is to change', async () => {
    const { reported, writer: watching } = watched()
    expect(await applyChange(watching, jobOf([await replacing(FILE, 'old\n')]))).toEqual({
      kind: 'unchanged',
    })
    expect(reported).toEqual(['live', 'lock', 'live', 'backup', 'receipt preparing', 'forget', 'release'])
    expect(await writer.receipts.ids()).toEqual([])
    expect(await disk.list('/store')).toEqual(['a.jsonl', 'b.jsonl'])
  })

  it('changes all of several files where only one of them is another one then', async () => {
    const { reported, writer: watching } = watched()
    const job = jobOf([await replacing(FILE, 'old\n'), await replacing(OTHER)])
    expect(await applyChange(watching, job)).toMatchObject({ kind: 'done' })
    expect(reported).toContain('receipt pending')
    expect([disk.text(FILE), disk.text(OTHER)]).toEqual(['old\n', 'new\n'])
  })

  it('reports backups that made room, and of locks that could not be given back', async () => {
    const { writer: watching } = watched({ release: new Error('it is stuck') })
    const backups: Writer['backups'] = {
      ...writer.backups,
      keep: async () => ({ kept: true, backup: '/b', removed: { count: 2, bytes: 9 } }),
    }
    expect(await applyChange({ ...watching, backups }, jobOf([await replacing()]))).toMatchObject({
      kind: 'done',
      notes: [
        expect.stringContaining('2 backups (9 bytes)'),
        `The lock ${FILE}.lock could not be given back: it is stuck`,
      ],
    })
  })
})

describe('M9 a write that fails', () => {
  const refused = (code: string, message: unknown = expect.any(String)) => ({
    kind: 'refused',
    refusal: { code, message },
  })

  it('before its receipt: no trace is left', async () => {
    const { reported, writer: watching } = watched()
    const files = new Map([[FILE, OWNER]])
    const locked = testWriter(disk, { foreign: files })
    expect(await applyChange(locked, jobOf([await replacing()]))).toEqual(
      refused('locked', expect.stringContaining(FILE)),
    )
    const operation = { ...(await replacing()), expected: { ...(await stateNow(writer, FILE)), size: 1 } }
    expect(await applyChange(watching, jobOf([operation as FileOperation]))).toEqual(refused('changed'))
    expect(reported).toEqual(['live', 'lock', 'live', 'release'])
    expect(await writer.receipts.ids()).toEqual([])
    expect(disk.text(FILE)).toBe('old\n')
  })

  it('while it is prepared: the receipt says why, and the fault comes through', async () => {
    const { reported, writer: watching } = watched()
    const fault = new Error('the plan was wrong')
    const produce = async function* () {
      yield new TextEncoder().encode('half')
      throw fault
    }
    await expect(applyChange(watching, jobOf([await replacing(FILE, '', { produce })]))).rejects.toBe(fault)
    expect(reported).toEqual([
      ...['live', 'lock', 'live', 'backup', 'receipt preparing', 'log', 'receipt failed', 'rows', 'release'],
    ])
    expect(await newest()).toMatchObject({ state: 'failed', problem: 'the plan was wrong', verified: false })
    expect(await disk.list('/store')).toEqual(['a.jsonl', 'b.jsonl'])
    expect(writer.written).toEqual([])
  })

  it('when the receipt of what is to come cannot be written: nothing is changed', async () => {
    const { reported, writer: watching } = watched({ 'receipt pending': new Error('no') })
    await expect(applyChange(watching, jobOf([await replacing()]))).rejects.toThrow('no')
    expect(reported).not.toContain('rename')
    expect(disk.text(FILE)).toBe('old\n')
    expect(await newest()).toMatchObject({ state: 'failed', problem: 'no' })
  })

  it('when it is stopped while it is prepared: nothing is changed', async () => {
    const stop = new AbortController()
    const produce = async function* () {
      stop.abort()
      yield* bytesOf('new\n')
    }
    const job = jobOf([await replacing(FILE, '', { produce })], { wait: { waitMs: 0, signal: stop.signal } })
    expect(await applyChange(writer, job)).toEqual(
      refused('stopped', expect.stringContaining('before anything')),
    )
    expect(disk.text(FILE)).toBe('old\n')
    expect(await newest()).toMatchObject({ state: 'failed', problem: expect.stringContaining('Stopped') })
  })

  it('in its middle: what was begun is put back, what was not is left alone, and the reason is kept', async () => {
    const job = jobOf([await replacing(FILE), await replacing(OTHER)])
    const files = {
      ...disk,
      rename: async (from: string, to: string) => {
        if (to === OTHER && from.includes('plimsoll-')) {
          throw Object.assign(new Error('EIO: the disk'), { code: 'EIO' })
        }
        await disk.rename(from, to)
      },
    }
    const result = await applyChange({ ...writer, files }, job)
    expect(result).toEqual(refused('failed', expect.stringContaining('EIO: the disk')))
    expect([disk.text(FILE), disk.text(OTHER)]).toEqual(['old\n', 'other\n'])
    expect(await newest()).toMatchObject({ state: 'failed', problem: 'EIO: the disk' })
    expect([...(await disk.list('/store'))].sort()).toEqual(['a.jsonl', 'b.jsonl'])
  })

  it('what another hand changed before its turn is not put back: it was never ours', async () => {
    const second = await replacing(OTHER)
    const produce = async function* () {
      yield* bytesOf('new\n')
      const file = await disk.openEnd(OTHER)
      await file.truncate(0)
    }
    const result = await applyChange(writer, jobOf([await replacing(FILE, '', { produce }), second]))
    expect(result).toEqual(refused('changed', expect.stringContaining('had 6 bytes and has 0')))
    expect([disk.text(FILE), disk.text(OTHER)]).toEqual(['old\n', ''])
  })

  it('what cannot be put back is said together with why it failed', async () => {
    const files = {
      ...disk,
      rename: async (from: string, to: string) => {
        await disk.rename(from, to)
        if (to !== FILE) return
        await disk.put(`${FILE}.theirs`, 'theirs\n')
        await disk.rename(`${FILE}.theirs`, FILE)
      },
    }
    const result = await applyChange({ ...writer, files }, jobOf([await replacing()]))
    expect(result).toEqual(
      refused(
        'failed',
        expect.stringMatching(/does not hold what was written to it\. .*changed by another hand/),
      ),
    )
    expect(await newest()).toMatchObject({
      state: 'failed',
      problem: expect.stringMatching(/does not hold what was written to it\. .*changed by another hand/),
    })
    expect(disk.text(FILE)).toBe('theirs\n')
  })

  it('each file that cannot be put back has a sentence of its kind', async () => {
    const files = {
      ...disk,
      rename: async (from: string, to: string) => {
        await disk.rename(from, to)
        const file = await disk.openEnd(to)
        await file.write(new TextEncoder().encode('theirs\n'))
        if (to === OTHER) throw Object.assign(new Error('EIO: the disk'), { code: 'EIO' })
      },
    }
    const job = jobOf([await replacing(FILE), await replacing(OTHER)])
    expect(await applyChange({ ...writer, files }, job)).toEqual(
      refused(
        'failed',
        expect.stringMatching(
          /^EIO: the disk \/store\/b\.jsonl has been changed by .*\. \/store\/a\.jsonl has been changed by /,
        ),
      ),
    )
  })

  it('what is damaged in the file that we made is put back', async () => {
    const files = {
      ...disk,
      rename: async (from: string, to: string) => {
        await disk.rename(from, to)
        if (to !== FILE || disk.text(FILE) !== 'new\n') return
        const file = await disk.openEnd(FILE)
        await file.truncate(2)
      },
    }
    expect(await applyChange({ ...writer, files }, jobOf([await replacing()]))).toEqual(refused('failed'))
    expect(disk.text(FILE)).toBe('old\n')
  })

  it('a fault of the system names the file that it was about, or the store', async () => {
    const { files } = failingFiles(disk, { at: 0, code: 'EACCES' })
    expect(await applyChange({ ...writer, files }, jobOf([await replacing()]))).toEqual(
      refused('read-only', expect.stringContaining(`${FILE}: writing is not allowed`)),
    )
    const none = failingFiles(disk, { at: 0, code: 'EACCES' })
    expect(await applyChange({ ...writer, files: none.files }, jobOf([]))).toEqual(
      refused('read-only', expect.stringContaining('/store: writing is not allowed')),
    )
  })
})

describe('the two ways to ask for a write', () => {
  it('one transcript is replaced as one operation', async () => {
    const expected = await stateNow(writer, FILE)
    const target = { file: FILE, root: '/store', kind: 'pi' } as const
    const verify = async () => null
    const produce = () => bytesOf('new\n')
    const result = await replaceFile(writer, {
      intent: INTENT,
      target,
      expected,
      produce,
      verify,
      wait: NO_WAIT,
    })
    expect(result).toMatchObject({ kind: 'done', receipt: { store: 'pi', undoes: null } })
    expect(disk.text(FILE)).toBe('new\n')
    const wrong = { produce, verify: async () => 'wrong', expected: await stateNow(writer, FILE) }
    expect(await replaceFile(writer, { intent: INTENT, target, wait: NO_WAIT, ...wrong })).toMatchObject({
      refusal: { message: expect.stringContaining('wrong') },
    })
  })

  it('no operation is no change, and asks for nothing', async () => {
    const { reported, writer: watching } = watched()
    const request = { intent: INTENT, root: '/store', kind: 'pi', operations: [], wait: NO_WAIT } as const
    expect(await changeFiles(watching, request)).toEqual({ kind: 'unchanged' })
    expect(reported).toEqual([])
  })

  it('a temporary file lies beside its file, hidden, and bears the id of the receipt', () => {
    expect(temporaryPath(disk, FILE, 'r1')).toBe('/store/.a.jsonl.plimsoll-r1.tmp')
  })
})
