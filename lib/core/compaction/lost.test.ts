import { describe, expect, test } from 'vitest'
import type { SourceMessage } from '../summary/source-message'
import { type Compacted, lossesInSteps, lossesOf } from './lost'

function said(
  line: number,
  role: SourceMessage['role'],
  text: string,
  input?: Record<string, unknown>,
): SourceMessage {
  const calls = input === undefined ? [] : [{ id: `c${line}`, name: 'edit', input }]
  return { entryId: `e${line}`, line, role, text, calls, images: 0 }
}

const summarised = [
  said(1, 'user', 'Please rename src/server/login.ts and keep port 8080 open.'),
  said(2, 'assistant', 'We decided to store sessions inside Redis because cookies expire.', {
    path: 'src/server/session-store.ts',
  }),
  said(3, 'toolResult', 'commit 9EDDB8D1 by ada@example.org; see https://example.com/spec/41'),
]

test('X7: names what is neither in the summary nor in what was kept', () => {
  const { spans, counts } = lossesOf({
    summarised,
    summary: 'Renamed login.ts; commit 9eddb8d1.',
    kept: [said(4, 'assistant', 'Mail goes to ada@example.org.')],
    later: [],
  })
  expect(spans.map(({ text }) => text).sort()).toEqual([
    'https://example.com/spec/41',
    'port 8080',
    'src/server/session-store.ts',
  ])
  expect(counts.path).toEqual({ before: 2, lost: 1 })
  expect(counts.hex).toEqual({ before: 1, lost: 0 })
})

test('X7: says which of them the model wrote again later, and puts those first', () => {
  const { spans } = lossesOf({
    summarised,
    summary: '',
    kept: [],
    later: [
      said(5, 'toolResult', 'https://example.com/spec/41'),
      said(6, 'assistant', 'I look at port 8080 again.', {}),
    ],
  })
  // What a tool returns is not the model's own need.
  expect(spans.filter(({ cameBack }) => cameBack !== null)).toEqual([
    expect.objectContaining({ text: 'port 8080', cameBack: { entryId: 'e6', line: 6 } }),
  ])
  expect(spans[0]?.text).toBe('port 8080')
})

test('X7: decisions and open asks whose words are gone', () => {
  const gone = lossesOf({ summarised, summary: 'Nothing much.', kept: [], later: [] })
  expect(gone.sentences.map(({ kind, line }) => [kind, line])).toEqual([
    ['decision', 2],
    ['ask', 1],
  ])
  const kept = lossesOf({
    summarised,
    summary: 'Decided: sessions are stored inside Redis as cookies expire.',
    kept: [],
    later: [],
  })
  expect(kept.sentences.map(({ kind }) => kind)).toEqual(['ask'])
})

test('X7: a path is not alive by a file name that several paths share', () => {
  const { spans } = lossesOf({
    summarised: [said(1, 'user', 'Compare src/a/index.ts with src/b/index.ts now.')],
    summary: 'Compared index.ts files.',
    kept: [],
    later: [],
  })
  expect(spans.map(({ text }) => text)).toEqual(['src/a/index.ts', 'src/b/index.ts'])
})

/** What is lost of messages, the summary and what else is known being as given. */
const lost = (messages: readonly SourceMessage[], more: Partial<Compacted> = {}) =>
  lossesOf({ summarised: messages, summary: '', kept: [], later: [], ...more })
const names = (...given: Parameters<typeof lost>) => lost(...given).spans.map(({ text }) => text)

