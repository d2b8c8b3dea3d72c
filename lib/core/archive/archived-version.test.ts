import { expect, it } from 'vitest'
import { BLOCK_BYTES, blockSize, readVersion, versionName } from './archived-version'

const HASH = 'ab'.repeat(32)
const VERSION = {
  format: 1,
  id: '0123456789abcdef',
  number: 2,
  store: { id: 's', kind: 'pi', era: 'jsonl', root: '/s', label: 'pi' },
  sessionId: 'one',
  key: null,
  agent: null,
  path: '/s/one.jsonl',
  state: 'live',
  index: null,
  form: 'file',
  stamp: { dev: 1, ino: 2, size: BLOCK_BYTES + 5, mtimeMs: 3.5 },
  mode: 0o600,
  size: BLOCK_BYTES + 5,
  blocks: [HASH, HASH],
  sha256: null,
  copiedAt: 4,
  replacedAt: null,
}

it('a version is read as it was written, and its last block is shorter', () => {
  const version = readVersion(JSON.stringify(VERSION))
  expect(version).toEqual(VERSION)
  expect([0, 1].map((at) => blockSize(version, at))).toEqual([BLOCK_BYTES, 5])
  expect(versionName(version)).toBe('0123456789abcdef')
  expect(versionName({ ...version, replacedAt: 9 })).toBe('0123456789abcdef.v2')
})

it.each([
  ['another number of blocks than its size needs', { size: BLOCK_BYTES * 1000 }],
  ['a size below zero', { size: -1, blocks: [] }],
  ['a block that is a path', { blocks: [HASH, '../../etc/passwd'] }],
  ['an id that is a path', { id: '../0123456789abc' }],
  ['a mode that is more than permissions', { mode: 0o100600 }],
  ['a form of another release', { format: 2 }],
])('refuses %s', (_, wrong) => {
  expect(() => readVersion(JSON.stringify({ ...VERSION, ...wrong }))).toThrow()
})
