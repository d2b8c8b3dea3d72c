import { describe, expect, test } from 'vitest'
import {
  checkpointRecord,
  openaiAnswer,
  summaryRecord,
  suppressionRecord,
} from '../../testing/builders/checkpoint'
import { inspected } from '../../testing/builders/inspected'
import { TranscriptBuilder } from '../../testing/builders/transcript'

function compacted(builder: TranscriptBuilder, firstKeptEntryId: string, tokensBefore = 0): string {
  return builder.entry('compaction', { summary: 'So far.', firstKeptEntryId, tokensBefore })
}

describe('X7: a recorded compaction', () => {
  test('what left and what stayed, before and after, and that the threshold explains it', () => {
    const builder = new TranscriptBuilder()
    const first = builder.user('One.')
    builder.assistant('Two.', { usage: { input: 100_000, output: 10 } })
    const kept = builder.user('Three.')
    builder.assistant('Four.', { usage: { input: 183_000, output: 10 } })
    compacted(builder, kept, 183_010)
    builder.user('Five.')
    builder.assistant('Six.', { usage: { input: 40_000, output: 10 } })
    const [found] = inspected(builder)
    expect(first).toBe('e1')
    expect(found).toMatchObject({
      kind: 'compaction',
      trigger: 'threshold',
      afterCall: 2,
      recordedBefore: 183_010,
      promptBefore: 183_000,
      promptAfter: 40_000,
      summarised: [1, 2],
      kept: [3, 4],
      oddities: [],
      midTask: false,
    })
  })

  test('a failed call is not the one after it; prompts that were not reported are said to be estimated', () => {
    const builder = new TranscriptBuilder()
    builder.assistant('Two.', { usage: { input: 12_000, output: 10 } })
    const kept = builder.user('Three.')
    builder.assistant('', { stop: 'error' })
    compacted(builder, kept)
    builder.user('Five.')
    builder.assistant('', { stop: 'error', usage: { input: 13_255 } })
    builder.assistant('', { stop: 'aborted' })
    builder.assistant('Six.', { usage: { input: 10_396, output: 10 } })
    expect(inspected(builder)[0]).toMatchObject({
      beforeBasis: 'estimated',
      promptAfter: 10_396,
      afterBasis: 'measured',
      oddities: [],
    })
  })

  test('B8 the same record, written twice, is listed once', () => {
    const builder = new TranscriptBuilder()
    const kept = builder.user('Three.')
    builder.assistant('Four.', { usage: { input: 170_000, output: 10 } })
    const id = compacted(builder, kept)
    builder.entry('compaction', { id, summary: 'So far.', firstKeptEntryId: kept, tokensBefore: 0 })
    expect(inspected(builder)).toHaveLength(1)
  })

  test('after an overflow, in the middle of a task', () => {
    const builder = new TranscriptBuilder()
    const kept = builder.user('Go.')
    builder.assistant('', { calls: ['c1'], usage: { input: 190_000, output: 10 } })
    builder.result('c1', 'x'.repeat(100))
    builder.assistant('', {
      stop: 'error',
      fields: { errorMessage: 'prompt is too long: 213462 tokens > 200000 maximum' },
    })
    compacted(builder, kept)
    expect(inspected(builder)[0]).toMatchObject({ trigger: 'overflow', recordedBefore: null })
    const other = new TranscriptBuilder()
    const id = other.user('Go.')
    other.assistant('', { calls: ['c1'], usage: { input: 20_000, output: 10 } })
    other.result('c1', 'x')
    compacted(other, id, 20_000)
    expect(inspected(other)[0]).toMatchObject({ trigger: 'early', midTask: true })
  })

  test('one that reclaimed nothing, one that was doubled, one that was a reset', () => {
    const builder = new TranscriptBuilder()
    const kept = builder.user('One.')
    builder.assistant('Two.', { usage: { input: 160_000, output: 10 } })
    compacted(builder, kept, 160_000)
    compacted(builder, kept, 160_000)
    builder.assistant('Three.', { usage: { input: 155_000, output: 10 } })
    compacted(builder, 'nobody', 155_000)
    builder.user('Four.')
    builder.assistant('Five.', { usage: { input: 9_000, output: 10 } })
    expect(inspected(builder).map(({ oddities }) => oddities)).toEqual([
      ['reclaimed-nothing'],
      ['reclaimed-nothing', 'doubled'],
      ['was-reset'],
    ])
  })
})

