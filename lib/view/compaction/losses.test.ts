import { describe, expect, it } from 'vitest'
import type { Losses, LostSpan } from '../../core/compaction/lost'
import { lossesView } from './losses'

const span = (kind: LostSpan['kind'], text: string, back = false): LostSpan => ({
  kind,
  text,
  entryId: 'a',
  line: 3,
  times: 2,
  cameBack: back ? { entryId: 'b', line: 9 } : null,
})

const losses: Losses = {
  spans: [
    span('number', 'build 4711', true),
    span('path', 'src/a.ts'),
    span('path', 'src/secret-key.ts'),
    ...Array.from({ length: 500 }, (_, i) => span('url', `https://example.org/${i}`)),
    span('identifier', 'berthPlan'),
    span('identifier', 'c.type', true),
    span('identifier', 'this.ui'),
    span('path', '/login'),
  ],
  sentences: [{ kind: 'ask', text: 'Rename the secret-key file.', entryId: 'a', line: 4 }],
  counts: {
    identifier: { before: 4, lost: 3 },
    path: { before: 5, lost: 3 },
    number: { before: 1, lost: 1 },
    url: { before: 600, lost: 500 },
    hex: { before: 3, lost: 0 },
  },
}

const view = lossesView(
  losses,
  (text) => text.replace('secret-key', '•••'),
  (entryId) => (entryId === 'a' ? 2 : null),
)

describe('X7 what was lost by name', () => {
  it('puts errors, paths and numbers first and identifiers last; what says little is apart, and counted', () => {
    expect(view.groups.map(({ kind, before, lost, back }) => [kind, before, lost, back])).toEqual([
      ['path', 4, 2, 0],
      ['number', 1, 1, 1],
      ['url', 600, 500, 0],
      ['hex', 3, 0, 0],
      ['identifier', 2, 1, 0],
      ['ordinary', 3, 3, 1],
    ])
    expect(view).toMatchObject({ before: 613, lost: 507, back: 2 })
    expect(view.groups.at(-1)?.names.map(({ text }) => text)).toEqual(['c.type', '/login', 'this.ui'])
  })

  it('ranks what came back before what was used often', () => {
    const used = { ...span('path', 'src/used.ts'), times: 9 }
    const spans = [span('path', 'src/a.ts'), used, span('path', 'src/back.ts', true)]
    const [paths] = lossesView(
      { spans, sentences: [], counts: { path: { before: 3, lost: 3 } } },
      (text) => text,
      () => null,
    ).groups
    expect(paths?.names.map(({ text }) => text)).toEqual(['src/back.ts', 'src/used.ts', 'src/a.ts'])
  })

  it('lists a bounded number of names and still counts all', () => {
    const urls = view.groups[2]
    expect(urls?.names).toHaveLength(200)
    expect(urls?.lost).toBe(500)
  })

  it('covers credentials in names and sentences, and says where each was', () => {
    expect(view.groups[0]?.names[1]?.text).toBe('src/•••.ts')
    expect(view.sentences[0]?.text).toBe('Rename the ••• file.')
    expect(view.groups[1]?.names[0]).toMatchObject({
      at: { line: 3, seq: 2 },
      cameBack: { line: 9, seq: null },
    })
  })
})
