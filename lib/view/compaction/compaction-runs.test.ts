import { describe, expect, it } from 'vitest'
import type { InspectedCompaction } from '../../core/compaction/inspect'
import { inspectedCompaction } from '../../testing/builders/inspected'
import { compactionRows, freedSpanWords, spanWords, tallyWords } from './compaction-runs'
import { compactionItems } from './compactions'

const cut = (over: Partial<InspectedCompaction> = {}) =>
  inspectedCompaction({ oddities: ['cut-prompts'], ...over })
const itemsOf = (found: readonly InspectedCompaction[]) =>
  compactionItems(
    found.map((one, i) => ({ ...one, seq: i, line: i + 1, at: 1_000 + i })),
    20,
    () => null,
  )

describe('X7 equal compactions in a row', () => {
  it('are one row with their count and the range of each figure', () => {
    const items = itemsOf([
      cut({ oddities: [] }),
      ...[4_096, 3_900, 4_000].map((promptAfter, i) => cut({ promptAfter, midTask: i === 1 })),
      cut({ oddities: ['doubled'] }),
    ])
    const rows = compactionRows(items)
    expect(rows.map(({ kind }) => kind)).toEqual(['one', 'run', 'one'])
    expect(rows[1]).toMatchObject({
      numbers: { from: 2, to: 4 },
      times: { from: 1_001, to: 1_003 },
      before: { from: 4_096, to: 4_096 },
      after: { from: 3_900, to: 4_096 },
      midTask: 1,
    })
    expect(tallyWords(items)).toBe('5 compactions: 3 cut prompts, 1 repeated at once, 1 mid-task')
  })

  it('two are too few, other sizes are not equal, and each of ours keeps its own row', () => {
    expect(compactionRows(itemsOf([cut(), cut()])).map(({ kind }) => kind)).toEqual(['one', 'one'])
    const sizes = [180_000, 120_000, 60_000].map((promptBefore) => cut({ promptBefore, oddities: [] }))
    expect(compactionRows(itemsOf(sizes)).map(({ kind }) => kind)).toEqual(['one', 'one', 'one'])
    const same = sizes.map((one) => ({ ...one, promptBefore: 180_000 }))
    expect(compactionRows(itemsOf(same)).map(({ kind }) => kind)).toEqual(['run'])
    const ours = itemsOf(same).map((item) => ({ ...item, ours: { href: '/audit', entry: {} as never } }))
    expect(compactionRows(ours)).toHaveLength(3)
  })

  it('sizes that were not reported are unknown in a run as well', () => {
    const unknown = { promptBefore: null, promptAfter: null, oddities: [] }
    const [row] = compactionRows(itemsOf([cut(unknown), cut(unknown), cut(unknown)]))
    expect(row).toMatchObject({ kind: 'run', before: null, after: null, freed: null })
  })

  it('writes a span of one figure once', () => {
    expect(spanWords({ from: 4_096, to: 4_096 })).toBe('4\u202f096')
    expect(spanWords({ from: 1, to: 2 })).toBe('1 – 2')
    expect(freedSpanWords({ from: -0.14, to: 0 })).toBe('+14\u202f% to 0\u202f%')
    expect(freedSpanWords({ from: 0.7, to: 0.7 })).toBe('−70\u202f%')
  })
})
