import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../testing/store-folder'
import { MOST_SAVED_BYTES, readSavedOutput } from './saved-output'

function savedStore() {
  const root = temporaryFolder()
  const results = join(root, '-w', 's1', 'tool-results')
  mkdirSync(results, { recursive: true })
  writeFileSync(join(results, 'toolu_1.txt'), 'all of it: grüße\n')
  return { root, results, transcript: { path: join(root, '-w', 's1.jsonl') } }
}

test('the whole output is read, for the session and for its sub-agents', () => {
  const { root, transcript } = savedStore()
  expect(readSavedOutput({ root }, transcript, 'toolu_1.txt')).toBe('all of it: grüße\n')
  const agent = { path: join(root, '-w', 's1', 'subagents', 'agent-a.jsonl') }
  expect(readSavedOutput({ root }, agent, 'toolu_1.txt')).toBe('all of it: grüße\n')
})

test('what is gone, leads elsewhere, is no file or is too large is refused by name', () => {
  const { root, results, transcript } = savedStore()
  const outside = join(temporaryFolder(), 'secret.txt')
  writeFileSync(outside, 'secret')
  symlinkSync(outside, join(results, 'link.txt'))
  mkdirSync(join(results, 'folder.txt'))
  writeFileSync(join(results, 'large.txt'), '')
  truncateSync(join(results, 'large.txt'), MOST_SAVED_BYTES + 1)
  writeFileSync(join(root, '-w', 'other.txt'), 'of no session')
  const read = (name: string) => () => readSavedOutput({ root }, transcript, name)
  expect(read('none.txt')).toThrow('none.txt is not there')
  expect(read('link.txt')).toThrow('leads out of the store')
  expect(read('folder.txt')).toThrow('not a regular file')
  expect(read('large.txt')).toThrow(`no more than ${MOST_SAVED_BYTES} are read`)
  expect(read('../../other.txt')).toThrow('is not there')
})
