import { describe, expect, it } from 'vitest'
import { checkpointRecord, openaiAnswer, suppressionRecord } from '../../../testing/builders/checkpoint'
import { factsOf, TranscriptBuilder } from '../../../testing/builders/transcript'
import { measured, UNKNOWN } from '../../tokens/figure'
import type { Frame } from '../../tokens/frame'
import type { EntryFact } from '../entry'
import { type FoldTotals, modelKey, NO_TOTALS, TotalsTally, TREND_CALLS } from './fold-totals'

type Write = (t: TranscriptBuilder) => void

const factsBy = (write: Write, header: object = {}) => {
  const t = new TranscriptBuilder({ ...header })
  write(t)
  return t.facts()
}

/** Counted entry by entry, calls by name only. */
function outlined(facts: readonly EntryFact[]): FoldTotals {
  const tally = new TotalsTally()
  for (const fact of facts) tally.addOutline(fact)
  return tally.snapshot()
}

const answerOf = (fields: Partial<EntryFact>): EntryFact => ({
  ...(factsBy((t) => t.assistant('yes'))[1] as EntryFact),
  ...fields,
})

const frameOf = (total: number | null, categories: Frame['categories'] = {}): Frame => ({
  ...{ call: 1, seq: 1, at: null, provider: null, model: null, window: { tokens: 1, source: 'default' } },
  total: total === null ? UNKNOWN : measured(total),
  ...{ seenTokens: null, sent: null, categories, basis: {}, errorPct: null },
  ...{ output: UNKNOWN, cacheRead: null, cacheWrite: null, stopReason: null },
})

