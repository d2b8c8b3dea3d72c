import { describe, expect, it } from 'vitest'
import { checkpointRecord, openaiAnswer, summaryRecord } from '../../../testing/builders/checkpoint'
import { TranscriptBuilder, type UsageLine } from '../../../testing/builders/transcript'
import type { FrameSetup } from '../../tokens/build-frame'
import type { EntryFact } from '../entry'
import { SessionFold } from './fold'
import type { FoldStep } from './fold-step'
import { NO_TOTALS } from './fold-totals'

const SETUP: FrameSetup = { runtime: 'openclaw', hints: { index: null }, report: null }

/** What each entry led to, and the fold behind the last one. */
function folded(write: (t: TranscriptBuilder) => void, session = SessionFold.start(SETUP)) {
  const t = new TranscriptBuilder()
  write(t)
  const facts = t.facts()
  const steps: FoldStep[] = facts.map((fact) => session.push(fact))
  return { session, facts, steps, boundaries: steps.flatMap(({ boundary }) => boundary ?? []) }
}

const kinds = (steps: readonly FoldStep[]) => steps.map((step) => Object.keys(step).join('+'))

describe('X7 boundaries of a session', () => {
  it('say what their entry says, and after which call they come', () => {
    const { boundaries } = folded((t) => {
      t.user('one')
      t.assistant('two', { usage: { input: 50 } })
      t.compaction('All so far', 'e1', { tokensBefore: 900, tokensAfter: 80, fromHook: true })
      t.entry('reset', { reason: 'new day' })
    })
    const at = (second: number) => Date.UTC(2026, 10, 1, 8, 0, second)
    expect(boundaries).toEqual([
      {
        ...{ seq: 3, at: at(3), kind: 'compaction', afterCall: 1, tokensBefore: 900, tokensAfter: 80 },
        ...{ fromHook: true, midTask: false, preview: 'All so far', kept: { from: 1, to: 2 } },
      },
      {
        ...{ seq: 4, at: at(4), kind: 'reset', afterCall: 1, tokensBefore: null, tokensAfter: null },
        ...{ fromHook: false, midTask: false, preview: 'new day', kept: null },
      },
    ])
  })

  it('say whether the agent was in the middle of something', () => {
    const { boundaries } = folded((t) => {
      t.user('one')
      t.assistant('', { calls: ['a'] })
      t.compaction('s', 'e1')
      t.result('a', 'x')
      t.compaction('s', 'e1')
      t.assistant('done')
      t.compaction('s', 'e1')
    })
    expect(boundaries.map(({ midTask }) => midTask)).toEqual([true, true, false])
  })

  it('of the provider have the prompt of their call as size, and a preview where they can be read', () => {
    const anthropic = { model: 'claude-sonnet-4-5', fields: { api: 'anthropic-messages' } }
    const { boundaries } = folded((t) => {
      t.user('one')
      t.assistant('two', { usage: { input: 50, cacheRead: 5 }, ...openaiAnswer(checkpointRecord()) })
      t.assistant('three', {
        ...anthropic,
        fields: { ...anthropic.fields, providerReplay: summaryRecord('Ships.') },
      })
      t.assistant('four', openaiAnswer(checkpointRecord({ v: 2 })))
    })
    expect(
      boundaries.map(({ kind, tokensBefore, preview, afterCall }) => [
        kind,
        tokensBefore,
        preview,
        afterCall,
      ]),
    ).toEqual([
      ['provider', 55, null, 1],
      ['provider', null, 'Ships.', 2],
      ['provider', null, null, 3],
    ])
  })
})

describe('X7 what a boundary says', () => {
  it('is the first and the last entry that stay', () => {
    const { boundaries } = folded((t) => {
      for (const text of ['one', 'two', 'three', 'four']) t.user(text)
      t.compaction('s', 'e2')
      t.compaction('s', 'gone')
    })
    expect(boundaries.map(({ kept }) => kept)).toEqual([{ from: 2, to: 4 }, null])
  })

  it('is of a reset also where it has the id of a compaction', () => {
    const { steps } = folded((t) => {
      t.compaction('s', 'e1', { id: 'c' })
      t.entry('reset', { id: 'c' })
    })
    expect(kinds(steps)).toEqual(['', 'boundary', 'boundary'])
  })

  it('of a provider is in the middle of a task behind a result, in whatever pieces it is read', () => {
    const write = (t: TranscriptBuilder) => {
      t.user('one')
      t.assistant('', { ...openaiAnswer(), calls: ['a'] })
      t.result('a', 'x')
    }
    const { steps, facts } = folded((t) => {
      write(t)
      t.assistant('two', openaiAnswer(checkpointRecord()))
    })
    expect(steps[4]?.boundary).toMatchObject({ kind: 'provider', midTask: true })
    const resumed = SessionFold.resume(folded(write).session.snapshot(), SETUP)
    expect(resumed.push(facts[4] as EntryFact)).toEqual({ needsHistory: true })
  })

  it('of a provider may be on an entry that is no call', () => {
    const { fields } = openaiAnswer(checkpointRecord())
    const { steps } = folded((t) =>
      t.assistant('two', { fields: { ...fields, provider: 'openclaw', model: 'delivery-mirror' } }),
    )
    expect(kinds(steps)).toEqual(['', 'boundary'])
  })
})

