import { beforeEach, describe, expect, it } from 'vitest'
import { failingFiles } from '../../testing/failing-files'
import { MemoryDisk } from '../../testing/memory-disk'
import { type TestWriter, type TestWriterOptions, testWriter } from '../../testing/test-writer'
import { INTENT, stateNow } from '../../testing/write-scenarios'
import type { LiveOwners, LockOwner, LockResult } from './lock-ports'
import type { FileChange, Receipt } from './receipt'
import { recoverWrites } from './recover-writes'
import { Refused } from './refusal'
import { temporaryPath } from './temporary-path'

const FILE = '/store/a.jsonl'
const OTHER = '/store/b.jsonl'
const OWNER: LockOwner = { pid: 7, since: null, command: null, via: 'run', evidence: 'the process' }

let disk: MemoryDisk
beforeEach(async () => {
  disk = new MemoryDisk()
  await disk.put(FILE, 'old\n')
})
const stateOf = (path: string) => stateNow(testWriter(disk), path)

async function changeOf(path = FILE): Promise<FileChange> {
  const before = await stateOf(path)
  const kept = await testWriter(disk).backups.keep(path, before.hash, before.size)
  return { path, before, after: null, backup: kept.kept ? kept.backup : null }
}
async function replace(path: string, text: string): Promise<void> {
  await disk.put(`${path}.new`, text)
  await disk.rename(`${path}.new`, path)
}

const receiptOf = (state: 'preparing' | 'pending', ...files: FileChange[]): Receipt => ({
  ...INTENT,
  ...{ id: '1-r', at: 1, root: '/store', store: 'pi', files, state },
  ...{ undoneBy: null, undoes: null, problem: null, verified: false },
})

async function begun(receipt: Receipt, options: TestWriterOptions = {}): Promise<TestWriter> {
  const writer = testWriter(disk, options)
  await writer.receipts.put(receipt)
  return writer
}

const BEFORE = /^It was interrupted before it was complete; every file is as it was before\.$/