describe('X7: a name is alive', () => {
  const one = (text: string, more: Partial<Compacted>) => names([said(1, 'user', text)], more).length === 0

  test('by literal match in the summary or in what was kept, also in the arguments of a call', () => {
    expect(one('see src/quay/berth.ts', { summary: 'See src/quay/berth.ts.' })).toBe(true)
    expect(one('see src/quay/berth.ts', { kept: [said(2, 'toolResult', 'src/quay/berth.ts')] })).toBe(true)
    expect(
      one('see src/quay/berth.ts', { kept: [said(2, 'assistant', '', { to: 'src/quay/berth.ts' })] }),
    ).toBe(true)
    expect(one('see src/quay/berth.ts', { later: [said(2, 'assistant', 'src/quay/berth.ts')] })).toBe(false)
  })

  test('of hexadecimal digits whatever their case, any other in its own case alone', () => {
    expect(one('commit 9EDDB8D1', { summary: 'commit 9eddb8d1' })).toBe(true)
    expect(one('commit 9EDDB8D1', { kept: [said(2, 'user', '9eddb8d1')] })).toBe(true)
    const id = '3f2504e0-4f89-11d3-9a0c-0305e82c3301'
    expect(one(`id ${id}`, { summary: `id ${id.toUpperCase()}` })).toBe(true)
    expect(one('call loadDock', { summary: 'call LOADDOCK' })).toBe(false)
    // Not as a part of a longer one.
    expect(one('commit 9eddb8d1', { summary: 'commit 9eddb8d1aa' })).toBe(false)
  })

  test('as a part of the summary that is no part of a longer word', () => {
    const name = 'the loadDock function'
    expect(one(name, { summary: '(loadDock)' })).toBe(true)
    expect(one(name, { summary: 'loadDock' })).toBe(true)
    expect(one(name, { summary: 'xloadDock loadDocks' })).toBe(false)
    expect(one(name, { summary: 'xloadDock' })).toBe(false)
    expect(one(name, { summary: 'loadDocks' })).toBe(false)
    expect(one(name, { summary: 'xloadDock, loadDocks and "loadDock"' })).toBe(true)
    // What was kept is asked for names only.
    expect(one('port 8080', { kept: [said(2, 'user', 'the port 8080x')] })).toBe(false)
  })

  test('a link is not alive by its last part', () => {
    expect(one('see https://example.com/spec/manual', { summary: 'Read the manual.' })).toBe(false)
  })

  test('of a path by its last part, where that is of no other path', () => {
    const path = 'see src/quay/berth.ts'
    expect(one(path, { summary: 'Changed berth.ts.' })).toBe(true)
    expect(one(path, { kept: [said(2, 'user', 'berth.ts')] })).toBe(true)
    expect(one(path, { summary: 'Changed myberth.tsx.' })).toBe(false)
    expect(one('see src/quay/Makefile', { summary: 'Changed the Makefile.' })).toBe(true)
    expect(one('see src/quay/Makefile', { summary: 'Makefile changed' })).toBe(true)
    expect(one('see src/quay/Makefile', { summary: 'the Makefile' })).toBe(true)
    const both = [said(1, 'user', 'src/quay/berth.ts and lib/berth.ts')]
    expect(names(both, { summary: 'Changed berth.ts.' })).toEqual(['lib/berth.ts', 'src/quay/berth.ts'])
    // The bare name is no second path.
    expect(
      names([said(1, 'user', 'src/quay/berth.ts is berth.ts')], { summary: 'Changed berth.ts.' }),
    ).toEqual([])
  })
})

describe('X7: the list of lost names', () => {
  test('says of each its kind, the last entry that held it, and how many did', () => {
    const found = lost([
      said(1, 'user', 'loadDock and loadDock'),
      said(2, 'assistant', 'nothing'),
      said(3, 'toolResult', 'loadDock'),
    ])
    expect(found.spans).toEqual([
      { kind: 'identifier', text: 'loadDock', entryId: 'e3', line: 3, times: 2, cameBack: null },
    ])
    expect(found.counts).toEqual({ identifier: { before: 1, lost: 1 } })
  })

  test('counts distinct names by kind, those that are alive among them', () => {
    const { counts } = lost([said(1, 'user', 'loadDock freeDock src/a.ts loadDock')], { summary: 'freeDock' })
    expect(counts).toEqual({ identifier: { before: 2, lost: 1 }, path: { before: 1, lost: 1 } })
    expect(lost([]).counts).toEqual({})
  })

  test('begins with those that came back, then by weight: kind and how often, then by name', () => {
    const messages = [
      said(1, 'user', 'src/b.ts src/a.ts loadDock freeDock'),
      said(2, 'user', 'freeDock src/c.ts'),
      said(3, 'user', 'freeDock src/c.ts'),
    ]
    // A path weighs 1, twice 2; an identifier 0.6, three times 0.6 × (1 + log2 3) = 1.55.
    expect(names(messages)).toEqual(['src/c.ts', 'freeDock', 'src/a.ts', 'src/b.ts', 'loadDock'])
    expect(names(messages, { later: [said(5, 'assistant', 'loadDock')] })[0]).toBe('loadDock')
    const later = [said(5, 'assistant', 'loadDock src/b.ts'), said(6, 'assistant', 'src/b.ts')]
    const { spans } = lost(messages, { later })
    expect(spans.slice(0, 2).map(({ text, cameBack }) => [text, cameBack?.line])).toEqual([
      ...[
        ['src/b.ts', 5],
        ['loadDock', 5],
      ],
    ])
  })

  test('a name that is alive never comes back', () => {
    const found = lost([said(1, 'user', 'loadDock')], {
      summary: 'loadDock',
      later: [said(5, 'assistant', 'loadDock')],
    })
    expect(found.spans).toEqual([])
  })
})

