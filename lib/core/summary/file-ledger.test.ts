import { describe, expect, it } from 'vitest'
import { isShell, touchesOf } from './file-ledger'

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
    expect(touchesOf({ name: 'shell', input: { command: ['bash', '-lc', 'rm notes.md'] } })).toEqual([])
    expect(touchesOf({ name: 'shell', input: { command: ['rm', 'notes.md'] } })).toEqual([
      { path: 'notes.md', how: 'delete' },
    ])
  })
})
