import { expect, test } from 'vitest'
import type { SourceMessage } from '../summary/source-message'
import { lossesOf } from './lost'

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

test('X7: names what stands neither in the summary nor in what was kept', () => {
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
