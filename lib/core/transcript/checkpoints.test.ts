import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  checkpointRecord,
  OPENAI_ROUTE,
  openaiAnswer,
  retainedRecord,
  summaryRecord,
  suppressionRecord,
} from '../../testing/builders/checkpoint'
import { randomTranscripts } from '../../testing/builders/random-transcript'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { runs } from '../../testing/runs'
import { addToSums, EMPTY_SUMS } from '../tokens/context-sums'
import type { Frame } from '../tokens/frame'
import { Branches } from './branches'
import { contextAt } from './context'
import type { EntryFact } from './entry'
import { type CallRoute, routeHash } from './fold/call-route'
import { SessionFold } from './fold/fold'
import type { FoldBoundary } from './fold/fold-step'
import { sentOn } from './replay-state'

/** Some talk, an answer with a record, and two short turns. */
function talk(record: unknown, later = openaiAnswer()): TranscriptBuilder {
  const t = new TranscriptBuilder()
  for (let i = 0; i < 5; i++) {
    t.user(`Where is ship ${i}?`)
    t.assistant(`At quay ${i}.`, { usage: { input: 4000 + i, output: 5 }, ...openaiAnswer() })
  }
  t.user('And now?')
  t.assistant('All are in.', { usage: { input: 9000, output: 9 }, ...openaiAnswer(record) })
  for (let i = 0; i < 2; i++) {
    t.user(`Short question ${i}`)
    t.assistant('Yes.', { usage: { input: 1000 + i, output: 3 }, ...later })
  }
  return t
}

function nextOf(facts: readonly EntryFact[]): string[] {
  const branches = Branches.of(facts)
  return contextAt(branches, branches.leaf, 'openclaw').map(({ fact }) => fact.id ?? '')
}

const FROM_CHECKPOINT = ['e12', 'e13', 'e14', 'e15', 'e16']
const FULL = Array.from({ length: 16 }, (_, i) => `e${i + 1}`)