describe('X3 what is counted of the entries of a transcript', () => {
  it('entries, unreadable lines, unknown types, turns, compactions and the time from first to last', () => {
    const facts = factsBy((t) => {
      t.user('  Where is   the ship? ')
      t.raw('{broken')
      t.entry('hologram', {})
      t.assistant('At the quay.')
      t.compaction('s', 'e1')
      t.user('And now?', { timestamp: '2026-10-01T00:00:00.000Z' })
    })
    expect(outlined(facts)).toMatchObject({
      ...{ version: 3, sessionId: 's1', cwd: '/w', name: 'Where is the ship?' },
      ...{ entries: 7, unreadable: 1, unknownTypes: 1, calls: 1, turns: 2, compactions: 1 },
      startedAt: Date.UTC(2026, 9, 1),
      updatedAt: Math.max(...facts.map(({ at }) => at ?? 0)),
      compactionIds: ['e4'],
    })
  })

  it('nothing is known of a transcript without entries, nor when it was, of one without times', () => {
    expect(new TotalsTally().snapshot()).toEqual(NO_TOTALS)
    const { startedAt, updatedAt, entries } = outlined(
      factsOf('{"type":"message","message":{"role":"user"}}\n'),
    )
    expect([startedAt, updatedAt, entries]).toEqual([null, null, 1])
  })

  it('times before 1970 and at its first moment are times', () => {
    const at = (...times: number[]) => {
      const { startedAt, updatedAt } = outlined(times.map((one) => answerOf({ at: one })))
      return [startedAt, updatedAt]
    }
    const without = outlined([answerOf({ at: 5 }), answerOf({ at: null })])
    expect([without.startedAt, without.updatedAt]).toEqual([5, 5])
    expect([at(0), at(-5, -9), at(5, 0)]).toEqual([
      [0, 0],
      [-9, -5],
      [0, 5],
    ])
  })

  it('the first header says whose it is; a second one is counted and changes nothing', () => {
    const facts = factsBy((t) => {
      t.raw(JSON.stringify({ type: 'session', version: 1, id: 's2', cwd: '/x', provider: 'p', modelId: 'm' }))
    })
    expect(outlined(facts)).toMatchObject({
      ...{ entries: 2, version: 3, sessionId: 's1', cwd: '/w' },
      model: null,
    })
    const first = outlined(factsOf('{"type":"session","id":"","provider":"p","modelId":"m"}\n'))
    expect(first).toMatchObject({ version: 1, sessionId: null, cwd: null, provider: 'p', model: 'm' })
  })

  it('its name is the first question, until it is given one; an empty one takes it away', () => {
    const named = (write: Write) => outlined(factsBy(write)).name
    const asked: Write = (t) => {
      t.assistant('hello')
      t.user('first')
      t.user('second')
    }
    const called = (name: string) => (t: TranscriptBuilder) => t.entry('session_info', { name })
    const inTurn =
      (...writes: readonly Write[]): Write =>
      (t) => {
        for (const write of writes) write(t)
      }
    expect(named(asked)).toBe('first')
    expect(named(inTurn(asked, called('Harbour')))).toBe('Harbour')
    expect(named(inTurn(called('Harbour'), asked))).toBe('Harbour')
    expect(named(inTurn(asked, called('')))).toBeNull()
  })

  it('a command of the client gives it a name only as long as nothing else does', () => {
    const user = (preview: string | undefined) => answerOf({ role: 'user', preview })
    const custom = (preview: string | undefined) =>
      answerOf({ type: 'custom_message', role: 'custom', preview })
    const command = '<command-name>/init</command-name>'
    const message = '<command-message>init</command-message>'
    const named = (...facts: EntryFact[]) => outlined(facts).name
    expect(named(user(command))).toBe(command)
    expect(named(user(command), user('first'))).toBe('first')
    expect(named(user(message), user(undefined))).toBe(message)
    expect(named(user(`x ${command}`), user('second'))).toBe(`x ${command}`)
    expect(named(user('<command-line>'), user('second'))).toBe('<command-line>')
    expect([named(custom(command)), named(custom('else')), named(custom(undefined))]).toEqual([
      command,
      null,
      null,
    ])
    expect(named(custom(command), custom(message))).toBe(command)
    expect(named(user('first'), custom(command))).toBe('first')
  })

  it('knows for whom it works and where, by the first entry that says so', () => {
    const header = (fields: NonNullable<EntryFact['header']>) =>
      answerOf({ type: 'session', header: fields, role: undefined })
    const first = header({ version: 3, sessionId: 'a' })
    const second = header({ version: 3, sessionId: 'b', cwd: '/b', agentOf: 'main' })
    const third = header({ version: 3, sessionId: 'c', cwd: '/c', agentOf: 'other' })
    expect(outlined([first, second, third])).toMatchObject({ sessionId: 'a', cwd: '/b', agentOf: 'main' })
    expect(outlined([first])).toMatchObject({ cwd: null, agentOf: null })
    expect(outlined([answerOf({})]).cwd).toBeNull()
    expect(outlined([first, answerOf({ cwd: '/x' }), answerOf({ cwd: '/y' }), second]).cwd).toBe('/x')
  })

  it('copies are entries, and neither turns nor work of tools', () => {
    const calls = [{ id: 'a', name: 'read' }]
    const facts = [answerOf({ calls, copied: true }), answerOf({ role: 'user', preview: 'x', copied: true })]
    expect(outlined(facts)).toMatchObject({
      entries: 2,
      calls: 0,
      turns: 0,
      name: null,
      tools: { tools: [] },
    })
  })

  it('what tools have in the window is none any more after a compaction of either side', () => {
    const result = answerOf({ role: 'toolResult', toolName: 'read', units: { 'tool-result': 50 } })
    const compacted = answerOf({ type: 'compaction', role: undefined, id: 'c' })
    const checkpoint = factsBy((t) => t.assistant('x', openaiAnswer(checkpointRecord())))[1] as EntryFact
    const held = (...facts: EntryFact[]) => outlined(facts).tools.tools.map((tool) => tool.held)
    expect([held(result), held(result, compacted), held(result, checkpoint)]).toEqual([[50], [0], [0]])
  })

  it('provider and model are those that were chosen or answered last; what is not said stays', () => {
    const now = (write: Write) => {
      const { provider, model } = outlined(factsBy(write))
      return [provider, model]
    }
    expect(now((t) => t.entry('model_change', { provider: 'openai', modelId: 'gpt-5' }))).toEqual([
      ...['openai', 'gpt-5'],
    ])
    expect(
      now((t) => {
        t.assistant('x', { model: 'm1' })
        t.entry('model_change', { modelId: 'm2' })
      }),
    ).toEqual(['anthropic', 'm2'])
    expect(
      now((t) => {
        t.entry('model_change', { provider: 'openai', modelId: 'gpt-5' })
        t.message({ role: 'assistant', content: 'x' })
      }),
    ).toEqual(['openai', 'gpt-5'])
  })

  it('B8 the same compaction written twice is one; one without an id counts each time', () => {
    const twice = factsBy((t) => {
      t.compaction('s', 'e1', { id: 'c' })
      t.compaction('s', 'e1', { id: 'c' })
    })
    expect(outlined(twice)).toMatchObject({ compactions: 1, compactionIds: ['c'] })
    const anonymous = twice.map((fact) => ({ ...fact, id: null }))
    expect(outlined(anonymous)).toMatchObject({ compactions: 2, compactionIds: [] })
    const tally = new TotalsTally(outlined(twice))
    expect(
      [{ id: 'c' }, { id: 'd' }, { id: null }].map((one) => tally.hasCompaction(one as EntryFact)),
    ).toEqual([...[true, false, false]])
  })

  it('B4 a compaction of the provider counts, its refusal does not', () => {
    const count = (record: unknown) =>
      outlined(factsBy((t) => t.assistant('x', openaiAnswer(record)))).compactions
    expect([count(checkpointRecord()), count(suppressionRecord()), count(undefined)]).toEqual([1, 0, 0])
  })
})

