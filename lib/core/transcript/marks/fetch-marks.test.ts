import { describe, expect, it } from 'vitest'
import { fetchMark } from './fetch-marks'
import { fingerprintOf, fingerprintWith } from './text-marks'

const shell = (command: string) => fetchMark('c', 'bash', { command })

describe('what a command fetches', () => {
  it.each([
    ['cat src/hull.ts', 'hull.ts'],
    ['head -n 20 ./src/hull.ts', 'hull.ts'],
    ['cd harbour && sed -n 1,20p src/hull.ts', 'hull.ts'],
    [`bash -lc "tail -n 5 'src/hull.ts'"`, 'hull.ts'],
    ['grep -n keel src/hull.ts | head -3', 'keel'],
    ['ls src/', 'src'],
    ['cat  src/hull.ts', 'hull.ts'],
  ])('%s reads %s', (command, name) => {
    expect(shell(command)).toMatchObject({ does: 'read', name: fingerprintOf(name) })
  })

  it.each([
    'make',
    'cat a.ts; make',
    'cat $(ls)',
    'find . -exec make',
    'find . | xargs cat',
    'cat a | make',
    'catalogue',
  ])('%s is none that is known', (command) => expect(shell(command)).toBeNull())

  it.each([
    ['cat a.ts > src/b.ts', 'b.ts'],
    ['rm -f src/b.ts', 'b.ts'],
    ['cat a.ts | tee src/b.ts', 'b.ts'],
  ])('%s changes %s', (command, name) => {
    expect(shell(command)).toMatchObject({ does: 'write', key: 0, name: fingerprintOf(name) })
  })

  it('is the same however it is spaced, and all of a file where nothing is left out', () => {
    expect(shell('cat\t  src/hull.ts')).toEqual(shell('cat src/hull.ts'))
    expect(shell('cat src/hull.ts')?.path).toBe(fingerprintOf('src/hull.ts'))
    expect(shell('cat src/hull.ts | head')?.path).toBe(0)
  })
})

it('a read is the same by its file and part, a search by its arguments in any order', () => {
  const read = (input: object) => fetchMark('c', 'Read', input)
  expect(read({ path: './a/b.ts' })).toEqual(read({ file_path: 'a/b.ts', why: 'to see' }))
  expect(read({ path: 'a/b.ts', offset: 1 })?.key).not.toBe(read({ path: 'a/b.ts', offset: 2 })?.key)
  const search = (input: object) => fetchMark('c', 'Grep', input)
  expect(search({ pattern: 'keel', path: 'src' })).toEqual(search({ path: 'src', pattern: 'keel' }))
  expect(fetchMark('c', 'speak', { path: 'a/b.ts' })).toBeNull()
})

it('files of rules and of runtimes are known as such', () => {
  const read = (path: string) => fetchMark('c', 'read', { path })
  expect(read('pkg/AGENTS.md')).toMatchObject({ isHosts: true, rulesIn: fingerprintOf('pkg') })
  expect(read('.claude/CLAUDE.md')?.rulesIn).toBeUndefined()
  expect(read('notes.md')).toMatchObject({ isHosts: undefined, rulesIn: undefined })
})

it('a fingerprint goes on where another one ended, and is an integer that is kept in place', () => {
  expect(fingerprintWith(fingerprintOf('read '), 'a/b.ts')).toBe(fingerprintOf('read a/b.ts'))
  for (const text of ['', 'keel', 'a/b.ts', '船']) expect(fingerprintOf(text)).toBe(fingerprintOf(text) | 0)
})
