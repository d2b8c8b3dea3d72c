import { describe, expect, it } from 'vitest'
import { filterLosses } from './filter-losses'
import type { LossesView } from './losses'

const at = { line: 3, seq: 2 }
const name = (text: string) => ({ text, times: 1, at, cameBack: null })
const losses: LossesView = {
  before: 9,
  lost: 3,
  back: 0,
  groups: [
    {
      kind: 'path',
      label: 'Paths',
      before: 4,
      lost: 2,
      back: 0,
      names: [name('src/Berth.ts'), name('a.ts')],
    },
    { kind: 'hex', label: 'Hashes', before: 4, lost: 0, back: 0, names: [] },
    { kind: 'number', label: 'Numbers', before: 1, lost: 1, back: 0, names: [name('berth 4711')] },
  ],
  sentences: [{ kind: 'ask', text: 'Rename the berth.', at }],
  moreSentences: 0,
}

describe('X7 a filter over what was lost', () => {
  it('leaves what holds the text, whatever its case, in its classes and among sentences', () => {
    const { groups, sentences } = filterLosses(losses, ' BERTH ')
    expect(groups.map(({ kind, names }) => [kind, names.map(({ text }) => text)])).toEqual([
      ['path', ['src/Berth.ts']],
      ['number', ['berth 4711']],
    ])
    expect(sentences).toHaveLength(1)
    expect(filterLosses(losses, 'quay')).toEqual({ groups: [], sentences: [] })
  })

  it('without a text all classes of which something is lost are there', () => {
    expect(filterLosses(losses, '').groups.map(({ kind }) => kind)).toEqual(['path', 'number'])
  })
})