describe('B4 what is sent after a compaction on the provider side', () => {
  it('is the checkpoint, the rest of its message and all later messages', () => {
    expect(nextOf(talk(checkpointRecord()).facts())).toEqual(FROM_CHECKPOINT)
  })

  it('is the full history on any other way', () => {
    const foreign = [
      { provider: 'xai' },
      { api: 'azure-openai-responses' },
      { model: 'gpt-5' },
      { sessionHash: 'other' },
    ]
    for (const over of foreign) expect(nextOf(talk(checkpointRecord(over)).facts())).toEqual(FULL)
    const later = { model: 'gpt-5', fields: { provider: 'openai', api: 'openai-responses' } }
    expect(nextOf(talk(checkpointRecord(), later).facts())).toEqual(FULL)
    const own = talk(checkpointRecord({ sessionHash: routeHash('s1') }))
    expect(nextOf(own.facts())).toEqual(FROM_CHECKPOINT)
  })

  it('is what the last call, or the model that was chosen since, says; not what a user did', () => {
    const t = talk(checkpointRecord())
    t.user('And?')
    expect(nextOf(t.facts())).toEqual([...FROM_CHECKPOINT, 'e17'])
    t.entry('model_change', { provider: 'openai', modelId: 'gpt-5' })
    expect(nextOf(t.facts())).toEqual([...FULL, 'e17'])
    t.entry('model_change', { provider: 'openai', modelId: 'gpt-5.5' })
    expect(nextOf(t.facts())).toEqual([...FROM_CHECKPOINT, 'e17'])
  })

  it('is the newest of several checkpoints', () => {
    const t = talk(checkpointRecord())
    t.assistant('Later.', openaiAnswer(checkpointRecord()))
    t.user('And?')
    expect(nextOf(t.facts())).toEqual(['e17', 'e18'])
  })

  it('is one right behind a compaction of the runtime', () => {
    const t = new TranscriptBuilder()
    t.user('old')
    t.compaction('s', 'gone')
    t.assistant('Later.', openaiAnswer(checkpointRecord()))
    t.user('And?')
    expect(nextOf(t.facts())).toEqual(['e3', 'e4'])
  })

  it('is the full history where the record cannot be read, and says what is wrong with it', () => {
    const wrong: [unknown, string][] = [
      [checkpointRecord({ data: 7 }), 'data'],
      [checkpointRecord({ data: '' }), 'data'],
      [checkpointRecord({ v: 2 }), 'version'],
      [checkpointRecord({ replayIndex: -1 }), 'replayIndex'],
      [checkpointRecord({ baseUrlHash: undefined }), 'hashes'],
      [checkpointRecord({ provider: 'x'.repeat(600) }), 'provider'],
      [checkpointRecord({ type: 'something' }), 'type'],
      ['text', 'object'],
      [null, 'object'],
    ]
    for (const [record, word] of wrong) {
      const facts = talk(record).facts()
      expect(nextOf(facts), word).toEqual(FULL)
      expect(facts.map(({ problem }) => problem).filter(Boolean)).toEqual([expect.stringContaining(word)])
    }
  })

  it('a newer record that cannot be read hides an older one; one of an unknown type does not', () => {
    for (const [over, first] of [
      [{ data: 1 }, 'e1'],
      [{ type: 'unheard-of' }, 'e12'],
    ] as const) {
      const t = talk(checkpointRecord())
      t.assistant('Odd.', openaiAnswer(checkpointRecord(over)))
      expect(nextOf(t.facts())[0]).toBe(first)
    }
  })

  it('a refusal of the provider brings the full history back, one on another way does not', () => {
    for (const [over, expected] of [
      [{}, 'e1'],
      [{ model: 'gpt-5' }, 'e12'],
      [{ data: 'no' }, 'e12'],
    ] as const) {
      const t = talk(checkpointRecord())
      t.assistant('Hm.', openaiAnswer(suppressionRecord(over)))
      expect(nextOf(t.facts())[0]).toBe(expected)
    }
  })

  it('on a user message it is nothing, and said to be odd', () => {
    const t = new TranscriptBuilder()
    t.user('hi')
    t.message({ role: 'user', content: 'x', providerReplay: checkpointRecord() })
    const facts = t.facts()
    expect(nextOf(facts)).toEqual(['e1', 'e2'])
    expect(facts[2]).toMatchObject({ problem: expect.stringContaining('role user') })
  })

  it('a compaction or reset of the runtime ends it, also for what that keeps', () => {
    const t = talk(checkpointRecord())
    t.compaction('Everything so far.', 'e11')
    expect(nextOf(t.facts())).toEqual(['e17', 'e11', ...FROM_CHECKPOINT])
  })

  it('a complete window replaces all content of its message; one that cannot be read is not sent', () => {
    const whole = talk(retainedRecord(['Where is ship 0?', 'And now?'])).facts()
    expect(nextOf(whole)).toEqual(FROM_CHECKPOINT)
    expect(whole[12]?.checkpoint).toMatchObject({ kind: 'window', windowMessages: 2, covers: 1, rest: {} })
    const stale = talk(retainedRecord(['x'], { compactedWindow: { state: 'refresh-required' } })).facts()
    expect(nextOf(stale)).toEqual(FULL)
    expect(stale[12]?.checkpoint?.kind).toBe('stale')
  })

  it('results are sent whose call the checkpoint covers', () => {
    const t = new TranscriptBuilder()
    t.user('go')
    t.assistant('first', { calls: ['a'], ...openaiAnswer(checkpointRecord({ replayIndex: 2 })) })
    t.result('a', 'out')
    t.assistant('done', openaiAnswer())
    const branches = Branches.of(t.facts())
    const context = contextAt(branches, branches.leaf, 'openclaw')
    expect(context.map(({ fact, sent }) => [fact.id, sent])).toEqual([
      ['e2', true],
      ['e3', true],
      ['e4', true],
    ])
    expect(context[0]).toMatchObject({ replayed: true, fact: { units: { summary: expect.any(Number) } } })
    expect(context[0]?.fact.units).not.toHaveProperty('assistant')
  })
})

