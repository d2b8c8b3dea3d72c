import { describe, expect, test } from 'vitest'
import { factsOf, TranscriptBuilder } from '../../testing/builders/transcript'
import { Branches } from '../transcript/branches'
import { SessionFold } from '../transcript/fold'
import { inspectCompactions } from './inspect'

function inspect(builder: TranscriptBuilder) {
  const facts = factsOf(`${builder.lines.join('\n')}\n`)
  const fold = SessionFold.start({ runtime: 'openclaw', hints: { index: null }, report: null })
  const frames = facts.flatMap((fact) => fold.push(fact).frame ?? [])
  return inspectCompactions(Branches.of(facts), frames, 'openclaw')
}

function compacted(builder: TranscriptBuilder, firstKeptEntryId: string, tokensBefore = 0): string {
  return builder.entry('compaction', { summary: 'So far.', firstKeptEntryId, tokensBefore })
}

describe('X7: a recorded compaction', () => {
  test('what left and what stayed, before and after, and that the threshold explains it', () => {
    const builder = new TranscriptBuilder()
    const first = builder.user('One.')
    builder.assistant('Two.', { usage: { input: 100_000, output: 10 } })
    const kept = builder.user('Three.')
    builder.assistant('Four.', { usage: { input: 170_000, output: 10 } })
    compacted(builder, kept, 170_010)
    builder.user('Five.')
    builder.assistant('Six.', { usage: { input: 40_000, output: 10 } })
    const [found] = inspect(builder)
    expect(first).toBe('e1')
    expect(found).toMatchObject({
      kind: 'compaction',
      trigger: 'threshold',
      afterCall: 2,
      recordedBefore: 170_010,
      promptBefore: 170_000,
      promptAfter: 40_000,
      summarised: [1, 2],
      kept: [3, 4],
      oddities: [],
      midTask: false,
    })
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
    expect(inspect(builder)[0]).toMatchObject({ trigger: 'overflow', recordedBefore: null })
    const other = new TranscriptBuilder()
    const id = other.user('Go.')
    other.assistant('', { calls: ['c1'], usage: { input: 20_000, output: 10 } })
    other.result('c1', 'x')
    compacted(other, id, 20_000)
    expect(inspect(other)[0]).toMatchObject({ trigger: 'early', midTask: true })
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
    expect(inspect(builder).map(({ oddities }) => oddities)).toEqual([
      ['reclaimed-nothing'],
      ['reclaimed-nothing', 'doubled'],
      ['was-reset'],
    ])
  })
})