describe('B8 records of one response', () => {
  const records = (write: Write) => {
    const tally = new TotalsTally()
    return factsBy(write)
      .slice(1)
      .map((fact) => {
        const seen = tally.asRecorded(fact)
        tally.addOutline(fact)
        return seen.again === true
      })
  }
  const usage = { input: 9 }

  it('are one call: the same id and the same prompt, one after another', () => {
    expect(
      records((t) => {
        t.assistant('a', { fields: { responseId: 'r' }, usage })
        t.assistant('b', { fields: { responseId: 'r' }, usage })
        t.assistant('c', { fields: { responseId: 'r' }, usage: { input: 8 } })
        t.assistant('d', { fields: { responseId: 'q' }, usage: { input: 8 } })
        t.assistant('e', { fields: { responseId: 'q' }, usage: { input: 8 } })
      }),
    ).toEqual([false, true, false, false, true])
  })

  it('without an id each is a call, and what is no answer is none', () => {
    expect(
      records((t) => {
        t.assistant('a', { usage })
        t.assistant('b', { usage })
        t.assistant('c', { fields: { responseId: 'r' } })
        t.assistant('d', { fields: { responseId: 'r' } })
        t.user('x')
        t.assistant('e', { fields: { responseId: 'r', provider: 'openclaw', model: 'delivery-mirror' } })
      }),
    ).toEqual([false, false, false, true, false, false])
  })
})

describe('B7 what a provider was seen to take', () => {
  it('is the largest prompt that it reported for the model, and of no failed call', () => {
    const tally = new TotalsTally()
    const answers = factsBy((t) => {
      t.assistant('a', { usage: { input: 5, cacheRead: 10, cacheWrite: 1, output: 99 } })
      t.assistant('b', { usage: { input: 9 } })
      t.assistant('c', { usage: { input: 99 }, stop: 'error' })
      t.assistant('d', { usage: { input: 7 }, model: 'other' })
      t.assistant('e')
    })
    for (const fact of answers) tally.addOutline(fact)
    expect(tally.acceptedBy('anthropic', 'claude-sonnet-4-5')).toBe(16)
    expect(tally.acceptedBy('anthropic', 'other')).toBe(7)
    expect(tally.acceptedBy('openai', 'other')).toBeNull()
    expect(tally.snapshot().accepted).toEqual({ 'anthropic/claude-sonnet-4-5': 16, 'anthropic/other': 7 })
  })

  it('is kept by provider and model, as far as they are known', () => {
    expect([modelKey('p', 'm'), modelKey(null, 'm'), modelKey('p', null)]).toEqual(['p/m', '/m', 'p/'])
  })
})

