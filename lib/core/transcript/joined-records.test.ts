import { describe, expect, it } from 'vitest'
import { Branches } from './branches'
import type { EntryFact } from './entry'

type Record = Pick<EntryFact, 'id' | 'parentId'> & Partial<EntryFact>

const user = (id: string, parentId: string | null): Record => ({ id, parentId, role: 'user' })
const answer = (id: string, parentId: string | null, requestId = 'R'): Record => ({
  ...{ id, parentId, role: 'assistant', requestId },
})
const result = (id: string, parentId: string | null): Record => ({
  ...{ id, parentId, role: 'toolResult', resultFor: `call of ${id}` },
})

/** Ids on the path to the last record. */
function path(records: readonly Record[], joins = true): (string | null | undefined)[] {
  const place = { line: 0, offset: 0, bytes: 0, at: null }
  const header = { version: 3, sessionId: 's', ...(joins && { joins }) }
  const branches = Branches.of([
    { ...place, seq: 0, type: 'session', id: null, parentId: null, header },
    ...records.map((record, i): EntryFact => ({ ...place, seq: i + 1, type: 'message', ...record })),
  ])
  return branches.path(branches.leaf).map((seq) => branches.facts[seq]?.id)
}

const CALLS = [user('u', null), answer('a1', 'u'), answer('a2', 'a1')]

describe('X5 records of one response, where they are one branch', () => {
  it('are in a row with the results of their calls, whichever of them is named as a parent', () => {
    const records = [...CALLS, result('r1', 'a1'), result('r2', 'a2'), answer('b', 'r2', 'S')]
    expect(path(records)).toEqual(['u', 'a1', 'a2', 'r1', 'r2', 'b'])
    expect(path(records, false)).toEqual(['u', 'a1', 'a2', 'r2', 'b'])
    expect(path([...CALLS, answer('a3', 'a1')])).toEqual(['u', 'a1', 'a2', 'a3'])
  })

  it.each<[string, readonly Record[], readonly string[]]>([
    ['what is neither an answer nor a result', [...CALLS, user('v', 'a1')], ['u', 'a1', 'v']],
    ['an answer of another response', [...CALLS, answer('b', 'a1', 'S')], ['u', 'a1', 'b']],
    ['another answer to the same words', [...CALLS, answer('b', 'u', 'R')], ['u', 'b']],
    ['a result of what is no answer', [...CALLS, result('r', 'u')], ['u', 'r']],
    ['what has no parent', [...CALLS, result('r', null)], ['r']],
    ['what has a parent that is not there', [...CALLS, result('r', 'gone')], ['r']],
    [
      'a result of what is no answer, once the user has gone on',
      [user('u', null), user('v', 'u'), result('r', 'u')],
      ['u', 'r'],
    ],
    [
      'what names a record that no way leads back to',
      [...CALLS.slice(0, 2), answer('b', null), result('r', 'a1')],
      ['u', 'a1', 'r'],
    ],
    [
      'what comes after the user has gone on',
      [...CALLS, user('v', 'a2'), result('r', 'a1')],
      ['u', 'a1', 'r'],
    ],
    [
      'what comes after an answer to the results',
      [...CALLS, result('r1', 'a1'), answer('b', 'r1', 'S'), result('r2', 'a2')],
      ['u', 'a1', 'a2', 'r2'],
    ],
    [
      'what names a record of another branch',
      [...CALLS, user('v', null), answer('b', 'v'), result('r', 'a1')],
      ['u', 'a1', 'r'],
    ],
  ])('are not joined by %s', (_name, records, expected) => {
    expect(path(records)).toEqual(expected)
  })

  it('have the parent that is named where that is the last one, and the newer one of two with its id', () => {
    expect(path([user('u', null), answer('a1', 'u'), result('r', 'a1')])).toEqual(['u', 'a1', 'r'])
    const again = [
      user('u', null),
      user('v', 'u'),
      answer('a1', 'v'),
      result('r', 'a1'),
      answer('a1', 'u'),
      user('w', 'r'),
    ]
    expect(path(again)).toEqual(['u', 'a1', 'r', 'w'])
  })

  it('are looked for no further back than 512', () => {
    const results = (count: number) => Array.from({ length: count }, (_, i) => result(`r${i}`, 'a1'))
    expect(path([...CALLS.slice(0, 2), ...results(513)])).toHaveLength(2 + 513)
    expect(path([...CALLS.slice(0, 2), ...results(514)])).toEqual(['u', 'a1', 'r513'])
  })
})
