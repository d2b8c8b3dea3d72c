import { describe, expect, it } from 'vitest'
import { Branches } from '../branches'
import type { EntryFact } from '../entry'
import { isMidTask, lastMessageAt } from './mid-task'

const fact = (seq: number, more: Partial<EntryFact>): EntryFact => ({
  seq,
  line: seq + 1,
  offset: 0,
  bytes: 1,
  type: 'message',
  id: `e${seq}`,
  parentId: seq === 0 ? null : `e${seq - 1}`,
  at: null,
  ...more,
})

function at(...facts: Partial<EntryFact>[]): boolean {
  const branches = new Branches()
  const header = fact(0, { type: 'session', header: { version: 3 } } as Partial<EntryFact>)
  for (const one of [
    header,
    ...facts.map((more, i) => fact(i + 1, i === 0 ? { parentId: null, ...more } : more)),
  ])
    branches.add(one)
  return isMidTask(lastMessageAt(branches, facts.length))
}

const calling = { role: 'assistant', calls: [{ id: 't', name: 'read' }] } as Partial<EntryFact>

describe('X7 in the middle of a task', () => {
  it('is after a call, and after its result', () => {
    expect(at({ role: 'user' }, calling)).toBe(true)
    expect(at({ role: 'user' }, calling, { role: 'toolResult', resultFor: 't' })).toBe(true)
  })

  it('is not after an answer, a question, or at the very beginning', () => {
    expect(at({ role: 'user' }, calling, { role: 'toolResult', resultFor: 't' }, { role: 'user' })).toBe(
      false,
    )
    expect(at({ role: 'user' })).toBe(false)
    expect(at()).toBe(false)
  })

  it('looks past what is no message, and what no model has answered', () => {
    expect(at({ role: 'user' }, calling, { type: 'custom' })).toBe(true)
    expect(at({ role: 'user' }, calling, { role: 'assistant', transcriptOnly: true })).toBe(true)
    expect(at({ role: 'user' }, calling, { role: 'assistant' })).toBe(false)
    expect(at({ role: 'user' }, { role: 'assistant', calls: [] })).toBe(false)
  })

  it('is looked for in the last thousand entries', () => {
    const customs = (count: number) => Array.from({ length: count }, () => ({ type: 'custom' }) as const)
    expect([at(calling, ...customs(999)), at(calling, ...customs(1000))]).toEqual([true, false])
  })
})
