import { describe, expect, it } from 'vitest'
import { fileLedger, firstTouchOf, isShell, touchesOf } from './file-ledger'
import type { SourceMessage } from './source-message'

describe('what the calls of shells touch', () => {
  it.each(['exec_command', 'shell_command', 'container.exec', 'functions.shell_command', 'Bash'])(
    'reads removals and redirections out of %s',
    (name) => {
      expect(isShell(name)).toBe(true)
      expect(touchesOf({ name, input: { command: 'make > build.log && rm -f old.txt' } })).toEqual([
        { path: 'build.log', how: 'create' },
        { path: 'old.txt', how: 'delete' },
      ])
    },
  )

  it('takes a command line that is a list of words', () => {
    for (const command of [
      ['bash', '-lc', 'rm notes.md'],
      ['rm', 'notes.md'],
    ])
      expect(touchesOf({ name: 'shell', input: { command } })).toEqual([{ path: 'notes.md', how: 'delete' }])
  })

  it.each([
    'bash -lc "rm -f notes.md"',
    "sh -c 'rm notes.md'",
    'zsh -lc "rm notes.md && make"',
    '/usr/bin/bash -l -c rm notes.md',
    'bash -lc "rm notes.md" && make',
    'cd harbour && bash -lc " rm notes.md"',
    String.raw`bash -lc "sh -c \"rm notes.md\""`,
    `bash -lc "sh -c 'rm notes.md'"`,
    'bash -lc "make; rm notes.md"',
    'make\n\n\t\n  rm notes.md',
    'make;\r\n rm notes.md',
  ])('sees what a shell removes that is made to run a command: %s', (command) => {
    expect(touchesOf({ name: 'bash', input: { command } })).toEqual([{ path: 'notes.md', how: 'delete' }])
  })

  it.each([
    'bash -lc "firm notes.md"',
    'bash rm notes.md',
    'bash -l rm notes.md',
    'pwsh -c rm notes.md',
    'ssh quay bash -lc "rm notes.md"',
    'docker exec box sh -c "rm notes.md"',
    'sh -c sh -c sh -c rm notes.md',
    'bash -lc "echo rm notes.md"',
  ])('%s removes nothing', (command) => {
    expect(touchesOf({ name: 'bash', input: { command } })).toEqual([])
  })
})

it('what one call touches first changes nothing about what the next one touches', () => {
  const removal = { name: 'bash', input: { command: 'cd the/folder/of/the/harbour && rm -f old.txt' } }
  expect(firstTouchOf(removal)).toEqual({ path: 'old.txt', how: 'delete' })
  expect(touchesOf({ name: 'bash', input: { command: 'rm notes.md' } })).toEqual([
    { path: 'notes.md', how: 'delete' },
  ])
})

describe('a call whose result failed or never came has touched nothing', () => {
  const place = { entryId: 'e', line: 1, images: 0 } as const
  const call = (...ids: string[]): SourceMessage => ({
    ...place,
    role: 'assistant',
    text: '',
    calls: ids.map((id) => ({ id, name: 'read', input: { path: `${id}.md` } })),
  })
  const result = (id: string, isError = false): SourceMessage => ({
    ...place,
    ...{ role: 'toolResult', text: '', calls: [], resultFor: id },
    ...(isError ? { isError } : {}),
  })
  const said: SourceMessage = { ...place, role: 'user', text: 'And?', calls: [] }
  const paths = (...messages: SourceMessage[]) => [...fileLedger(messages).keys()]

  it('wherever the result is', () => {
    expect(paths(call('a', 'b'), result('b'), result('a'))).toEqual(['a.md', 'b.md'])
    expect(paths(call('a', 'b'), result('b', true), result('a'))).toEqual(['a.md'])
    expect(paths(call('a'), said, call('b'), result('b'), result('a'))).toEqual(['a.md', 'b.md'])
    expect(paths(call('a'), result('a', true), said, result('a'))).toEqual(['a.md'])
    const many = Array.from({ length: 20 }, (_, i) => `c${i}`)
    const turned = many.toReversed().map((id) => result(id))
    expect(paths(call(...many), ...turned)).toHaveLength(20)
    expect(paths(call(...many), ...turned.slice(0, -1))).toHaveLength(19)
  })

  it('also where an id is used again', () => {
    expect(paths(call('a'), result('a'), call('a'))).toEqual([])
    expect(paths(call('a'), said, call('a'), result('a'))).toEqual(['a.md'])
  })
})
