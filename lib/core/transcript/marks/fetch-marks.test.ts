import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../testing/runs'
import { fetchMark } from './fetch-marks'
import { fingerprintOf } from './text-marks'

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
    ['cat  src/hull.ts | head', 'hull.ts'],
    ['bash  -c  "cat src/hull.ts"', 'hull.ts'],
    ['sh -c cat src/hull.c', 'hull.c'],
    ['cat src/hull.ts -n', 'hull.ts'],
    ['  cat src/hull.ts  ', 'hull.ts'],
    ['cd harbour; cat src/hull.ts', 'hull.ts'],
    ['/bin/sh -c cat\tsrc/hull.ts', 'hull.ts'],
    [`zsh -c 'cat src/hull.ts'`, 'hull.ts'],
    ['  bash -lc "cat src/hull.ts" ', 'hull.ts'],
    ['/usr/bin/bash -lc "cat src/hull.ts"', 'hull.ts'],
    ['/usr/local/bin/zsh -l -c cat src/hull.ts', 'hull.ts'],
    ['dash -ec "cat src/hull.ts"', 'hull.ts'],
    [`bash -lc "sh -c 'cat src/hull.ts'"`, 'hull.ts'],
    [String.raw`bash -lc "sh -c \"cat src/hull.ts\""`, 'hull.ts'],
    [String.raw`bash -lc "grep \"keel\" src"`, 'keel'],
    [String.raw`bash -lc 'grep ke\"el src'`, String.raw`ke\el`],
    ['cat "src/hull.ts"', 'hull.ts'],
    ['rg --files-with-matches "keel" src', 'keel'],
    ['ls', 'ls'],
    ['ls -la src', 'src'],
    ['find src/boats -name keel', 'keel'],
    ['tree src/boats -a', 'boats'],
    ['wc -l src/hull.ts | sort | uniq', 'hull.ts'],
    ['cat src/steer.ts', 'steer.ts'],
    ['cat src/alarm.ts', 'alarm.ts'],
  ])('%s reads %s', (command, name) => {
    expect(shell(command)).toMatchObject({ does: 'read', name: fingerprintOf(name) })
  })

  it.each(['ls /', 'ls .', 'ls ./', 'ls src/..', 'find ..', 'tree .', 'grep -rn'])(
    '%s reads what has no name',
    (command) => expect(shell(command)).toMatchObject({ does: 'read', name: 0 }),
  )

  it.each([
    'make',
    'cat a.ts; make',
    'cat $(ls)',
    'find . -exec make',
    'find . | xargs cat',
    'cat a | make',
    'cat a | head | make',
    'make | cat a',
    'catalogue',
    '',
    'x cat a.ts',
    'bash script.sh cat',
    `bash -lc "cat a.ts'; make`,
    'cd harbour',
    'bash -c sh -c bash -c cat a.ts',
    'pwsh -c cat a.ts',
    'ssh quay bash -lc "cat a.ts"',
    'bash -lc "cat a.ts',
    'alarm a.ts',
    'make > ',
  ])('%s is none that is known', (command) => expect(shell(command)).toBeNull())

  it.each([
    ['cat a.ts > src/b.ts', 'b.ts'],
    ['rm -f src/b.ts', 'b.ts'],
    ['cat a.ts | tee src/b.ts', 'b.ts'],
    ['cat a.ts | make | tee src/b.ts', 'b.ts'],
    ['make > src/b.ts', 'b.ts'],
    ['bash -lc "rm src/b.ts"', 'b.ts'],
    [`sh -c 'rm src/b.ts'`, 'b.ts'],
    ['zsh -lc "rm -rf src/b.ts"', 'b.ts'],
  ])('%s changes %s', (command, name) => {
    expect(shell(command)).toMatchObject({ does: 'write', key: 0, name: fingerprintOf(name) })
  })

  it('changes what a shell removes that is made to run it, as a list of words as well', () => {
    const listed = fetchMark('c', 'shell', { command: ['bash', '-lc', 'rm src/b.ts'] })
    expect(listed).toEqual(shell('rm src/b.ts'))
  })

  it('is word for word what a shell is made to run: only between double quotes a backslash is left out', () => {
    const [plain, escaped] = ['grep "keel" src', String.raw`grep \"keel\" src`]
    expect(shell(`bash -lc "${escaped}"`)).toEqual(shell(plain))
    expect(shell(`bash -lc '${escaped}'`)).toEqual(shell(escaped))
    expect(shell(escaped)).not.toEqual(shell(plain))
  })

  it('is the same however it is spaced, and all of a file where nothing is left out', () => {
    expect(shell('cat\t  src/hull.ts')).toEqual(shell('cat src/hull.ts'))
    expect(shell('cat src/hull.ts')?.path).toBe(fingerprintOf('src/hull.ts'))
    for (const part of ['cat src/hull.ts | head', 'cat -n src/hull.ts', 'head src/hull.ts', 'ls src/hull.ts'])
      expect(shell(part)?.path).toBe(0)
    expect(shell("cat 'src/hull.ts'")?.path).toBe(fingerprintOf('src/hull.ts'))
  })

  it('is another one by any word of it, and the same in another folder', () => {
    const commands = ['cat a.ts', 'cat b.ts', 'head a.ts', 'cat a.ts | head', 'cat a.ts | tail', 'ls a.ts']
    expect(new Set(commands.map((command) => shell(command)?.key)).size).toBe(commands.length)
    expect(shell('cd harbour && cat a.ts')).toEqual(shell('cat a.ts'))
  })

  it('is looked for in 600 characters: longer ones are scripts', () => {
    const long = (chars: number) => shell(`cat ${'a'.repeat(chars - 4)}`)
    expect([long(600)?.does, long(601)]).toEqual(['read', null])
  })
})

