import { setImmediate } from 'node:timers/promises'
import { beforeEach, describe, expect, it, test } from 'vitest'
import { MemoryDisk } from '../../testing/memory-disk'
import { testWriter } from '../../testing/test-writer'
import { bytesOf, INTENT, NO_WAIT, stateNow } from '../../testing/write-scenarios'
import type { FileState } from './receipt'
import type { KeepResult, Writer } from './write-ports'
import type { FileOperation } from './write-requests'
import { compareSteps, demandUnchanged, keepBackups, planSteps, type Step } from './write-steps'

const state = { dev: '1', ino: '1', size: 1, mtimeNs: '1', mode: 0o600, uid: 0, gid: 0, hash: 'h' }
const step = (i: number): Step => {
  const [path, expected]: [string, FileState] = [`/f${i}`, state]
  return { kind: 'remove', path, from: null, expected, operation: { op: 'remove', file: path, expected } }
}

test('many copies are made side by side, reported in their order; after one that fails nothing is begun, and nothing goes on', async () => {
  const steps = Array.from({ length: 100 }, (_, i) => step(i))
  const run = async (failing: string | null) => {
    const [begun, ended]: [string[], string[]] = [[], []]
    const keep: Writer['backups']['keep'] = async (file) => {
      begun.push(file)
      if (file === failing) throw new Error('no such disk')
      for (let i = 0; i < 5; i++) await setImmediate()
      ended.push(file)
      return { kept: true, backup: `/b${file}`, removed: { bytes: 0, count: 0 } }
    }
    const backups = { keep, placeOf: (hash: string) => hash, check: async () => 'good' as const }
    const done = keepBackups({ backups }, steps, [])
    const outcome = await done.then((changes) => changes.map(({ backup }) => backup)).catch(String)
    return { begun, ended, outcome }
  }
  expect((await run(null)).outcome).toEqual(steps.map(({ path }) => `/b${path}`))
  const { begun, ended, outcome } = await run('/f3')
  expect(outcome).toBe('Error: no such disk')
  expect(begun.length).toBeLessThan(100)
  expect(ended).toHaveLength(begun.length - 1)
})

const FILE = '/store/a.jsonl'
const OTHER = '/store/b.jsonl'
const FREE = '/store/c.jsonl'

let disk: MemoryDisk
beforeEach(async () => {
  disk = new MemoryDisk()
  await disk.put(FILE, 'old\n')
  await disk.put(OTHER, 'other\n')
})
const writer = () => testWriter(disk)
const refused = (code: string, words: RegExp) => ({
  refusal: { code, message: expect.stringMatching(words) },
})

describe('what a request comes to, file by file', () => {
  const plan = (...operations: readonly FileOperation[]) =>
    planSteps(writer(), { intent: INTENT, root: '/store', kind: 'pi', operations, wait: NO_WAIT })
  const produce = () => bytesOf('x')

  it('one step each, in their order; a move is a second name and the end of the first', async () => {
    const expected = await stateNow(writer(), FILE)
    const operations: FileOperation[] = [
      { op: 'move', file: FILE, to: FREE, expected },
      { op: 'remove', file: OTHER, expected },
      { op: 'create', file: '/store/d.jsonl', mode: 0o600, produce },
    ]
    const [move, remove, create] = operations
    expect(await plan(...operations)).toEqual([
      { kind: 'adopt', path: FREE, from: FILE, expected: null, operation: move },
      { kind: 'remove', path: FILE, from: null, expected, operation: move },
      { kind: 'remove', path: OTHER, from: null, expected, operation: remove },
      { kind: 'create', path: '/store/d.jsonl', from: null, expected: null, operation: create },
    ])
    const replace: FileOperation = { op: 'replace', file: FILE, expected, produce }
    const append: FileOperation = { op: 'append', file: OTHER, expected, bytes: new Uint8Array() }
    expect(await plan(replace, append)).toEqual([
      { kind: 'replace', path: FILE, from: null, expected, operation: replace },
      { kind: 'append', path: OTHER, from: null, expected, operation: append },
    ])
  })

  it('refuses what is there already, what is named twice, and what leads out of the store', async () => {
    const expected = await stateNow(writer(), FILE)
    const remove = (file: string) => ({ op: 'remove', file, expected }) as const
    const move = (to: string) => ({ op: 'move', file: FILE, to, expected }) as const
    await expect(plan(move(OTHER))).rejects.toMatchObject(refused('changed', /b\.jsonl exists already/))
    const create = { op: 'create', file: OTHER, mode: 0o600, produce } as const
    await expect(plan(create)).rejects.toMatchObject(refused('changed', /exists already/))
    await expect(plan(remove(FILE), remove(FILE))).rejects.toMatchObject(refused('unsafe', /named twice/))
    await expect(plan(move(FREE), remove(FILE))).rejects.toMatchObject(refused('unsafe', /named twice/))
    await disk.put('/elsewhere/x', 'x')
    await expect(plan(remove('/elsewhere/x'))).rejects.toMatchObject(refused('outside', /\/elsewhere\/x/))
    await expect(plan(move('/elsewhere/y'))).rejects.toMatchObject(refused('outside', /\/elsewhere\/y/))
  })
})

