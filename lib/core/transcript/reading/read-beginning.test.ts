import { describe, expect, it } from 'vitest'
import { Branches } from '../branches'
import { readBeginning } from './read-beginning'
import { readLine, unreadable } from './read-line'

const HEAD = '{"type":"message","id":"a1","parentId":"a0","timestamp":"2026-11-20T12:00:00.000Z",'

describe('M4: the place of an entry whose line is too long', () => {
  it('is taken from the beginning, in any order, with or without the role', () => {
    const place = { id: 'a1', parentId: 'a0', timestamp: '2026-11-20T12:00:00.000Z' }
    expect(readBeginning(`${HEAD}"message":{"role":"toolResult","content":"xx`)).toEqual({
      ...place,
      role: 'toolResult',
    })
    expect(readBeginning(`${HEAD}"message":{"content":"xx`)).toEqual(place)
    expect(
      readBeginning('{ "id": "a1", "type": "custom", "n": 1, "parentId": null, "data": {"id":"x",'),
    ).toEqual({
      id: 'a1',
      parentId: null,
    })
  })

  it('has a time where that is a text', () => {
    const at = (timestamp: string) =>
      readBeginning(`{"type":"message","id":"a1","parentId":"a0","timestamp":${timestamp},`)?.timestamp
    expect(['"2026"', '5', '""'].map(at)).toEqual(['2026', undefined, undefined])
  })

  it('is unknown where it is not said, or not in the beginning', () => {
    for (const text of [
      '',
      'x'.repeat(1_000),
      '{"type":"message","id":"a1","message":{"parentId":"a0",',
      '{"type":"message","message":{"role":"user"},"id":"a1","parentId":"a0",',
      '{"type":"message","id":"a1","parentId":"a0',
      '{"type":"session","id":"a1","parentId":null,"cwd":"x',
      '{"type":"message","id":1.2.3,"parentId":"a0",',
      '{"type":5,"id":"a1","parentId":"a0",',
      '{"type":"message","id":5,"parentId":"a0",',
      '{"type":"message","id":"a1","parentId":5,',
      '{"type":"leaf","id":"a1","parentId":"a0",',
    ])
      expect(readBeginning(text)).toBeNull()
  })

  it('is kept in the tree, so that what follows begins no branch', () => {
    const at = (seq: number) => ({ seq, line: seq + 1, offset: seq * 10, bytes: 9 })
    const message = (id: string, parentId: string | null) =>
      JSON.stringify({ type: 'message', id, parentId, message: { role: 'user', content: id } })
    const facts = [
      readLine('{"type":"session","version":3,"id":"s"}', at(0)).fact,
      readLine(message('a0', null), at(1)).fact,
      unreadable(at(2), 'too long', '', readBeginning(`${HEAD}"message":{"role":"toolResult",`)).fact,
      readLine(message('a2', 'a1'), at(3)).fact,
    ]
    expect(facts[2]).toMatchObject({ type: 'unreadable', id: 'a1', role: 'toolResult', problem: 'too long' })
    const branches = Branches.of(facts)
    expect(branches.path(branches.leaf)).toEqual([1, 2, 3])
    expect(branches.plain).toBe(true)
  })
})