describe('B4 records are measured, not kept', () => {
  it('of 16 MiB of data only its size is', () => {
    const t = talk(checkpointRecord({ data: 'gAAA'.repeat(4 * 1024 * 1024) }))
    const fact = t.facts()[12]
    expect(JSON.stringify(fact).length).toBeLessThan(2000)
    expect(fact?.checkpoint).toMatchObject({ kind: 'prefix', chars: 16 * 1024 * 1024 })
    expect(nextOf(t.facts())).toEqual(FROM_CHECKPOINT)
  })

  it('a readable summary is kept as a preview, an encrypted one not at all', () => {
    const anthropic = { model: 'claude-sonnet-4-5', fields: { api: 'anthropic-messages' } }
    const t = talk(summaryRecord('The talk was about ships.'), anthropic)
    expect(t.facts()[12]?.checkpoint).toMatchObject({ text: 'The talk was about ships.' })
    expect(nextOf(t.facts())).toEqual(FROM_CHECKPOINT)
    expect(talk(checkpointRecord()).facts()[12]?.checkpoint).not.toHaveProperty('text')
  })
})

describe('B4 frames and lists', () => {
  const push = (facts: readonly EntryFact[]) => {
    const fold = SessionFold.start({ runtime: 'openclaw', hints: { index: null }, report: null })
    const frames: Frame[] = []
    const boundaries: FoldBoundary[] = []
    for (const fact of facts) {
      const { frame, boundary } = fold.push(fact)
      if (frame) frames.push(frame)
      if (boundary) boundaries.push(boundary)
    }
    return { fold, frames, boundaries, totals: fold.totals() }
  }

  it('it is a compaction of the kind provider, after the call that answered with it', () => {
    const { boundaries, totals } = push(talk(checkpointRecord()).facts())
    expect(boundaries).toMatchObject([
      { kind: 'provider', seq: 12, afterCall: 6, tokensBefore: 9000, preview: null },
    ])
    expect(totals.compactions).toBe(1)
  })

  it('the next call is expected to be small on the same way, and large on another', () => {
    const { fold, totals } = push(talk(checkpointRecord()).facts())
    expect(totals.context.value).toBeLessThan(1100)
    expect(fold.next('full').total.value).toBeGreaterThan(4000)
    const t = talk(checkpointRecord())
    t.entry('model_change', { provider: 'openai', modelId: 'gpt-5' })
    const other = push(t.facts()).fold
    expect(other.next().categories.user).toBe(other.next('full').categories.user)
    expect(other.next().categories.user).toBeGreaterThan(fold.next().categories.user ?? 0)
  })

  it('what the fold counts is what the context holds, on every way, after every entry of any transcript', () => {
    const { provider, api, model } = OPENAI_ROUTE
    const session = routeHash('s1') ?? null
    const routes: CallRoute[] = [
      { provider, api, model, hidden: null, session },
      { provider, api, model: 'gpt-5', hidden: null, session },
      { provider: 'anthropic', api: 'anthropic-messages', model: 'claude-sonnet-4-5', hidden: null, session },
    ]
    let replayed = 0
    fc.assert(
      fc.property(randomTranscripts, (t) => {
        const branches = new Branches()
        const fold = SessionFold.start({ runtime: 'openclaw', hints: { index: null }, report: null })
        for (const fact of t.facts()) {
          branches.add(fact)
          fold.push(fact)
          if (!branches.plain) return
          for (const route of routes) {
            const context = contextAt(branches, branches.leaf, 'openclaw', route)
            const sums = context.reduce(
              (all, { fact: one, sent, why }) => (sent || why === 'merged' ? addToSums(all, one) : all),
              EMPTY_SUMS,
            )
            expect(sentOn(fold.snapshot().leafState, route).state.sums).toEqual(sums)
            if (context[0]?.replayed) replayed += 1
          }
        }
      }),
      runs(100),
    )
    expect(replayed).toBeGreaterThan(60)
  })
})