describe('X6 sums of calls', () => {
  const DAY = Date.UTC(2026, 10, 1)
  const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, costUsd: 0.5 }
  const summed = (calls: readonly (readonly [Partial<EntryFact>, Frame])[], from?: FoldTotals) => {
    const tally = new TotalsTally(from)
    for (const [fields, frame] of calls) tally.addCall(answerOf(fields), frame)
    return tally.snapshot()
  }

  it("price what has no recorded cost with the operator's prices, in all and by day, and count what has none", () => {
    const free = { ...usage, costUsd: null }
    const tally = new TotalsTally(NO_TOTALS, {
      m: { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0 },
    })
    const calls: Partial<EntryFact>[] = [
      { at: DAY, model: 'm', usage: free },
      { at: DAY, model: 'm', usage },
      { at: DAY, model: 'no-such-model', provider: 'nowhere', usage: free },
    ]
    for (const fields of calls) tally.addCall(answerOf(fields), frameOf(8))
    expect(tally.snapshot()).toMatchObject({ costUsd: 0.5, listUsd: 1, unpriced: 1, costUnknownCalls: 2 })
    expect(tally.snapshot().days.map(({ model, listUsd, unpriced }) => [model, listUsd, unpriced])).toEqual([
      ['m', 1, 0],
      ['no-such-model', null, 1],
    ])
    tally.amendCall(
      answerOf(calls[2] ?? {}),
      frameOf(8),
      answerOf({ ...calls[2], usage: { ...free, costUsd: 2 } }),
      frameOf(8),
    )
    expect(tally.snapshot()).toMatchObject({ costUsd: 2.5, listUsd: 1, unpriced: 0, costUnknownCalls: 1 })
  })

  it('add up, in all and by UTC day and model', () => {
    const totals = summed([
      [{ at: DAY + 86_399_999, model: 'm', usage }, frameOf(8, { user: 3, residual: 5 })],
      [{ at: DAY, model: 'm', usage }, frameOf(8, { user: 4 })],
      [{ at: DAY + 86_400_000, model: 'm', usage }, frameOf(8)],
      [{ at: DAY, model: 'n', usage }, frameOf(8)],
      [{ at: DAY - 1, model: undefined, usage }, frameOf(8)],
      [{ at: null, model: 'm', usage }, frameOf(8)],
    ])
    expect(totals).toMatchObject({
      calls: 6,
      input: 6,
      output: 12,
      cacheRead: 18,
      cacheWrite: 24,
      costUsd: 3,
    })
    expect(
      totals.days.map(({ day, model, calls, input, costUsd }) => [day, model, calls, input, costUsd]),
    ).toEqual([
      ['2026-11-01', 'm', 2, 2, 1],
      ['2026-11-02', 'm', 1, 1, 0.5],
      ['2026-11-01', 'n', 1, 1, 0.5],
      ['2026-10-31', 'unknown', 1, 1, 0.5],
    ])
    expect(totals.days[0]?.categories).toEqual([0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 5])
  })

  it('a price that was not reported is unknown, unless the call failed before it cost anything', () => {
    const free = { ...usage, costUsd: null }
    const totals = summed([
      [{ at: DAY, usage: free }, frameOf(8)],
      [{ at: DAY, usage: null }, frameOf(null, { user: 9 })],
      [{ at: DAY, usage: free, stopReason: 'error' }, frameOf(8)],
      [{ at: DAY, usage: null, stopReason: 'aborted' }, frameOf(8)],
    ])
    expect(totals).toMatchObject({ calls: 4, costUsd: null, costUnknownCalls: 2, input: 2 })
    expect(totals.days).toMatchObject([{ calls: 4, costUsd: null, costUnknownCalls: 2 }])
    // A prompt without a report was not billed.
    expect(totals.days[0]?.categories.every((tokens) => tokens === 0)).toBe(true)
    expect(summed([[{ usage }, frameOf(8)]], totals)).toMatchObject({ costUsd: 0.5, costUnknownCalls: 2 })
  })

  it('of which more is known later are counted anew, in all and in their day', () => {
    const tally = new TotalsTally()
    const earlier = answerOf({ at: DAY, model: 'm', usage: { ...usage, input: 7 } })
    const [before, now] = [
      answerOf({ at: DAY, model: 'm', usage: null }),
      answerOf({ at: DAY, model: 'm', usage }),
    ]
    tally.addCall(earlier, frameOf(8, { user: 1 }))
    tally.addCall(before, frameOf(null, { user: 9 }))
    tally.amendCall(before, frameOf(null, { user: 9 }), now, frameOf(20, { user: 4 }))
    const straight = new TotalsTally()
    straight.addCall(earlier, frameOf(8, { user: 1 }))
    straight.addCall(now, frameOf(20, { user: 4 }))
    expect(tally.snapshot()).toEqual({ ...straight.snapshot(), accepted: { 'anthropic/m': 8 } })
  })

  it.each<[string, Partial<EntryFact>, Partial<EntryFact>]>([
    [
      'a recorded cost',
      { usage },
      { usage: { ...usage, input: 5, cacheRead: 9, cacheWrite: 8, costUsd: 2 } },
    ],
    [
      'a cost by prices',
      { usage: { ...usage, costUsd: null } },
      { usage: { ...usage, costUsd: null, input: 5, output: 9, cacheRead: 9, cacheWrite: 8 } },
    ],
    ['no report at all', { usage: null }, { usage: null, stopReason: 'length' }],
    ['no model', { usage: null, model: undefined }, { usage, model: undefined }],
  ])('are then what they would have been at once: with %s', (_what, before, now) => {
    const own = { m: { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0 } }
    const [amended, straight] = [new TotalsTally(NO_TOTALS, own), new TotalsTally(NO_TOTALS, own)]
    const callOf = (more: Partial<EntryFact>) => answerOf({ at: DAY, model: 'm', ...more })
    for (const tally of [amended, straight]) tally.addCall(callOf({ usage }), frameOf(8))
    amended.addCall(callOf(before), frameOf(20, { user: 4 }))
    amended.amendCall(callOf(before), frameOf(20, { user: 4 }), callOf(now), frameOf(21, { user: 5 }))
    straight.addCall(callOf(now), frameOf(21, { user: 5 }))
    straight.noteAccepted(callOf(now))
    expect(amended.snapshot()).toEqual(straight.snapshot())
  })

  it('without a time are in no day when more is known of them, and without a trend stay without', () => {
    const tally = new TotalsTally()
    const [before, now] = [answerOf({ at: null, usage: null }), answerOf({ at: null, usage })]
    tally.amendCall(before, frameOf(null), now, frameOf(5))
    expect(tally.snapshot()).toMatchObject({ input: 1, days: [], trend: [] })
  })

  it('the trend holds the sizes of the last calls, unknown ones too', () => {
    const calls = Array.from(
      { length: TREND_CALLS + 1 },
      (_, i) => [{}, frameOf(i === 2 ? null : i)] as const,
    )
    expect(summed(calls.slice(1)).trend).toHaveLength(TREND_CALLS)
    const { trend } = summed(calls)
    expect([trend.length, trend[0], trend[1], trend.at(-1)]).toEqual([TREND_CALLS, 1, null, TREND_CALLS])
  })

  it('go on from what was kept, which stays as it was', () => {
    const before = summed([[{ at: DAY, model: 'm', usage }, frameOf(8, { user: 1 })]])
    const kept = structuredClone(before)
    const after = summed([[{ at: DAY, model: 'm', usage }, frameOf(9, { user: 1 })]], before)
    expect(before).toEqual(kept)
    expect(after).toMatchObject({ calls: 2, input: 2, trend: [8, 9], days: [{ calls: 2 }] })
    expect(after.days[0]?.categories[6]).toBe(2)
  })

  it('a day that has not changed is the same object in the next snapshot', () => {
    const tally = new TotalsTally()
    tally.addCall(answerOf({ at: DAY, model: 'm', usage }), frameOf(8))
    const first = tally.snapshot()
    tally.addCall(answerOf({ at: DAY + 86_400_000, model: 'm', usage }), frameOf(8))
    const second = tally.snapshot()
    expect(second.days[0]).toBe(first.days[0])
    tally.addCall(answerOf({ at: DAY, model: 'm', usage }), frameOf(8))
    expect(tally.snapshot().days[0]).not.toBe(first.days[0])
    expect(first.days).toMatchObject([{ calls: 1 }])
  })
})

