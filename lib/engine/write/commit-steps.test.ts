import { beforeEach, describe, expect, it } from 'vitest'
import { failingFiles } from '../../testing/failing-files'
import { MemoryDisk } from '../../testing/memory-disk'
import { testWriter } from '../../testing/test-writer'
import { stateNow } from '../../testing/write-scenarios'
import { commitSteps, happened, verifySteps } from './commit-steps'
import type { PreparedStep } from './prepare-steps'
import type { FileChange, FileState } from './receipt'
import { Refused } from './refusal'
import { temporaryPath } from './temporary-path'
import type { WriteFiles } from './write-ports'

const FILE = '/store/a.jsonl'
const OTHER = '/store/sub/b.jsonl'
const RECEIPT = 'r1'
const temporary = (path: string) => temporaryPath(new MemoryDisk(), path, RECEIPT)

let disk: MemoryDisk
beforeEach(async () => {
  disk = new MemoryDisk()
  await disk.put(FILE, 'old\n')
  await disk.makeFolder('/store/sub')
})
const state = (path: string): Promise<FileState> => stateNow(testWriter(disk), path)
const produce = async function* () {}

async function replacing(path: string): Promise<PreparedStep> {
  const expected = await state(path)
  await disk.put(temporary(path), 'new\n')
  const change = { path, before: expected, after: await state(temporary(path)), backup: null }
  return {
    ...{ kind: 'replace', path, from: null, expected, change },
    operation: { op: 'replace', file: path, expected, produce },
  }
}
async function creating(path: string): Promise<PreparedStep> {
  await disk.put(temporary(path), 'made\n')
  const change = { path, before: null, after: await state(temporary(path)), backup: null }
  return {
    ...{ kind: 'create', path, from: null, expected: null, change },
    operation: { op: 'create', file: path, mode: 0o600, produce },
  }
}
async function adding(path: string, text: string): Promise<PreparedStep> {
  const expected = await state(path)
  const change = {
    path,
    before: expected,
    after: { ...expected, size: expected.size + text.length },
    backup: null,
  }
  const bytes = new TextEncoder().encode(text)
  return {
    ...{ kind: 'append', path, from: null, expected, change },
    operation: { op: 'append', file: path, expected, bytes },
  }
}
async function moving(path: string, to: string): Promise<PreparedStep[]> {
  const expected = await state(path)
  const operation = { op: 'move', file: path, to, expected } as const
  const adopted = { path: to, before: null, after: expected, backup: null }
  const removed = { path, before: expected, after: null, backup: null }
  return [
    { kind: 'adopt', path: to, from: path, expected: null, operation, change: adopted },
    { kind: 'remove', path, from: null, expected, operation, change: removed },
  ]
}

const HELD = { demand: async () => undefined, release: async () => [] }

async function commit(steps: readonly PreparedStep[], files: WriteFiles = disk, demand = HELD.demand) {
  const begun: string[] = []
  const done = commitSteps(testWriter(files), { ...HELD, demand }, steps, RECEIPT, (path) => begun.push(path))
  const outcome = await done.then(() => null).catch((error: unknown) => error)
  return { begun, outcome }
}