describe('M6 a last comparison under the lock', () => {
  const stepOf = (expected: FileState | null, path = FILE): Step => ({
    ...{ kind: 'replace', path, from: null, expected },
    operation: { op: 'create', file: path, mode: 0o600, produce: () => bytesOf('x') },
  })
  const compare = async (expected: FileState | null, path = FILE) =>
    compareSteps(writer(), [stepOf(await stateNow(writer(), OTHER), OTHER), stepOf(expected, path)])

  it('passes where each is as it was, and where nothing was to be there', async () => {
    await compare(await stateNow(writer(), FILE))
    await compare(null, FREE)
  })

  it('refuses each difference with its words', async () => {
    const state = await stateNow(writer(), FILE)
    const since = (words: RegExp) =>
      refused(
        'changed',
        new RegExp(`a\\.jsonl has changed since the plan was made: ${words.source}\\. Nothing`),
      )
    await expect(compare({ ...state, ino: '99' })).rejects.toMatchObject(
      since(/it was replaced by another file/),
    )
    await expect(compare({ ...state, size: 3 })).rejects.toMatchObject(since(/it had 3 bytes and has 4 now/))
    await expect(compare({ ...state, mtimeNs: '1' })).rejects.toMatchObject(since(/it was written to/))
    await expect(compare({ ...state, hash: 'h' })).rejects.toMatchObject(since(/its content is another one/))
    await expect(compare(state, FREE)).rejects.toMatchObject(
      refused('missing', /c\.jsonl is not there any more/),
    )
    await expect(compare(null)).rejects.toMatchObject(refused('changed', /a\.jsonl exists already/))
    await disk.makeFolder(FREE)
    await expect(compare(null, FREE)).rejects.toMatchObject(refused('changed', /c\.jsonl exists already/))
  })

  it('and once more right before each file is written, by what one look tells', async () => {
    const state = await stateNow(writer(), FILE)
    const demand = (expected: FileState | null, path = FILE) => demandUnchanged(writer(), path, expected)
    await demand(state)
    await demand({ ...state, hash: 'not read' })
    await demand(null, FREE)
    await expect(demand(null)).rejects.toMatchObject(refused('changed', /exists already/))
    await expect(demand(state, FREE)).rejects.toMatchObject(
      refused('changed', /: it is not there any more\./),
    )
    await expect(demand({ ...state, mtimeNs: '1' })).rejects.toMatchObject(
      refused('changed', /: it was written to\./),
    )
  })
})

describe('M5 copies of what goes', () => {
  const keepWith = (result: KeepResult, notes: string[] = []) => {
    const backups: Writer['backups'] = { ...writer().backups, keep: async () => result }
    return keepBackups({ backups }, [step(1)], notes)
  }
  const removed = { bytes: 0, count: 0 }

  it('name the file, its state and the copy; what is new has none', async () => {
    expect(await keepWith({ kept: true, backup: '/b', removed })).toEqual([
      { path: '/f1', before: state, after: null, backup: '/b' },
    ])
    const made: Step = { ...step(2), expected: null }
    const backups: Writer['backups'] = {
      ...writer().backups,
      keep: () => Promise.reject(new Error('asked')),
    }
    expect(await keepBackups({ backups }, [made], [])).toEqual([
      { path: '/f2', before: null, after: null, backup: null },
    ])
  })

  it('say what made room for them, and nothing where nothing had to', async () => {
    const notes: string[] = []
    await keepWith({ kept: true, backup: '/b', removed }, notes)
    expect(notes).toEqual([])
    await keepWith({ kept: true, backup: '/b', removed: { bytes: 70, count: 1 } }, notes)
    expect(notes).toEqual([expect.stringMatching(/^1 backups \(70 bytes\)/)])
  })

  it.each([
    ['quota', 'no-space'],
    ['changed', 'changed'],
    ['damaged', 'no-backup'],
  ] as const)('that cannot be made refuse the write: %s → %s', async (reason, code) => {
    await expect(keepWith({ kept: false, reason, message: 'Why.' })).rejects.toMatchObject({
      refusal: { code, message: 'Why.' },
    })
  })

  it('are made sixteen at a time', async () => {
    let most = 0
    let now = 0
    const backups: Writer['backups'] = {
      ...writer().backups,
      keep: async () => {
        most = Math.max(most, ++now)
        await setImmediate()
        now--
        return { kept: true, backup: '/b', removed }
      },
    }
    await keepBackups(
      { backups },
      Array.from({ length: 40 }, (_, i) => step(i)),
      [],
    )
    expect(most).toBe(16)
  })
})
