import { expect, it } from 'vitest'
import { eventQueryText, eventsView, parseEventParams } from './transcript-events'

const SIZES = { tokensBefore: 90_000, tokensAfter: 9_000, promptBefore: null, promptAfter: null }
const EVENT = {
  id: 's1',
  sessionId: 'x',
  name: 'Berth plan',
  key: null,
  agent: 'main',
  channel: null,
  ...SIZES,
}

it('X14: compactions, resets and failed calls of transcripts, each with the page that shows it', () => {
  const { rows, total } = eventsView(
    [
      { ...EVENT, at: 9, kind: 'provider', afterCall: 7 },
      { ...EVENT, at: 8, kind: 'failure', afterCall: 6, reason: 'x'.repeat(300) },
      { ...EVENT, at: 7, kind: 'reset', afterCall: 0 },
    ],
    300,
  )
  expect(total).toBe(300)
  expect(rows.map(({ kind, text, title, href }) => [kind, text, title, href])).toEqual([
    ['compaction', 'Compaction by the provider 90k → 9k', 'Berth plan', '/sessions/s1?call=7'],
    ['failure', `Call 6 failed: ${'x'.repeat(119)}…`, 'Berth plan', '/sessions/s1?call=6'],
    ['reset', 'Reset: the context begins anew', 'Berth plan', '/sessions/s1?call=1'],
  ])
})

it('the address holds kind and page, and what makes no sense is left out', () => {
  const read = (query: string) => parseEventParams((name) => new URLSearchParams(query).get(name))
  expect(read('kind=toString&page=-3')).toEqual({ kind: '', page: 1 })
  const asked = { kind: 'failure', page: 2 } as const
  expect(read(eventQueryText(asked))).toEqual(asked)
  expect(eventQueryText({ kind: '', page: 1 })).toBe('')
})