describe('M9 carrying steps out', () => {
  it('looks at lock and file right before each, does it with one call, and flushes each folder once', async () => {
    const steps = [await replacing(FILE), await creating(OTHER), await adding(FILE, 'x\n')]
    // The third is about what the first leaves.
    const third = { ...(steps[2] as PreparedStep) }
    const after = steps[0]?.change.after ?? null
    steps[2] = { ...third, change: { ...third.change, before: after } }
    const { files, calls } = failingFiles(disk, null)
    const asked: string[] = []
    const demand = async (path?: string) => {
      asked.push(`${path} at ${calls.length}`)
    }
    const { begun, outcome } = await commit(steps, files, demand as typeof HELD.demand)
    expect(outcome).toBeNull()
    expect(begun).toEqual([FILE, OTHER, FILE])
    expect(calls).toEqual([
      `stat ${FILE}`,
      `rename ${FILE}`,
      `stat ${OTHER}`,
      `link ${OTHER}`,
      `unlink ${temporary(OTHER)}`,
      `stat ${FILE}`,
      `open ${FILE}`,
      `write ${FILE}`,
      `fsync ${FILE}`,
      `close ${FILE}`,
      'fsync /store/',
      'fsync /store/sub/',
    ])
    expect(asked).toEqual([`${FILE} at 0`, `${OTHER} at 2`, `${FILE} at 5`])
    expect([disk.text(FILE), disk.text(OTHER)]).toEqual(['new\nx\n', 'made\n'])
  })

  it('moves a file by a second name and the end of the first', async () => {
    const { files, calls } = failingFiles(disk, null)
    expect((await commit(await moving(FILE, OTHER), files)).outcome).toBeNull()
    expect(calls.filter((call) => /^(link|unlink|rename)/.test(call))).toEqual([
      `link ${OTHER}`,
      `unlink ${FILE}`,
    ])
    expect([disk.text(FILE), disk.text(OTHER)]).toEqual([null, 'old\n'])
  })

  it('stops where the lock was lost, before the file is begun', async () => {
    const lost = new Refused('locked', 'lost')
    const steps = [await replacing(FILE)]
    const { begun, outcome } = await commit(steps, disk, () => Promise.reject(lost))
    expect(outcome).toBe(lost)
    expect(begun).toEqual([])
    expect(disk.text(FILE)).toBe('old\n')
  })

  it('stops where the file is another one, before it is begun', async () => {
    const steps = [await creating(OTHER), await replacing(FILE)]
    const file = await disk.openEnd(FILE)
    await file.write(new TextEncoder().encode('theirs\n'))
    const { begun, outcome } = await commit(steps)
    expect(outcome).toMatchObject({ refusal: { code: 'changed' } })
    expect(begun).toEqual([OTHER])
    expect(disk.text(FILE)).toBe('old\ntheirs\n')
  })

  it.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])(
    'gives a new file its name by renaming where the file system has no links: %s',
    async (code) => {
      const files: WriteFiles = {
        ...disk,
        link: () => Promise.reject(Object.assign(new Error(code), { code })),
      }
      expect((await commit([await creating(OTHER)], files)).outcome).toBeNull()
      expect(disk.text(OTHER)).toBe('made\n')
      expect(disk.text(temporary(OTHER))).toBeNull()
    },
  )

  it.each([{ code: 'EEXIST' }, { code: 'EIO' }, {}])(
    'renames nothing where it failed otherwise: %j',
    async (fields) => {
      const error = Object.assign(new Error('no'), fields)
      const files: WriteFiles = { ...disk, link: () => Promise.reject(error) }
      expect((await commit([await creating(OTHER)], files)).outcome).toBe(error)
      expect(disk.text(OTHER)).toBeNull()
    },
  )

  it('an addition of which the system takes only a part is a full disk, and the file is closed', async () => {
    const step = await adding(FILE, 'more\n')
    disk.room = 2
    const { files, calls } = failingFiles(disk, null)
    expect((await commit([step], files)).outcome).toMatchObject({
      refusal: { code: 'no-space', message: expect.stringContaining('took 2 of 5 bytes') },
    })
    expect(calls.at(-1)).toBe(`close ${FILE}`)
    expect(calls).not.toContain(`fsync ${FILE}`)
  })
})

describe('M9 whether a change has happened', () => {
  const has = (change: Partial<FileChange>) =>
    happened(testWriter(disk), { path: FILE, before: null, after: null, backup: null, ...change })

  it('a removal has when nothing lies there', async () => {
    expect(await has({})).toBe(false)
    expect(await has({ path: OTHER })).toBe(true)
  })

  it('a new file, or a longer one, has when it holds the bytes, also with others behind them', async () => {
    const after = await state(FILE)
    const longer = { ...after, size: 99, hash: 'other' }
    const shorter = { ...after, size: 1, hash: 'other' }
    expect(await has({ after })).toBe(true)
    expect(await has({ after, before: shorter })).toBe(true)
    expect(await has({ after: longer })).toBe(false)
    const file = await disk.openEnd(FILE)
    await file.write(new TextEncoder().encode('x'))
    expect(await has({ after })).toBe(true)
    expect(await has({ after, before: shorter })).toBe(true)
  })

  it('a shorter or equally long one has when the old bytes are gone', async () => {
    const before = await state(FILE)
    await disk.put(OTHER, 'ol')
    const after = await state(OTHER)
    expect(await has({ before, after }), 'the new bytes are the beginning of the old ones').toBe(false)
    expect(await has({ path: OTHER, before, after })).toBe(true)
    await disk.put('/store/c', 'new\n')
    const same = await state('/store/c')
    expect(await has({ before, after: same })).toBe(false)
    expect(await has({ path: '/store/c', before, after: same })).toBe(true)
    expect(await has({ before, after: before }), 'nothing was to change').toBe(false)
  })
})

describe('M9 reading again what was written', () => {
  const verify = (...changes: readonly Partial<FileChange>[]) =>
    verifySteps(
      testWriter(disk),
      changes.map((change) => ({ path: FILE, before: null, after: null, backup: null, ...change })),
    )

  it('answers what is found where it is the same bytes, and what was meant where others added to them', async () => {
    const now = await state(FILE)
    const meant = { ...now, mtimeNs: '5' }
    expect(await verify({ after: meant })).toMatchObject([{ after: now }])
    const file = await disk.openEnd(FILE)
    await file.write(new TextEncoder().encode('x'))
    expect(await verify({ after: meant })).toMatchObject([{ after: meant }])
  })

  it('refuses other bytes, and a file that is still there', async () => {
    const now = await state(FILE)
    const words = { refusal: { code: 'failed', message: expect.stringContaining('does not hold what was') } }
    await expect(verify({ path: OTHER }, { after: { ...now, hash: 'other' } })).rejects.toMatchObject(words)
    await expect(verify({ after: null })).rejects.toMatchObject(words)
    await expect(verify({ path: OTHER, after: now }), 'it has gone').rejects.toMatchObject(words)
    expect(await verify({ path: OTHER })).toMatchObject([{ path: OTHER, after: null }])
  })
})
