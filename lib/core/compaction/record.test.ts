import { describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { Branches } from '../transcript/branches'
import { indexAfterCompaction, recordLine } from './record'

const AT = Date.UTC(2026, 10, 22, 10)
const input = {
  ...{ id: 'r1', parentId: 'e3', at: AT, summary: 'So far.', firstKeptSeq: 3, tokensBefore: 900 },
  ...{ readFiles: ['a.ts'], modifiedFiles: ['b.ts'] },
}
const branches = (damage = (_lines: string[]) => {}) => {
  const t = new TranscriptBuilder()
  t.user('one')
  t.user('two')
  t.user('three')
  damage(t.lines)
  return Branches.of(t.facts())
}
const common = {
  type: 'compaction',
  timestamp: '2026-11-22T10:00:00.000Z',
  summary: 'So far.',
  tokensBefore: 900,
  details: { readFiles: ['a.ts'], modifiedFiles: ['b.ts'], by: 'plimsoll' },
  fromHook: true,
}

describe('D10: the record of a compaction', () => {
  it('names the first kept entry by its id from version 2 on', () => {
    for (const version of [2, 3])
      expect(JSON.parse(recordLine(branches(), version, input))).toEqual({
        ...{ ...common, id: 'r1', parentId: 'e3', firstKeptEntryId: 'e3' },
      })
    expect(JSON.parse(recordLine(branches(), 3, { ...input, firstKeptSeq: 99 })).firstKeptEntryId).toBe('')
  })

  it('names it by its place in version 1, unreadable lines not counted, and has no id', () => {
    expect(JSON.parse(recordLine(branches(), 1, input))).toEqual({ ...common, firstKeptEntryIndex: 3 })
    const torn = branches((lines) => lines.splice(2, 0, '{"torn'))
    expect(JSON.parse(recordLine(torn, 1, { ...input, firstKeptSeq: 4 })).firstKeptEntryIndex).toBe(3)
    const gap = Branches.of([...branches().facts].filter(({ seq }) => seq !== 1))
    expect(JSON.parse(recordLine(gap, 1, input)).firstKeptEntryIndex).toBe(2)
  })

  it('counts in the index, whose size is not measured any more', () => {
    const entry = {
      sessionId: 's',
      compactionCount: 2,
      totalTokens: 5_000,
      totalTokensFresh: true,
      updatedAt: 1,
    }
    expect(indexAfterCompaction(entry, AT, 1_234.5)).toEqual({
      ...{ sessionId: 's', compactionCount: 3, totalTokens: 1_235, totalTokensFresh: false, updatedAt: AT },
    })
    expect(indexAfterCompaction({ totalTokens: 7, compactionCount: '2' }, AT, null)).toEqual({
      ...{ compactionCount: 1, totalTokens: 7, totalTokensFresh: false, updatedAt: AT },
    })
  })
})