describe('B4 the next call behind a compaction of the provider', () => {
  it('is sent its checkpoint, and the full history is larger', () => {
    const { session } = folded((t) => {
      t.user('Where is the ship? '.repeat(500))
      t.assistant('two', openaiAnswer(checkpointRecord()))
      t.user('three')
    })
    const [sent, full] = [session.next(), session.next('full')]
    expect(sent.total).toEqual(session.totals().context)
    expect(full.categories.user).toBeGreaterThan(1000)
    expect(sent.categories.user).toBeLessThan(10)
  })
})

describe('X3 what one entry leads to', () => {
  it('a frame for a call, a boundary for a compaction, nothing for all else', () => {
    const { steps } = folded((t) => {
      t.user('one')
      t.assistant('two')
      t.raw('{broken')
      t.entry('label', { targetId: 'e1' })
      t.compaction('s', 'e1', { id: 'c' })
      t.compaction('s', 'e1', { id: 'c' })
      t.assistant('x', openaiAnswer(checkpointRecord()))
      t.entry('leaf', { targetId: 'e1' })
    })
    expect(kinds(steps)).toEqual(['', '', 'frame', '', '', 'boundary', '', 'frame+boundary', ''])
  })

  it('B8 one more record of a response is marked, and no call', () => {
    const { steps, session } = folded((t) => {
      t.assistant('one', { fields: { responseId: 'r' } })
      t.assistant('two', { fields: { responseId: 'r' } })
    })
    expect(kinds(steps)).toEqual(['', 'frame', 'fact'])
    expect(steps[2]?.fact).toMatchObject({ id: 'e2', again: true })
    expect(session.totals().calls).toBe(1)
  })
})

describe('B5 our own count of a prompt', () => {
  const firstFrame = (usage: UsageLine) => {
    const { steps } = folded((t) => {
      t.user('Where is the ship? '.repeat(100))
      t.assistant('yes', { usage })
    })
    return steps[2]?.frame
  }

  it('is beside the reported size where that is smaller, and not where it is larger or equal', () => {
    const counted = firstFrame({ input: 10 })?.sent?.value ?? 0
    expect(counted).toBeGreaterThan(300)
    expect(firstFrame({ input: counted - 1 })?.sent?.value).toBe(counted)
    expect(firstFrame({ input: counted })?.sent).toBeNull()
    expect(firstFrame({ input: counted + 1 })?.sent).toBeNull()
    expect(firstFrame({})?.sent).toBeNull()
  })

  it('learns from each model for itself', () => {
    const { session } = folded((t) => {
      for (const model of ['a', 'b', 'a', 'b']) {
        t.user('Where is the ship? '.repeat(100))
        t.assistant('yes', { usage: { input: 9_000 }, model })
        t.user('Where is the quay? '.repeat(100))
        t.assistant('yes', { usage: { input: model === 'a' ? 10_000 : 20_000 }, model })
      }
    })
    const { calibrations } = session.snapshot()
    expect(Object.keys(calibrations).toSorted()).toEqual(['anthropic/a', 'anthropic/b'])
    expect(calibrations['anthropic/a']).not.toEqual(calibrations['anthropic/b'])
  })
})