describe('X7: lost sentences', () => {
  const ask = 'Please paint every harbour crane yellow.'
  const sentences = (...given: Parameters<typeof lost>) =>
    lost(...given).sentences.map(({ kind, text, entryId, line }) => [kind, text, entryId, line])

  test('are requests of the user and decisions of the model, the newest first, each once', () => {
    const decision = 'We decided to anchor behind the breakwater.'
    expect(
      sentences([
        said(1, 'user', ask),
        said(2, 'assistant', decision),
        said(3, 'user', ask),
        said(4, 'toolResult', ask),
      ]),
    ).toEqual([
      ['ask', ask, 'e3', 3],
      ['decision', decision, 'e2', 2],
    ])
    expect(sentences([said(1, 'assistant', ask), said(2, 'user', decision), said(3, 'other', ask)])).toEqual(
      [],
    )
  })

  test('keep fewer than half of their words of five letters and more, in summary and kept messages', () => {
    // The telling words: please, paint, every, harbour, crane, yellow.
    expect(sentences([said(1, 'user', ask)], { summary: 'harbour crane' })).toHaveLength(1)
    expect(sentences([said(1, 'user', ask)], { summary: 'A HARBOUR crane: paint.' })).toEqual([])
    expect(
      sentences([said(1, 'user', ask)], { summary: 'crane', kept: [said(2, 'user', 'paint it yellow')] }),
    ).toEqual([])
    expect(
      sentences([said(1, 'user', ask)], { kept: [said(2, 'assistant', '', { text: ask })] }),
    ).toHaveLength(1)
    // Without a telling word nothing of it can be missed.
    for (const summary of ['', 'harbour crane'])
      expect(sentences([said(1, 'user', 'Can you do it all now, or not?')], { summary })).toEqual([])
  })

  test('words are learnt of the first 100,000 characters of a text', () => {
    const kept = (blanks: number) => [said(2, 'user', `${' '.repeat(blanks)}paint harbour crane`)]
    expect(sentences([said(1, 'user', ask)], { kept: kept(99_000) })).toEqual([])
    expect(sentences([said(1, 'user', ask)], { kept: kept(99_995) })).toHaveLength(1)
  })

  test('above 400 of them the older messages are not looked at', () => {
    const message = (line: number) => said(line, 'user', `Please paint harbour crane number${line} yellow.`)
    const many = Array.from({ length: 402 }, (_, i) => message(i + 1))
    const found = sentences(many)
    expect([found.length, found[0]?.[3], found.at(-1)?.[3]]).toEqual([401, 402, 2])
    // Those that are remembered count among them.
    expect(sentences(many, { summary: 'paint harbour crane yellow' })).toEqual([])
  })
})

test('the losses of a long session are found with pauses', () => {
  const steps = lossesInSteps({ summarised, summary: '', kept: [], later: [] })
  const pauses = [...{ [Symbol.iterator]: () => steps }]
  expect(pauses).toHaveLength(2)
})
