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
    ...Array.from({ length: 50 }, (_, i) => span('url', `https://example.org/${i}`)),
  ],
  sentences: [{ kind: 'ask', text: 'Rename the secret-key file.', entryId: 'a', line: 4 }],
  counts: {
    path: { before: 5, lost: 2 },
    number: { before: 1, lost: 1 },
    url: { before: 60, lost: 50 },
    hex: { before: 3, lost: 0 },
  },
}

const view = lossesView(
  losses,
  (text) => text.replace('secret-key', '•••'),
  (entryId) => (entryId === 'a' ? 2 : null),
)

describe('X7 what was lost by name', () => {
  it('puts classes of which something came back first, then the largest losses', () => {
    expect(view.groups.map(({ kind, lost, back }) => [kind, lost, back])).toEqual([
      ['number', 1, 1],
      ['url', 50, 0],
      ['path', 2, 0],
      ['hex', 0, 0],
    ])
    expect(view).toMatchObject({ before: 69, lost: 53, back: 1 })
  })

  it('lists a bounded number of names and still counts all', () => {
    const urls = view.groups[1]
    expect(urls?.names).toHaveLength(40)
    expect(urls?.lost).toBe(50)
  })

  it('covers credentials in names and sentences, and says where each stood', () => {
    expect(view.groups[2]?.names[1]?.text).toBe('src/•••.ts')
    expect(view.sentences[0]?.text).toBe('Rename the ••• file.')
    expect(view.groups[0]?.names[0]).toMatchObject({
      at: { line: 3, seq: 2 },
      cameBack: { line: 9, seq: null },
    })
  })
})
