import { describe, expect, test } from 'vitest'
import { checkpointRecord, openaiAnswer, summaryRecord } from '../../testing/builders/checkpoint'
import { inspected } from '../../testing/builders/inspected'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { providerCompaction } from './inspect-checkpoint'

describe('B4: a compaction on the provider’s side', () => {
  /** One on the second call, at 110,000 tokens; then what follows. */
  const provider = (
    then: (t: TranscriptBuilder) => void,
    record: unknown = checkpointRecord(),
    usage: object = { usage: { input: 110_000, output: 10 } },
  ) => {
    const t = new TranscriptBuilder()
    t.user('One.')
    t.assistant('Two.', { usage: { input: 100_000, output: 10 }, ...openaiAnswer() })
    t.user('Three.')
    t.assistant('Four.', { ...usage, ...openaiAnswer(record) })
    then(t)
    return inspected(t)[0]
  }
  const next = (t: TranscriptBuilder, input: number, more: object = {}) =>
    t.assistant('Next.', { usage: { input, output: 10 }, ...openaiAnswer(), ...more })

  test('is listed with its place and what is measured of it', () => {
    expect(provider((t) => next(t, 9000))).toMatchObject({
      ...{
        seq: 4,
        line: 5,
        entryId: 'e4',
        at: Date.UTC(2026, 10, 1, 8, 0, 4),
        kind: 'provider',
        fromHook: false,
      },
      ...{
        afterCall: 2,
        recordedBefore: null,
        beforeBasis: 'measured',
        afterBasis: 'measured',
        explanation: null,
      },
      ...{ midTask: false, kept: [], summarised: [1, 2, 3] },
    })
    const silent = provider(() => {}, checkpointRecord(), {})
    expect(silent).toMatchObject({
      promptBefore: null,
      beforeBasis: 'unknown',
      promptAfter: null,
      afterBasis: 'unknown',
    })
  })

  test('reclaimed nothing where more than nine tenths are left', () => {
    expect(provider((t) => next(t, 99_000))?.oddities).toEqual([])
    expect(provider((t) => next(t, 99_001))?.oddities).toEqual(['reclaimed-nothing'])
  })

  test('its next prompt is of the first answered call on its own way, of the next five at most', () => {
    const prompt = (then: (t: TranscriptBuilder) => void) => provider(then)?.promptAfter
    expect(prompt((t) => next(t, 9000))).toBe(9000)
    expect(
      prompt((t) => {
        next(t, 7000, { stop: 'error' })
        next(t, 9000)
      }),
    ).toBe(9000)
    expect(
      prompt((t) => {
        next(t, 7000, { model: 'other' })
        next(t, 9000)
      }),
    ).toBe(9000)
    const { fields } = openaiAnswer()
    expect(
      prompt((t) => {
        next(t, 7000, { fields: { ...fields, provider: 'azure' } })
        next(t, 9000)
      }),
    ).toBe(9000)
    expect(
      prompt((t) => {
        next(t, 7000, { over: { parentId: 'e3' } })
        next(t, 9000, { over: { parentId: 'e4' } })
      }),
    ).toBe(9000)
    const others = (count: number) => (t: TranscriptBuilder) => {
      for (let i = 0; i < count; i++) next(t, 7000, { model: 'other' })
      next(t, 9000)
    }
    expect([prompt(others(4)), prompt(others(5))]).toEqual([9000, null])
  })

  test('the first entry of a session can be one; nothing was before it', () => {
    const t = new TranscriptBuilder()
    t.assistant('One.', { usage: { input: 50, output: 10 }, ...openaiAnswer(checkpointRecord()) })
    expect(inspected(t)[0]).toMatchObject({ summarised: [], afterCall: 1, promptBefore: 50 })
  })

  test('of a transcript that names no session it is the session’s own, whatever session it was made for', () => {
    const t = new TranscriptBuilder({ id: undefined })
    t.user('One.')
    t.assistant('Two.', { usage: { input: 50 }, ...openaiAnswer(checkpointRecord({ sessionHash: 'other' })) })
    expect(inspected(t)[0]).toMatchObject({ summarised: [1], oddities: [] })
  })

  test('a transcript without a header names no session either; its first line can be one', () => {
    const t = new TranscriptBuilder()
    t.lines.pop()
    t.assistant('One.', { usage: { input: 50 }, ...openaiAnswer(checkpointRecord({ sessionHash: 'other' })) })
    expect(inspected(t)[0]).toMatchObject({ seq: 0, summarised: [], oddities: [] })
  })

  test('of an API that is sent no checkpoints nothing leaves the context', () => {
    expect(provider(() => {}, checkpointRecord({ api: 'another' }))).toMatchObject({
      ...{ summarised: [], oddities: [] },
    })
  })

  test('what its record tells, readable or not', () => {
    const reported = (record: unknown) => provider(() => {}, record)?.provider
    expect(reported(checkpointRecord())).toEqual({
      ...{ name: 'openai', model: 'gpt-5.5', readable: false, chars: 12, windowMessages: 0 },
    })
    expect(reported(checkpointRecord())).not.toHaveProperty('text')
    expect(reported(summaryRecord('About ships.'))).toEqual({
      ...{
        name: 'anthropic',
        model: 'claude-sonnet-4-5',
        readable: true,
        text: 'About ships.',
        chars: 12,
        windowMessages: 0,
      },
    })
    const broken = { name: null, model: null, readable: false, chars: 0, windowMessages: 0 }
    expect(providerCompaction({ kind: 'broken', family: null, problem: 'no data' })).toEqual({
      ...broken,
      problem: 'no data',
    })
    expect(providerCompaction({ kind: 'broken', family: null, problem: '' })).toEqual(broken)
    const route = { provider: 'openai', api: 'x', model: 'm', baseUrlHash: 'h' }
    expect(providerCompaction({ kind: 'suppression', family: 'openai', route })).toEqual(broken)
  })
})
