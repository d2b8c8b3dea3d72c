import fc from 'fast-check'
import {
  checkpointRecord,
  openaiAnswer,
  retainedRecord,
  summaryRecord,
  suppressionRecord,
} from './checkpoint'
import { TranscriptBuilder } from './transcript'

const RECORDS = [
  checkpointRecord(),
  checkpointRecord({ replayIndex: 1 }),
  checkpointRecord({ model: 'gpt-5' }),
  checkpointRecord({ sessionHash: 'another' }),
  checkpointRecord({ data: 7 }),
  retainedRecord(['first', 'second']),
  suppressionRecord(),
  suppressionRecord({ model: 'gpt-5' }),
  summaryRecord('The harbour log.'),
]

type Step = { readonly kind: string; readonly size: number; readonly pick: number }

/** What a step is written with: the transcript, the ids so far, one of them by a number, and a text and a usage. */
type Writing = {
  readonly t: TranscriptBuilder
  readonly ids: string[]
  readonly id: (pick: number) => string
  readonly text: string
  readonly usage: { readonly input: number; readonly output: number } | undefined
}

/** Writes a transcript step by step. @param other what is written for steps of other kinds than the plain ones */
export function builtOf<S extends Step>(
  steps: readonly S[],
  other: (step: S, writing: Writing) => void,
): TranscriptBuilder {
  const t = new TranscriptBuilder()
  const ids: string[] = []
  const id = (pick: number) => ids[pick % Math.max(1, ids.length)] ?? 'nobody'
  for (const step of steps) {
    const { kind, size, pick } = step
    const text = 'word '.repeat(size)
    const usage = pick % 3 === 0 ? undefined : { input: 2000 + size * 3, output: 1 + (size % 50) }
    if (kind === 'user') ids.push(t.user(text))
    else if (kind === 'answer') ids.push(t.assistant(text, { usage }))
    else if (kind === 'fail') ids.push(t.assistant('', { stop: 'error', usage }))
    else if (kind === 'compact') ids.push(t.compaction(text, id(pick)))
    else if (kind === 'branch') ids.push(t.user(text, { parentId: id(pick) }))
    else if (kind === 'junk') t.raw('{"type":')
    else other(step, { t, ids, id, text, usage })
  }
  return t
}

/**
 * Random transcripts with branches, side notes, compactions (also on the provider's side), resets, leaf moves, failed
 * turns, and ids used twice.
 */
export const randomTranscripts: fc.Arbitrary<TranscriptBuilder> = fc
  .array(
    fc.record({
      kind: fc.constantFrom(
        'user',
        'answer',
        'answer',
        'tool',
        'tool',
        'compact',
        'branch',
        'reset',
        'leaf',
        'twice',
        'fail',
        'silent',
        'note',
        'junk',
        'server',
        'checkpoint',
      ),
      size: fc.nat(60),
      pick: fc.nat(1000),
    }),
    { minLength: 8, maxLength: 40 },
  )
  .map((steps) =>
    builtOf(steps, ({ kind, pick }, { t, ids, id, text, usage }) => {
      if (kind === 'silent') ids.push(t.assistant('NO_REPLY', { usage }))
      else if (kind === 'reset') ids.push(t.entry('reset', { firstKeptEntryId: id(pick) }))
      else if (kind === 'leaf' && pick % 4 === 0) t.entry('leaf', { targetId: id(pick) })
      else if (kind === 'twice' && pick % 8 === 0) t.user(text, { id: id(pick) })
      else if (kind === 'server') ids.push(t.assistant(text, { usage, ...openaiAnswer() }))
      else if (kind === 'checkpoint') {
        const calls = pick % 2 === 0 ? [] : [`c${pick}`]
        const answer = openaiAnswer(RECORDS[pick % RECORDS.length])
        const stop = pick % 13 === 0 ? 'error' : undefined
        ids.push(t.assistant(text, { usage, calls, stop, ...answer }))
        if (pick % 5 === 0) ids.push(t.result(`c${pick}`, text))
      } else if (kind === 'tool') {
        ids.push(t.assistant(text, { calls: [`c${pick}`], usage }))
        if (pick % 5 > 0) ids.push(t.result(`c${pick}`, text))
      } else ids.push(t.entry('custom', { customType: 'x' }))
    }),
  )