describe('X6 requests beside the calls', () => {
  const DAY = Date.UTC(2026, 10, 1)
  const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, costUsd: null }
  const more = { input: 11, output: 22, cacheRead: 33, cacheWrite: 44, costUsd: null }
  const own = { m: { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0 } }

  it('are in the sums, no calls, and by themselves', () => {
    const tally = new TotalsTally()
    tally.addBesides({ ...usage, costUsd: 0.5 }, null, 'm', DAY)
    tally.addBesides(usage, null, null, DAY)
    tally.addBesides(usage, null, 'm', null)
    const sums = { input: 3, output: 6, cacheRead: 9, cacheWrite: 12 }
    const { besides, days, calls, costUsd, costUnknownCalls, unpriced, ...totals } = tally.snapshot()
    expect(totals).toMatchObject(sums)
    expect([calls, costUsd, costUnknownCalls, unpriced]).toEqual([0, 0.5, 2, 2])
    expect(besides).toEqual({ ...sums, calls: 3, listUsd: null, unpriced: 2 })
    expect(days.map(({ day, model, input, costUsd: usd }) => [day, model, input, usd])).toEqual([
      ['2026-11-01', 'm', 1, 0.5],
      ['2026-11-01', 'unknown', 1, null],
    ])
  })

  it('of which more is known later count with what is new', () => {
    const tally = new TotalsTally(NO_TOTALS, own)
    tally.addBesides(usage, null, 'm', DAY)
    tally.addBesides(more, usage, 'm', DAY)
    const sums = { input: 11, output: 22, cacheRead: 33, cacheWrite: 44, listUsd: 11, unpriced: 0 }
    const { besides, days, ...totals } = tally.snapshot()
    expect(totals).toMatchObject({ ...sums, calls: 0, costUnknownCalls: 1 })
    expect(besides).toEqual({ ...sums, calls: 1 })
    expect(days).toMatchObject([{ ...sums, calls: 0 }])
  })

  it('cost what was recorded of them, once', () => {
    const tally = new TotalsTally()
    tally.addBesides({ ...usage, costUsd: 0.25 }, null, 'm', DAY)
    tally.addBesides({ ...usage, costUsd: 1 }, { ...usage, costUsd: 0.25 }, 'm', DAY)
    expect(tally.snapshot()).toMatchObject({ costUsd: 1, costUnknownCalls: 0, listUsd: null, unpriced: 0 })
    const unpriced = new TotalsTally()
    unpriced.addBesides(usage, null, 'm', DAY)
    unpriced.addBesides(usage, usage, 'm', DAY)
    expect(unpriced.snapshot()).toMatchObject({ unpriced: 1, besides: { unpriced: 1 }, costUnknownCalls: 1 })
  })

  it('have the price of the provider that is in use', () => {
    const tally = new TotalsTally({ ...NO_TOTALS, provider: 'p' }, { 'p/m': own.m })
    tally.addBesides(usage, null, 'm', null)
    tally.addBesides(usage, null, 'm', null)
    expect(tally.snapshot()).toMatchObject({ listUsd: 2, besides: { listUsd: 2, unpriced: 0 } })
  })
})
