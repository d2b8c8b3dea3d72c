import { expect, test } from 'vitest'
import type { LoadSubject, SessionLoads } from '../../core/budget/session-loads'
import { callLines, type LinedCall } from './call-line'

const SESSION = {
  store: { id: 'store', kind: 'openclaw', era: 'jsonl', root: '/home/.openclaw', label: '', state: 'ok' },
  transcript: { id: 't', sessionId: 's', key: null, agent: 'main', channel: null },
  totals: {
    provider: 'anthropic',
    model: 'one',
    updatedAt: 0,
    window: { tokens: 200_000, source: 'catalogue' },
  },
} as unknown as Parameters<typeof callLines>[1]

function call(at: string | null, more: Partial<LinedCall> = {}): LinedCall {
  return {
    provider: 'anthropic',
    model: 'one',
    window: { tokens: 200_000, source: 'catalogue' },
    at: at === null ? null : Date.parse(at),
    ...more,
  }
}

/** Loads that note what they are asked for, by the time that rules are chosen by. */
function askedLoads(): { readonly loads: SessionLoads; readonly asked: (number | null)[] } {
  const asked: (number | null)[] = []
  const of = ({ updatedAt }: LoadSubject) => {
    asked.push(updatedAt)
    return null
  }
  return { loads: { of } as unknown as SessionLoads, asked }
}

test('a line is worked out once for the calls of a month that are alike, and anew where month, model or window change', () => {
  const { loads, asked } = askedLoads()
  const lineOf = callLines(loads, SESSION)
  const calls = [
    call('2026-03-01T00:00:00.000Z'),
    call('2026-03-31T23:59:59.999Z'),
    call('2026-04-01T00:00:00.000Z'),
    call('2026-03-15T12:00:00.000Z'),
    call('2026-03-15T12:00:01.000Z', { model: 'two' }),
    call('2026-03-15T12:00:02.000Z', { model: 'two', window: { tokens: 100_000, source: 'catalogue' } }),
  ]
  for (const one of calls) lineOf(one)
  const worked = [calls[0], calls[2], calls[3], calls[4], calls[5]]
  expect(asked).toEqual(worked.map((one) => one?.at))
})

test('calls without a time are under the rules of when the session was used last, and share their line', () => {
  const { loads, asked } = askedLoads()
  const lineOf = callLines(loads, SESSION)
  lineOf(call(null))
  lineOf(call(null))
  lineOf(call('2026-03-01T00:00:00.000Z'))
  lineOf(call(null))
  expect(asked).toEqual([0, Date.parse('2026-03-01T00:00:00.000Z'), 0])
})