describe('M9 what a crash left', () => {
  it('was being prepared: nothing of the store was changed, and what lies beside it goes', async () => {
    const change = await changeOf()
    const temporary = temporaryPath(disk, FILE, '1-r')
    await disk.put(temporary, 'half')
    const writer = await begun(receiptOf('preparing', change))
    expect(await recoverWrites(writer)).toMatchObject({
      settled: [
        { id: '1-r', state: 'failed', verified: false, problem: expect.stringContaining('prepared') },
      ],
      waiting: [],
    })
    expect([disk.text(FILE), disk.text(temporary)]).toEqual(['old\n', null])
    expect(await recoverWrites(writer)).toMatchObject({ settled: [], waiting: [] })
    expect(writer.heldLocks.size).toBe(0)
  })

  it('had happened: it is done and verified, with what is found', async () => {
    const change = await changeOf()
    await replace(FILE, 'new\n')
    const after = await stateOf(FILE)
    const writer = await begun(receiptOf('pending', { ...change, after: { ...after, mtimeNs: '1' } }))
    const { settled } = await recoverWrites(writer)
    expect(settled).toMatchObject([{ state: 'done', verified: true, problem: null, files: [{ after }] }])
    expect(writer.written).toEqual([FILE])
    expect(writer.rowsPut.get('1-r')?.state).toBe('done')
  })

  it('had happened: its folder is flushed before that is written down', async () => {
    const change = await changeOf()
    await replace(FILE, 'new\n')
    const after = await stateOf(FILE)
    await begun(receiptOf('pending', { ...change, after }))
    const { files, calls } = failingFiles(disk, null)
    await recoverWrites(testWriter(files))
    expect(calls).toContain('fsync /store/')
    const written = calls.findIndex((call) => /^(write|rename) \/home\//.test(call))
    expect(calls.indexOf('fsync /store/')).toBeLessThan(written)
  })

  it('had happened, and the folder has gone with the file', async () => {
    await disk.put('/store/sub/c', 'c')
    const change = { ...(await changeOf('/store/sub/c')), path: '/store/none/c' }
    const writer = await begun(receiptOf('pending', change))
    expect(await recoverWrites(writer)).toMatchObject({ settled: [{ state: 'done' }], waiting: [] })
  })

  it('had not begun: every file is as it was', async () => {
    const change = await changeOf()
    await disk.put(OTHER, 'new\n')
    const after = await stateOf(OTHER)
    const writer = await begun(receiptOf('pending', { ...change, after }))
    expect(await recoverWrites(writer)).toMatchObject({
      settled: [{ state: 'failed', verified: false, problem: expect.stringMatching(BEFORE) }],
    })
    expect(writer.written).toEqual([])
  })

  it('had happened in part: that part is put back', async () => {
    await disk.put(OTHER, 'other\n')
    const [first, second] = [await changeOf(), await changeOf(OTHER)]
    await replace(FILE, 'new\n')
    const after = await stateOf(FILE)
    const writer = await begun(receiptOf('pending', { ...first, after }, { ...second, after: null }))
    expect(await recoverWrites(writer)).toMatchObject({
      settled: [{ state: 'failed', problem: expect.stringMatching(BEFORE) }],
    })
    expect([disk.text(FILE), disk.text(OTHER)]).toEqual(['old\n', 'other\n'])
  })

  it('and what cannot be put back is said', async () => {
    const change = await changeOf()
    await disk.put(OTHER, 'new\n')
    const after = await stateOf(OTHER)
    await replace(FILE, 'theirs\n')
    const writer = await begun(receiptOf('pending', { ...change, after }))
    const { settled } = await recoverWrites(writer)
    expect(settled[0]?.problem).toMatch(
      /^It was interrupted before it was complete\. \/store\/a\.jsonl has been changed/,
    )
    expect(disk.text(FILE)).toBe('theirs\n')
  })

  it('what was changed in the very file that we made is theirs: the locks were not ours meanwhile', async () => {
    const change = await changeOf()
    await replace(FILE, 'brand new\n')
    const after = await stateOf(FILE)
    const file = await disk.openEnd(FILE)
    await file.truncate(0)
    await file.write(new TextEncoder().encode('theirs\n'))
    const writer = await begun(receiptOf('pending', { ...change, after }))
    const { settled } = await recoverWrites(writer)
    expect(settled[0]?.problem).toContain('changed by another hand')
    expect(disk.text(FILE)).toBe('theirs\n')
  })
})

describe('M9 what has to wait', () => {
  it('a file that another process has locked; the locks that were taken are given back', async () => {
    await disk.put(OTHER, 'other\n')
    const foreign = new Map([[OTHER, OWNER]])
    const writer = await begun(receiptOf('preparing', await changeOf(OTHER), await changeOf()), { foreign })
    expect(await recoverWrites(writer)).toMatchObject({
      settled: [],
      waiting: [{ receipt: '1-r', why: `${OTHER} is locked by process 7, as the process tells` }],
    })
    expect(writer.heldLocks.size).toBe(0)
    expect(await writer.receipts.open()).toEqual(['1-r'])
  })

  it.each<[LockResult, string]>([
    [{ held: false, reason: 'failed', problem: 'The lock cannot be made.' }, 'The lock cannot be made.'],
    [{ held: false, reason: 'stopped' }, 'stopped'],
  ])('a file whose lock cannot be had: %j', async (result, why) => {
    const writer = await begun(receiptOf('preparing', await changeOf()))
    const asked: number[] = []
    const locks = {
      ...writer.locks,
      acquire: async (_file: string, { waitMs }: { waitMs: number }) => {
        asked.push(waitMs)
        return result
      },
    }
    expect(await recoverWrites({ ...writer, locks })).toMatchObject({
      settled: [],
      waiting: [{ receipt: '1-r', why }],
    })
    expect(asked).toEqual([0])
  })

  it('a session that somebody works with, as long as something would have to be put back', async () => {
    const change = await changeOf()
    await disk.put(OTHER, 'other\n')
    const second = await changeOf(OTHER)
    await replace(FILE, 'new\n')
    const files = [{ ...change, after: await stateOf(FILE) }, second]
    const writer = await begun(receiptOf('pending', ...files), { live: OWNER })
    const asked: unknown[] = []
    const find: LiveOwners['find'] = async (session) => {
      asked.push(session)
      return OWNER
    }
    expect(await recoverWrites({ ...writer, live: { find } })).toMatchObject({
      settled: [],
      waiting: [{ receipt: '1-r', why: `${FILE} is in use by process 7, as the process tells` }],
    })
    expect(asked).toEqual([{ file: FILE, root: '/store', kind: 'pi' }])
    expect(disk.text(FILE)).toBe('new\n')
    await replace(FILE, 'old\n')
    const again = { ...change, before: await stateOf(FILE), after: { ...(await stateOf(FILE)), hash: 'x' } }
    const sound = await begun(receiptOf('pending', again, second), { live: OWNER })
    expect(await recoverWrites(sound)).toMatchObject({ settled: [{ state: 'failed' }], waiting: [] })
  })

  it('a receipt that cannot be read, without harm to the others', async () => {
    const writer = await begun(receiptOf('preparing', await changeOf()))
    await writer.receipts.put({ ...receiptOf('preparing'), id: '0-broken' })
    const receipts = {
      ...writer.receipts,
      read: (id: string) => {
        if (id === '0-broken') throw new Error('not a receipt')
        return writer.receipts.read(id)
      },
    }
    const report = await recoverWrites({ ...writer, receipts })
    expect(report.waiting).toEqual([{ receipt: '0-broken', why: 'not a receipt' }])
    expect(report.settled.map(({ id }) => id)).toEqual(['1-r'])
  })

  it('nothing where its own process ended it meanwhile, or it has gone', async () => {
    const receipt = receiptOf('pending', await changeOf())
    const writer = await begun(receipt)
    for (const then of [null, { ...receipt, state: 'done' } as const]) {
      let asked = 0
      const sound = await writer.receipts.read(receipt.id)
      if (sound === null) throw new Error('no receipt')
      const read = async () => (++asked === 1 ? sound : then === null ? null : { ...sound, receipt: then })
      const report = await recoverWrites({ ...writer, receipts: { ...writer.receipts, read } })
      expect(report).toMatchObject({ settled: [], waiting: [] })
    }
    const gone = { ...writer.receipts, read: async () => null }
    expect(await recoverWrites({ ...writer, receipts: gone })).toMatchObject({ settled: [], waiting: [] })
    expect(disk.text(FILE)).toBe('old\n')
  })

  it('takes the locks in the order of names, gives them back the last first, and none in a folder that has gone', async () => {
    await disk.put(OTHER, 'other\n')
    const gone = { ...(await changeOf()), path: '/store/gone/x' }
    const writer = await begun(receiptOf('preparing', await changeOf(OTHER), gone, await changeOf()))
    const reported: string[] = []
    const locks = {
      ...writer.locks,
      acquire: async (file: string, options: { waitMs: number }) => {
        reported.push(`take ${file}`)
        const taken = await writer.locks.acquire(file, options)
        if (!taken.held) return taken
        const release = async () => void reported.push(`give ${file}`)
        return { ...taken, lock: { ...taken.lock, release } }
      },
    }
    await recoverWrites({ ...writer, locks })
    expect(reported).toEqual([`take ${FILE}`, `take ${OTHER}`, `give ${OTHER}`, `give ${FILE}`])
  })
})

describe('M9 what is left alone', () => {
  it('a receipt that does not prove itself: it is named, and no file is touched for its sake', async () => {
    const writer = await begun(receiptOf('preparing', await changeOf()))
    const temporary = temporaryPath(disk, FILE, '1-r')
    await disk.put(temporary, 'half')
    const read = async (id: string) => {
      const found = await writer.receipts.read(id)
      return found && { ...found, proof: { kind: 'not-proved', why: 'it was changed.' } as const }
    }
    expect(await recoverWrites({ ...writer, receipts: { ...writer.receipts, read } })).toEqual({
      settled: [],
      waiting: [],
      leftAlone: [expect.stringContaining('1-r does not prove itself: it was changed.')],
    })
    expect(disk.text(temporary)).toBe('half')
    expect(await writer.receipts.open()).toEqual(['1-r'])
  })

  it('one whose folder became a link since; any other refusal only has to wait', async () => {
    const writer = await begun(receiptOf('preparing', await changeOf()))
    const realPath = async (path: string) => (path === '/store' ? '/elsewhere' : path)
    expect(await recoverWrites({ ...writer, files: { ...disk, realPath } })).toEqual({
      settled: [],
      waiting: [],
      leftAlone: [expect.stringContaining('names files in /store, which leads to /elsewhere now.')],
    })
    const refused = () => Promise.reject(new Refused('locked', 'Not now.'))
    const receipts = { ...writer.receipts, read: refused }
    expect(await recoverWrites({ ...writer, receipts })).toEqual({
      settled: [],
      waiting: [{ receipt: '1-r', why: 'Not now.' }],
      leftAlone: [],
    })
  })
})