it('a read is the same by its file and part, a search by its arguments in any order', () => {
  const read = (input: object) => fetchMark('c', 'Read', input)
  expect(read({ path: './a/b.ts' })).toEqual(read({ file_path: 'a/b.ts', why: 'to see' }))
  expect(read({ path: 'a/b.ts', offset: 1 })?.key).not.toBe(read({ path: 'a/b.ts', offset: 2 })?.key)
  const search = (input: object) => fetchMark('c', 'Grep', input)
  expect(search({ pattern: 'keel', path: 'src' })).toEqual(search({ path: 'src', pattern: 'keel' }))
  expect(fetchMark('c', 'speak', { path: 'a/b.ts' })).toBeNull()
  expect(read({ path: 'a/b.ts' })).toMatchObject({ callId: 'c', path: fingerprintOf('a/b.ts') })
  expect(read({ path: 'a/b.ts', pages: '1-2' })).toMatchObject({ name: fingerprintOf('b.ts'), path: 0 })
  expect(read({ why: 'to see' })).toBeNull()
})

it('any part of a file is another read', () => {
  const parts = 'offset limit view_range start_line end_line line_start line_end pages range'.split(' ')
  const inputs = [{}, ...parts.map((part) => ({ [part]: 1 })), { offset: 1, limit: 1 }]
  const keys = inputs.map((input) => fetchMark('c', 'read', { path: 'a/b.ts', ...input })?.key)
  expect(new Set(keys).size).toBe(inputs.length)
})

it.each<[object, string]>([
  [{ pattern: 'keel', path: 'src' }, 'keel'],
  [{ query: 'keel', url: 'https://a/b' }, 'keel'],
  [{ url: 'https://harbour/keel/' }, 'keel'],
  [{ glob: 'src/*.ts', path: 'docs' }, '*.ts'],
  [{ path: 'src/boats' }, 'boats'],
])('a search for %j has the name %s', (input, name) => {
  for (const tool of ['Grep', 'web_search', 'list_dir'])
    expect(fetchMark('c', tool, input)).toMatchObject({ does: 'read', name: fingerprintOf(name), path: 0 })
})

it('a search that names nothing has no name; another tool or argument is another search', () => {
  for (const input of [{ depth: 2 }, { path: '/' }, { path: '.' }, { path: '../..' }])
    expect(fetchMark('c', 'ls', input)).toMatchObject({ does: 'read', name: 0 })
  const keys = [
    fetchMark('c', 'ls', { path: 'src' }),
    fetchMark('c', 'find', { path: 'src' }),
    fetchMark('c', 'ls', { path: 'docs' }),
    fetchMark('c', 'ls', { glob: 'src' }),
    fetchMark('c', 'ls', {}),
  ].map((mark) => mark?.key)
  expect(new Set(keys).size).toBe(5)
})

it('a search is known as such however many tools there are, and in whatever case', () => {
  for (let i = 0; i < 600; i++) expect(fetchMark('c', `tool${i}`, { path: 'src' })).toBeNull()
  const inSomeCase = fc.mixedCase(fc.constant('codebase_search'))
  fc.assert(
    fc.property(inSomeCase, (tool) => fetchMark('c', tool, { path: 'src' })?.does === 'read'),
    runs(10),
  )
})

it('arguments may be the JSON of an object, and of a patch its text', () => {
  expect(fetchMark('c', 'read', '{"path":"a/b.ts"}')).toEqual(fetchMark('c', 'read', { path: 'a/b.ts' }))
  const patch = '*** Begin Patch\n*** Update File: src/b.ts\n@@\n-a\n+b\n*** End Patch'
  const changed = { does: 'write', key: 0, name: fingerprintOf('b.ts') }
  expect(fetchMark('c', 'apply_patch', patch)).toMatchObject(changed)
  expect(fetchMark('c', 'write', { path: 'src/b.ts', content: 'x' })).toMatchObject(changed)
  for (const none of [null, 7, '{broken', '["a/b.ts"]', ['a/b.ts']])
    expect(fetchMark('c', 'read', none)).toBeNull()
})

it('files of rules and of runtimes are known as such', () => {
  const read = (path: string) => fetchMark('c', 'read', { path })
  expect(read('pkg/AGENTS.md')).toMatchObject({ isHosts: true, rulesIn: fingerprintOf('pkg') })
  expect(read('.claude/CLAUDE.md')?.rulesIn).toBeUndefined()
  expect(read('notes.md')).toMatchObject({ isHosts: undefined, rulesIn: undefined })
  expect(read('./AGENTS.md')).toMatchObject({ isHosts: true, rulesIn: undefined })
  expect(read('/AGENTS.md')?.rulesIn).toBeUndefined()
  expect(read('a/CONVENTIONS.md')).toMatchObject({ isHosts: undefined, rulesIn: fingerprintOf('a') })
  expect(read('a/memory/day.md')).toMatchObject({ isHosts: true, rulesIn: undefined })
  for (const tool of ['ls', 'find', 'tree'])
    expect(shell(`${tool} pkg/AGENTS.md`)).toMatchObject({ isHosts: undefined, rulesIn: undefined })
  expect(shell('head pkg/AGENTS.md')).toMatchObject({ isHosts: true, rulesIn: fingerprintOf('pkg') })
  expect(read('a/b/GEMINI.local.md')).toMatchObject({ isHosts: true, rulesIn: fingerprintOf('a/b') })
})