describe('a fold that goes on', () => {
  const start = (t: TranscriptBuilder) => {
    t.user('one')
    t.assistant('two', { usage: { input: 50 } })
  }
  const resumed = () => SessionFold.resume(folded(start).session.snapshot(), SETUP)
  const fact = (fields: Partial<EntryFact>): EntryFact => ({
    ...{
      seq: 3,
      line: 4,
      offset: 0,
      bytes: 1,
      type: 'message',
      role: 'user',
      id: 'e3',
      parentId: 'e2',
      at: null,
    },
    ...fields,
  })

  it.each<[string, Partial<EntryFact>, boolean]>([
    ['an entry behind the leaf does not', {}, false],
    ['an entry on another branch does', { parentId: 'e1' }, true],
    ['one at the root does', { parentId: null }, true],
    ['a compaction does', { type: 'compaction' }, true],
    ['a reset does', { type: 'reset' }, true],
    ['a move of the leaf does', { type: 'leaf' }, true],
    [
      'a line that cannot be read and has no place does not',
      { type: 'unreadable', id: null, parentId: null },
      false,
    ],
    ['one that has a place elsewhere does', { type: 'unreadable', id: 'e3', parentId: 'e1' }, true],
    ['a second header does not', { type: 'session', id: null, parentId: null }, false],
  ])('says that it needs all entries where one reaches back: %s', (_name, fields, needs) => {
    expect(resumed().push(fact(fields)).needsHistory === true).toBe(needs)
  })

  it('version 1 is a line: its entries never reach back', () => {
    const old = new TranscriptBuilder({ version: 1 })
    old.user('one')
    const session = SessionFold.start(SETUP)
    for (const one of old.facts()) session.push(one)
    const again = SessionFold.resume(session.snapshot(), SETUP)
    expect(again.push(fact({ seq: 2, id: '#2', parentId: null })).needsHistory).toBeUndefined()
  })

  it('version 2 has branches: its entries reach back', () => {
    const old = new TranscriptBuilder({ version: 2 })
    old.user('one')
    old.user('two')
    const session = SessionFold.start(SETUP)
    for (const one of old.facts()) session.push(one)
    const again = SessionFold.resume(session.snapshot(), SETUP)
    expect(again.push(fact({ parentId: 'e1' })).needsHistory).toBe(true)
  })

  it('counts what is no message of anybody, and is sent all the same', () => {
    const note = { type: 'custom_message', role: 'custom', units: { other: 500 } } as const
    const session = SessionFold.start(SETUP)
    const before = session.next().total.value ?? 0
    session.push(fact({ seq: 1, parentId: null, ...note }))
    expect(session.next().total.value).toBeGreaterThan(before + 300)
    expect(session.next().categories.other).toBeGreaterThan(300)
  })

  it('goes on from the leaf, and an entry beside the branch does not move it', () => {
    const session = resumed()
    session.push(fact({ id: 's', side: true }))
    expect(session.snapshot().leafId).toBe('e2')
    session.push(fact({ id: 'e3' }))
    expect(session.snapshot().leafId).toBe('e3')
    expect(session.context()).toBeNull()
    expect(session.hasOnPath(1)).toBe(false)
  })

  it('goes on from where the leaf was moved to', () => {
    const moved = folded((t) => {
      start(t)
      t.entry('leaf', { targetId: 'e1' })
    }).session.snapshot()
    const { leafState } = folded((t) => t.user('one')).session.snapshot()
    expect(moved.leafId).toBe('e1')
    expect(moved.leafState).toEqual(leafState)
    const nowhere = folded((t) => {
      start(t)
      t.entry('leaf', { targetId: null })
    }).session.snapshot()
    expect([nowhere.leafId, nowhere.leafState.sums.messages]).toEqual([null, 0])
  })

  it('knows the way to its leaf, and the context of the next call', () => {
    const { session } = folded((t) => {
      start(t)
      t.user('left', { id: 'left' })
      t.user('taken', { parentId: 'e2' })
    })
    expect([1, 2, 3, 4].map((seq) => session.hasOnPath(seq))).toEqual([true, true, false, true])
    expect(session.context()?.map(({ fact: { id } }) => id)).toEqual(['e1', 'e2', 'e4'])
  })

  it('that begins late counts on from what was before, and is right from the next boundary on', () => {
    const { facts } = folded((t) => {
      start(t)
      t.compaction('Ships', 'e2')
      t.user('three')
    })
    const [header, first, ...rest] = facts as [EntryFact, EntryFact, ...EntryFact[]]
    const late = SessionFold.startLate(SETUP, header, {
      ...NO_TOTALS,
      sessionId: 's1',
      version: 3,
      entries: 10,
      calls: 4,
      turns: 3,
    })
    late.remember(first)
    late.remember(rest[0] as EntryFact)
    expect(late.totals()).toMatchObject({ entries: 12, calls: 5, turns: 4, input: 0 })
    for (const one of rest.slice(1)) late.push(one)
    const whole = SessionFold.start(SETUP)
    for (const one of facts) whole.push(one)
    expect(late.context()?.map(({ fact: { id } }) => id)).toEqual(['e3', 'e2', 'e4'])
    expect(late.next().categories.user).toBe(whole.next().categories.user)
  })

  it('B6 nothing is known of the context of a file in which nothing can be read', () => {
    const session = SessionFold.start(SETUP)
    session.push(fact({ type: 'unreadable', id: null, parentId: null, seq: 0 }))
    expect(session.totals().context).toEqual({ value: null, basis: 'unknown' })
    session.push(fact({ seq: 1, units: { user: 8 } }))
    expect(session.totals().context.basis).toBe('estimated')
  })

  it('the next call is of the model in use, at the leaf', () => {
    const { session } = folded((t) => {
      start(t)
      t.entry('model_change', { provider: 'openai', modelId: 'gpt-5' })
    })
    expect(session.next()).toMatchObject({ call: 2, seq: 4, provider: 'openai', model: 'gpt-5', at: null })
    expect(SessionFold.start(SETUP).next()).toMatchObject({ call: 1, seq: 0, provider: null, model: null })
  })
})
