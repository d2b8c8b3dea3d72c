import { expect, test } from 'vitest'
import { INTENT } from '../../testing/write-scenarios'
import { unfinishedBytes } from '../read/unfinished'
import type { Receipt } from '../write/receipt'
import { writeRoot } from '../write/write-root'
import { outsideOutcome, writeOutcome } from './write-outcome'

const receipt: Receipt = {
  ...INTENT,
  ...{ id: 'r1', at: 1, root: '/store', store: 'pi', state: 'done', undoneBy: null, undoes: null },
  ...{ files: [{ path: '/a', before: null, after: null, backup: '/b' }], problem: null, verified: true },
}
const words = { done: ({ id }: Receipt) => `Done as ${id}.`, unchanged: 'Nothing to do.' }

test('X16 what became of a job that wrote: done, nothing to do, refused, or stopped', () => {
  expect(writeOutcome({ kind: 'done', receipt, notes: ['One.', 'Two.'] }, words)).toEqual({
    kind: 'done',
    message: 'Done as r1. One. Two.',
    receipt: 'r1',
    result: { receipt: 'r1', backup: '/b', notes: ['One.', 'Two.'] },
  })
  const made = { ...receipt, files: [] }
  expect(writeOutcome({ kind: 'done', receipt: made, notes: [] }, words)).toMatchObject({
    message: 'Done as r1.',
    result: { backup: null, notes: [] },
  })
  expect(writeOutcome({ kind: 'unchanged' }, words)).toEqual({
    kind: 'done',
    message: 'Nothing to do.',
    receipt: null,
  })
  const refused = (code: 'stopped' | 'locked') =>
    writeOutcome({ kind: 'refused', refusal: { code, message: 'Why.' } }, words)
  expect(refused('stopped')).toEqual({ kind: 'stopped', message: 'Why.' })
  expect(refused('locked')).toEqual({ kind: 'refused', message: 'Why.' })
})

test.each([
  ['/s', '/s/a.jsonl', '/s'],
  ['/s', '/s/agents/main/a.jsonl', '/s'],
  ['/s/a.jsonl', '/s/a.jsonl', '/s'],
  ['C:\\s\\a.jsonl', 'C:\\s\\a.jsonl', 'C:\\s'],
])('the folder that a write into the store %s must not leave for %s is %s', (root, path, expected) => {
  expect(writeRoot({ root }, { path })).toBe(expected)
})

test('bytes behind the last line that was taken are known of plain files alone', () => {
  const jsonl = { era: 'jsonl' }
  const cursor = { size: 10, offset: 7 }
  expect(unfinishedBytes(jsonl, { path: '/a.jsonl' }, cursor)).toBe(3)
  expect(unfinishedBytes(jsonl, { path: '/a.jsonl' }, { size: 7, offset: 7 })).toBe(0)
  expect(unfinishedBytes(jsonl, { path: '/a.jsonl' }, { size: 7, offset: 10 })).toBe(0)
  expect(unfinishedBytes(jsonl, { path: '/a.jsonl' }, null)).toBeNull()
  expect(unfinishedBytes(jsonl, { path: '/a.jsonl.zst' }, cursor)).toBeNull()
  expect(unfinishedBytes({ era: 'sqlite' }, { path: '/a.db' }, cursor)).toBeNull()
})

test('X16 what became of a job that had another program write: its words say what was done', () => {
  const done = { kind: 'done', receipt, notes: ['One.'], others: 2 } as const
  expect(outsideOutcome(done, ({ others }) => `${others} others.`)).toEqual({
    kind: 'done',
    message: '2 others. One.',
    receipt: 'r1',
  })
})