describe('B4 a compaction on the provider side', () => {
  const talk = (record: unknown) => {
    const builder = new TranscriptBuilder()
    builder.user('One.')
    builder.assistant('Two.', { usage: { input: 100_000, output: 10 }, ...openaiAnswer() })
    builder.user('Three.')
    builder.assistant('Four.', { usage: { input: 110_000, output: 10 }, ...openaiAnswer(record) })
    builder.user('Five.')
    builder.assistant('Six.', { usage: { input: 90_000, output: 10 }, model: 'claude-sonnet-4-5' })
    builder.assistant('Seven.', { usage: { input: 9_000, output: 10 }, ...openaiAnswer() })
    return inspected(builder)
  }

  test('what is not sent any more, what is known of it, and the next prompt on the same way', () => {
    expect(talk(checkpointRecord())).toMatchObject([
      {
        kind: 'provider',
        provider: { name: 'openai', model: 'gpt-5.5', readable: false, chars: 12 },
        trigger: 'provider',
        afterCall: 2,
        promptBefore: 110_000,
        promptAfter: 9_000,
        summarised: [1, 2, 3],
        kept: [],
        oddities: [],
      },
    ])
    expect(talk(summaryRecord('About ships.'))[0]?.provider).toMatchObject({
      readable: true,
      text: 'About ships.',
    })
  })

  test('records that are not used are listed with the reason', () => {
    const odd = (record: unknown) => talk(record).map(({ oddities, summarised }) => [oddities, summarised])
    expect(odd(checkpointRecord({ data: 7 }))).toEqual([[['unreadable'], []]])
    expect(odd('x')).toEqual([[['unreadable'], []]])
    expect(odd(checkpointRecord({ sessionHash: 'other' }))).toEqual([[['other-session'], []]])
    expect(odd(checkpointRecord({ compactedWindow: {} }))).toEqual([[['needs-rebuild'], []]])
    expect(odd(suppressionRecord())).toEqual([])
  })

  test('the runtime’s own line decides, in a small window as well: 13k of 32k is no early one', () => {
    const builder = new TranscriptBuilder()
    const kept = builder.user('One.')
    builder.assistant('Two.', { usage: { input: 9_000, output: 10 } })
    builder.user('Three.')
    builder.assistant('Four.', { usage: { input: 13_000, output: 10 } })
    compacted(builder, kept, 13_010)
    const [found] = inspected(builder, { window: 32_768 })
    expect(found).toMatchObject({ trigger: 'threshold', explanation: { verdict: 'explained', line: 12_768 } })
    expect(found?.explanation?.window?.tokens).toBe(32_768)
  })

  test('what the runtime noted counts most; one of ours is said to be ours', () => {
    const builder = new TranscriptBuilder()
    const kept = builder.user('One.')
    builder.assistant('Two.', { usage: { input: 185_000, output: 10 } })
    const id = compacted(builder, kept, 185_010)
    const of = (reason: 'manual' | 'overflow-retry' | 'auto-threshold') =>
      inspected(builder, { judge: { recorded: [{ entryId: id, reason }] } })[0]
    expect(of('manual')).toMatchObject({
      trigger: 'asked',
      explanation: { verdict: 'apart', reason: 'manual' },
    })
    expect(of('overflow-retry')).toMatchObject({ trigger: 'overflow' })
    expect(of('auto-threshold')).toMatchObject({ trigger: 'threshold' })
    const mine = new TranscriptBuilder()
    const first = mine.user('One.')
    mine.assistant('Two.', { usage: { input: 185_000, output: 10 } })
    mine.entry('compaction', {
      summary: 'So far.',
      firstKeptEntryId: first,
      tokensBefore: 1,
      details: { by: 'plimsoll' },
    })
    expect(inspected(mine)[0]).toMatchObject({ trigger: 'asked', explanation: { reason: 'ours' } })
  })
})
