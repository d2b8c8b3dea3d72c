import { describe, expect, it } from 'vitest'
import { readPolicy } from '../../core/policy/read-policy'
import { parseSource } from '../../core/policy/source-tree'
import { type FaultyFile, fileFaults, unreadableFile } from './file-faults'

const file = (text: string, path: string): FaultyFile => ({
  path,
  role: path.endsWith('plimsoll.yaml') ? 'own' : 'store',
  store: path.endsWith('plimsoll.yaml') ? null : { id: 's1', label: 'harbour' },
  problems: readPolicy(parseSource(text, path)).problems,
})

describe('configuration files that cannot be read', () => {
  it('name file, line and column of the first fault, how many more there are, and where to mend them', () => {
    const own = file('policy:\n  lines: [\n', '/c/plimsoll.yaml')
    expect(fileFaults([own])).toMatchObject([{ path: '/c/plimsoll.yaml', href: '/policies' }])
    expect(fileFaults([own])[0]?.place).toMatch(/^line \d+, column \d+$/)
    const values = file(
      'policy:\n  lines:\n    compact: { at: 5 }\n    hard: { at: x }\n',
      '/c/plimsoll.yaml',
    )
    expect(fileFaults([values])).toMatchObject([{ place: expect.stringContaining('line 3'), more: 1 }])
  })

  it('lead to the file of a store, of which values are the runtime’s own business', () => {
    expect(fileFaults([file('{ agents: ', '/s/openclaw.json')])).toMatchObject([
      {
        place: 'line 1, column 10',
        href: '/policies?file=%2Fs%2Fopenclaw.json',
        store: { id: 's1', label: 'harbour' },
      },
    ])
    const value = '{ agents: { defaults: { compaction: { reserveTokensFloor: "x" } } } }'
    expect(file(value, '/s/openclaw.json').problems).not.toEqual([])
    expect(fileFaults([file(value, '/s/openclaw.json')])).toEqual([])
  })

  it('end without a full stop, whatever the parser wrote', () => {
    const [fault] = fileFaults([file('{ agents: ', '/s/openclaw.json')])
    expect(fault?.message).toMatch(/[^.]$/)
    expect(unreadableFile('/c/plimsoll.yaml', 'permission denied..').message).toBe('permission denied')
  })

  it('are none where all is well', () => {
    expect(fileFaults([file('stores: []\n', '/c/plimsoll.yaml'), file('', '/s/openclaw.json')])).toEqual([])
  })
})
