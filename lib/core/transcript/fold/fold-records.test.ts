import { describe, expect, it } from 'vitest'
import type { FrameSetup } from '../../tokens/build-frame'
import type { Frame } from '../../tokens/frame'
import type { EntryFact, Usage } from '../entry'
import type { Sender } from '../send-rules'
import { SessionFold } from './fold'
import type { FoldStep } from './fold-step'
import { NO_TOTALS } from './fold-totals'

type Fields = Partial<EntryFact>

const setupOf = (runtime: Sender): FrameSetup => ({ runtime, hints: { index: null }, report: null })
const CLAUDE = setupOf('claude-code')
const CODEX = setupOf('codex')

const usage = (input: number, output: number, more: Partial<Usage> = {}): Usage => ({
  ...{ input, output, cacheRead: 0, cacheWrite: 0, costUsd: null },
  ...more,
})
const asked = (more: Fields = {}): Fields => ({ role: 'user', units: { user: 30 }, preview: 'Look', ...more })
const answered = (more: Fields = {}): Fields => ({
  ...{ role: 'assistant', provider: 'anthropic', model: 'm', stopReason: 'stop', units: { assistant: 40 } },
  ...more,
})
const result = (resultFor: string, more: Fields = {}): Fields => ({
  ...{ role: 'toolResult', resultFor, units: { 'tool-result': 200 } },
  ...more,
})
const calling = (id: string): Fields => ({ calls: [{ id, name: 'read' }], units: { 'tool-call': 20 } })
const reported = (more: Fields): Fields => ({ type: 'usage', ...more })

/** A header, and entries each of which is behind the one before it unless it says otherwise: `e1`, `e2` … */
function factsOf(entries: readonly Fields[]): EntryFact[] {
  const header: Fields = { type: 'session', id: null, header: { version: 3, sessionId: 's', joins: true } }
  let last: string | null = null
  return [header, ...entries].map((fields, seq): EntryFact => {
    const fact: EntryFact = {
      ...{ seq, line: seq + 1, offset: seq, bytes: 1, type: 'message', id: `e${seq}`, parentId: last },
      ...{ at: Date.UTC(2026, 10, 1, 8, 0, seq) },
      ...fields,
    }
    if (!fact.side) last = fact.id
    return fact
  })
}

function folded(setup: FrameSetup, ...entries: readonly Fields[]) {
  const session = SessionFold.start(setup)
  const steps = factsOf(entries).map((fact) => session.push(fact))
  const frames = new Map<number, Frame>()
  for (const { frame, amended } of steps) {
    const known = frame ?? amended?.frame
    if (known !== undefined) frames.set(known.call, known)
  }
  return { session, steps, frames: [...frames.values()], totals: session.totals(), next: session.next() }
}

const kinds = (steps: readonly FoldStep[]) => steps.map((step) => Object.keys(step).join('+'))
const contextOf = (session: SessionFold) =>
  session.context()?.map(({ fact: { seq, role } }) => `${role} ${seq}`)

/** Sessions of both kinds, with all that their runtimes write. */
const TALK: readonly Fields[] = [
  asked(),
  answered({ requestId: 'r1', usage: usage(1000, 1, { outputUnsure: true }), stopReason: undefined }),
  answered({ requestId: 'r1', ...calling('a'), usage: usage(1000, 60), stopReason: 'toolUse' }),
  result('a'),
  answered({ requestId: 'r2', usage: usage(1300, 12) }),
]
const COPIED: readonly Fields[] = [...TALK, { ...asked(), parentId: null }, ...TALK.slice(1)]
const REPLACED: readonly Fields[] = [
  ...TALK,
  answered({
    ...{ requestId: 'r2', id: 'e5', parentId: 'e4', usage: usage(1300, 90) },
    units: { assistant: 300 },
  }),
  asked({ preview: 'And now?' }),
]
const REPEATED: readonly Fields[] = [
  ...TALK,
  { ...asked(), id: 'e1', parentId: null },
  { ...answered({ requestId: 'r2', usage: usage(1300, 12) }), id: 'e5', parentId: 'e4' },
  asked({ preview: 'And now?', parentId: 'e5' }),
]
const AGENTS: readonly Fields[] = [
  ...TALK,
  reported({ side: true, requestId: 's1', usage: usage(500, 5), model: 'small' }),
  reported({ side: true, requestId: 's1', usage: usage(500, 50), model: 'small' }),
  reported({ side: true, usage: null }),
  reported({ side: true, usage: usage(7, 1) }),
  asked(),
]
const REPORTED: readonly Fields[] = [
  asked({ fixed: { system: 400, tools: 100 } }),
  answered({ ...calling('a'), stopReason: 'toolUse' }),
  reported({ usage: usage(1000, 60), billed: 1060, window: 90_000 }),
  reported({ usage: usage(1000, 60), billed: 1060 }),
  result('a'),
  answered({ model: undefined, provider: undefined }),
  answered({ model: undefined, provider: undefined, units: { thinking: 9 } }),
  reported({ usage: usage(1300, 12), billed: 2372 }),
  { type: 'compaction', firstKeptEntryId: 'e5', preview: 'All of it' },
  reported({ usage: usage(1400, 300), billed: 4072 }),
  asked(),
]
const REPORTED_FIRST: readonly Fields[] = [
  { type: 'model_change', provider: 'openai', model: 'n' },
  asked(),
  reported({ usage: usage(1000, 60) }),
  answered({ ...calling('a'), model: undefined, provider: undefined }),
  result('a'),
  reported({ usage: usage(1300, 12) }),
  answered({ model: undefined, provider: undefined }),
  asked(),
]
/** Its first record is written once more behind its results. */
const REPLACED_LATER: readonly Fields[] = [
  ...TALK.slice(0, 4),
  answered({
    ...{ requestId: 'r1', id: 'e2', parentId: 'e1', usage: usage(1000, 60) },
    units: { assistant: 90 },
  }),
  asked({ preview: 'And now?' }),
]

describe('B8 a response that is written in several records', () => {
  it('is one call, of which more is known with each of them', () => {
    const { steps, totals, frames } = folded(CLAUDE, ...TALK)
    expect(kinds(steps)).toEqual(['', '', 'frame', 'amended+fact', 'fact', 'frame'])
    expect(totals).toMatchObject({ calls: 2, input: 2300, output: 72, turns: 1 })
    expect(steps[3]).toMatchObject({
      amended: { fact: { seq: 2, calls: [{ id: 'a' }], usage: { output: 60 } }, frame: frames[0] as Frame },
      fact: { seq: 3, again: true },
    })
    expect(frames[0]).toMatchObject({
      ...{ call: 1, seq: 2, total: { value: 1000, basis: 'measured' }, stopReason: 'toolUse' },
      output: { value: 60, basis: 'measured' },
    })
    expect(steps[4]?.fact?.toolName).toBe('read')
  })

  it('leads to what one record of it all would lead to', () => {
    const whole = answered({
      ...{
        requestId: 'r1',
        usage: usage(1000, 60),
        stopReason: 'toolUse',
        calls: [{ id: 'a', name: 'read' }],
      },
      units: { assistant: 40, 'tool-call': 20 },
    })
    const inOne = folded(CLAUDE, asked(), whole, ...TALK.slice(3))
    const { frames, next, totals } = folded(CLAUDE, ...TALK)
    const [, second] = inOne.frames
    expect(frames[1]).toEqual({ ...second, seq: 5, at: frames[1]?.at })
    expect(next).toEqual({ ...inOne.next, seq: next.seq })
    expect(totals.days).toEqual(inOne.totals.days)
    expect([totals.context, totals.trend]).toEqual([inOne.totals.context, inOne.totals.trend])
  })

  it('is judged anew where a later record reports another prompt, and is no news where none says more', () => {
    const more = answered({ requestId: 'r1', usage: usage(1100, 60) })
    const { steps, frames, next } = folded(CLAUDE, asked(), answered({ requestId: 'r1' }), more, more)
    expect(kinds(steps)).toEqual(['', '', 'frame', 'amended+fact', 'fact'])
    expect(frames[0]).toMatchObject({ call: 1, total: { value: 1100, basis: 'measured' } })
    expect(next.total.value).toBe(1160)
  })

  it.each<[string, Fields, object]>([
    ['of its answer', { usage: usage(1000, 90) }, { output: { value: 90 }, stopReason: 'stop' }],
    ['of why it ended', { stopReason: 'length' }, { output: { value: 60 }, stopReason: 'length' }],
  ])('is the same call of which more is known: %s', (_what, more, expected) => {
    const first = answered({ requestId: 'r1', usage: usage(1000, 60) })
    const { steps, frames, next, totals } = folded(CLAUDE, asked(), first, { ...first, ...more, at: 0 })
    expect(kinds(steps).at(-1)).toBe('amended+fact')
    expect(frames[0]).toMatchObject({ ...expected, call: 1, total: { value: 1000 } })
    expect(next.total.value).toBe(1000 + (frames[0]?.output.value ?? 0))
    expect(totals.output).toBe(frames[0]?.output.value)
  })

  it('goes on with results of its calls beside each other, which all are in the context', () => {
    const { session, totals } = folded(
      CLAUDE,
      ...[asked(), answered({ requestId: 'r1', ...calling('a'), usage: usage(900, 50) })],
      answered({ requestId: 'r1', ...calling('b'), usage: usage(900, 50) }),
      result('b'),
      result('a', { parentId: 'e2' }),
      answered({ requestId: 'r2', usage: usage(1200, 9) }),
    )
    expect(contextOf(session)).toEqual([
      ...['user 1', 'assistant 2', 'assistant 3', 'toolResult 4', 'toolResult 5', 'assistant 6'],
    ])
    expect(totals).toMatchObject({ calls: 2, input: 2100 })
  })
})

describe('B8 what is in the window beside a response in several records', () => {
  const first = answered({ requestId: 'r1', ...calling('a'), usage: usage(900, 50) })
  const second = answered({ requestId: 'r1', ...calling('b'), usage: usage(900, 50) })

  it('is the same whether results are between its records or behind them', () => {
    const between = folded(CLAUDE, asked(), first, result('a'), { ...second, parentId: 'e2' }, result('b'))
    const behind = folded(CLAUDE, asked(), first, second, result('a'), result('b'))
    expect(between.next).toEqual(behind.next)
  })

  it('is nothing of an answer whose size was not reported but its own', () => {
    const before = [asked(), answered({ requestId: 'r0', usage: usage(1000, 10) }), asked()]
    const [silent, ended] = [
      answered({ requestId: 'r2' }),
      answered({ requestId: 'r2', stopReason: 'length' }),
    ]
    const twice = folded(CLAUDE, ...before, silent, { ...ended, units: {} })
    const once = folded(CLAUDE, ...before, ended)
    expect(twice.next.total).toEqual(once.next.total)
    expect(kinds(folded(CLAUDE, asked(), silent, silent).steps)).toEqual(['', '', 'frame', 'fact'])
  })
})

describe('B8 what a file holds once more', () => {
  it('under other ids is in the context and was counted', () => {
    const [once, twice] = [folded(CLAUDE, ...TALK), folded(CLAUDE, ...COPIED)]
    const { entries: _, turns, updatedAt: __, ...counted } = once.totals
    expect(twice.totals).toMatchObject({ ...counted, turns: turns + 1, days: once.totals.days })
    expect(kinds(twice.steps.slice(6))).toEqual(['', 'fact', 'fact', 'fact', 'fact'])
    expect(twice.steps[9]?.fact).toMatchObject({ copied: true, toolName: 'read' })
    expect(twice.totals.tools).toEqual(once.totals.tools)
    expect(contextOf(twice.session)).toEqual([
      ...['user 6', 'assistant 7', 'assistant 8', 'toolResult 9', 'assistant 10'],
    ])
    expect(twice.next.total).toEqual(once.next.total)
  })

  it('under other ids leads to the same next prompt behind each response', () => {
    for (const records of [3, 5]) {
      const begun = folded(CLAUDE, ...TALK.slice(0, records))
      const again = folded(CLAUDE, ...TALK, { ...asked(), parentId: null }, ...TALK.slice(1, records))
      expect(again.next.total.value, `${records}`).toBe(begun.next.total.value)
    }
    for (const given of [{ usage: usage(1000, 3000) }, {}]) {
      const begun = [
        asked(),
        answered({ requestId: 'r1', ...given }),
        answered({ requestId: 'r1', ...given }),
      ]
      const again = folded(CLAUDE, ...begun, { ...asked(), parentId: null }, ...begun.slice(1))
      const { overhead, sums } = folded(CLAUDE, ...begun).session.snapshot().leafState
      const { units, known } = sums
      expect(again.session.snapshot().leafState).toMatchObject({ overhead, sums: { units, known } })
    }
    const { steps } = folded(CLAUDE, ...COPIED)
    expect(steps.slice(7).map(({ fact }) => [fact?.copied, fact?.again])).toEqual([
      [true, undefined],
      [true, true],
      [true, undefined],
      [true, undefined],
    ])
  })

  it('under the same id and in the same words has no part in anything', () => {
    const { steps, totals, session } = folded(CLAUDE, ...REPEATED)
    expect(kinds(steps.slice(6))).toEqual(['fact', 'fact', ''])
    expect(steps[6]?.fact).toMatchObject({ id: null, customType: 'repeated', side: true })
    expect(totals).toMatchObject({ calls: 2, turns: 2, input: 2300, output: 72, entries: 9 })
    expect(contextOf(session)?.at(-2)).toBe('assistant 5')
  })

  it('under the same id in other words is in its place', () => {
    const { totals, session, next, frames } = folded(CLAUDE, ...REPLACED)
    expect(totals).toMatchObject({ calls: 2, input: 2300, output: 150 })
    expect(contextOf(session)).toEqual([
      ...['user 1', 'assistant 2', 'assistant 3', 'toolResult 4', 'assistant 6', 'user 7'],
    ])
    expect(frames[1]?.output.value).toBe(90)
    const direct = folded(CLAUDE, ...REPLACED.filter((_, i) => i !== 4))
    expect(next.total).toEqual(direct.next.total)
    expect(next.categories).toEqual(direct.next.categories)
  })

  it('is counted by another runtime, which does not write its lines again', () => {
    expect(folded(CODEX, ...COPIED).totals.calls).toBe(4)
    expect(folded(CODEX, ...REPEATED).totals).toMatchObject({ calls: 2, turns: 3 })
  })

  it('is no copy where it goes on at the leaf: ids of requests may come again', () => {
    const again = [asked(), answered({ requestId: 'r1', usage: usage(1500, 7) })]
    expect(folded(CLAUDE, ...TALK, ...again).totals).toMatchObject({ calls: 3, input: 3800 })
  })

  it('has no part in what a fold that begins late remembers', () => {
    const facts = factsOf(REPEATED)
    const late = SessionFold.startLate(CLAUDE, facts[0] as EntryFact, NO_TOTALS)
    for (const fact of facts.slice(1)) late.remember(fact)
    expect(late.totals()).toMatchObject({ calls: 2, turns: 2, entries: 8 })
    expect(contextOf(late)?.at(-2)).toBe('assistant 5')
    const replaced = SessionFold.startLate(CLAUDE, facts[0] as EntryFact, NO_TOTALS)
    for (const fact of factsOf(REPLACED).slice(1)) replaced.remember(fact)
    expect(contextOf(replaced)?.at(-2)).toBe('assistant 6')
  })

  it('is no copy where the user went back: what is answered there is a call', () => {
    const back = folded(
      CLAUDE,
      ...[...TALK, asked({ parentId: 'e1' }), asked({ parentId: 'e1' })],
      answered({ requestId: 'r3', usage: usage(1100, 9) }),
    )
    expect(back.totals).toMatchObject({ calls: 3, input: 3400, output: 81 })
  })
})

describe('reports on usage that are entries', () => {
  it('behind a call are of it, and those that repeat one are not counted', () => {
    const { steps, totals, frames } = folded(CODEX, ...REPORTED)
    expect(kinds(steps)).toEqual([
      '',
      '',
      'frame',
      'amended',
      '',
      'fact',
      'frame+fact',
      'fact',
      'amended',
      'boundary',
      '',
      '',
    ])
    expect(frames.map(({ total, output }) => [total.value, output.value])).toEqual([
      [1000, 60],
      [1300, 12],
    ])
    expect(totals).toMatchObject({ calls: 2, input: 3700, output: 372, model: 'm', provider: 'anthropic' })
    expect(totals.besides).toMatchObject({ calls: 1, input: 1400, output: 300 })
  })

  it('before a call are of that one, where the first of them is', () => {
    const { totals, frames, steps } = folded(CODEX, ...REPORTED_FIRST)
    expect(kinds(steps)).toEqual(['', '', '', '', 'frame+fact', 'fact', '', 'frame+fact', ''])
    expect(frames.map(({ total }) => total.value)).toEqual([1000, 1300])
    expect(totals).toMatchObject({ calls: 2, input: 2300, model: 'n', besides: { calls: 0 } })
  })

  it('lead to what a report within the answer would lead to', () => {
    const within = folded(CODEX, asked(), answered({ ...calling('a'), usage: usage(1000, 60) }), result('a'))
    const behind = folded(
      CODEX,
      ...[asked(), answered(calling('a')), reported({ usage: usage(1000, 60) }), result('a')],
    )
    expect(behind.next).toEqual({ ...within.next, seq: 5 })
    expect(behind.totals.days).toEqual(within.totals.days)
  })

  it('behind a call end it, and behind a compaction are of the request for that', () => {
    const report = reported({ usage: usage(1000, 60) })
    expect(folded(CODEX, asked(), answered(), report, answered()).totals.calls).toBe(2)
    const compaction: Fields = { type: 'compaction', firstKeptEntryId: 'e1' }
    const { totals, frames } = folded(CODEX, asked(), answered(), compaction, report)
    expect(totals.besides).toMatchObject({ calls: 1, input: 1000 })
    expect(frames[0]?.total.basis).toBe('estimated')
  })

  it('lead to what reports within answers would lead to, also of prompts that the provider cuts', () => {
    const cut = usage(4096, 12)
    const turns = [1, 2, 3, 4].map((turn) => asked({ units: { user: 20_000 * turn } }))
    const within = folded(CODEX, ...turns.flatMap((turn) => [turn, answered({ usage: cut })]))
    const behind = folded(CODEX, ...turns.flatMap((turn) => [turn, answered(), reported({ usage: cut })]))
    expect(within.frames.at(-1)?.seenTokens).toBe(4096)
    const { leafState } = behind.session.snapshot()
    expect(leafState.anchor?.total).toBe(within.session.snapshot().leafState.anchor?.total)
    expect(behind.frames.map(({ total, seenTokens }) => [total, seenTokens])).toEqual(
      within.frames.map(({ total, seenTokens }) => [total, seenTokens]),
    )
    expect(behind.next.total).toEqual(within.next.total)
  })

  it('of sub-agents in the file are beside the calls, each request once', () => {
    const { totals, session, steps, next } = folded(CLAUDE, ...AGENTS)
    expect(totals).toMatchObject({ calls: 2, input: 2807, output: 123 })
    expect(totals.besides).toMatchObject({ calls: 2, input: 507, output: 51 })
    expect(totals.days.map(({ model, calls, input }) => [model, calls, input])).toEqual([
      ...[
        ['m', 2, 2300],
        ['small', 0, 500],
        ['unknown', 0, 7],
      ],
    ])
    expect(kinds(steps.slice(6))).toEqual(['', '', '', '', ''])
    expect(contextOf(session)?.at(-1)).toBe('user 10')
    expect(next.call).toBe(3)
  })

  it('and entries say how large the window is, and what is before the conversation', () => {
    const { next, frames, totals } = folded(CODEX, ...REPORTED)
    expect(frames.map(({ window: { tokens, source } }) => [tokens, source])[1]).toEqual([90_000, 'catalogue'])
    expect([next.window.tokens, totals.window.tokens]).toEqual([90_000, 90_000])
    expect(next.categories['tool-schemas']).toBeGreaterThan(50)
    expect(folded(CODEX, asked()).next.categories['tool-schemas']).toBeUndefined()
  })
})

describe('a fold that goes on from a snapshot', () => {
  it('remembers records only of a runtime that writes several of a response', () => {
    const talk = [
      asked(),
      answered(),
      { type: 'compaction', firstKeptEntryId: 'e1' } as const,
      asked({ parentId: 'e1' }),
    ]
    expect(folded(setupOf('pi'), ...talk).session.snapshot()).not.toHaveProperty('records')
    expect(folded(CODEX, ...talk).session.snapshot()).toHaveProperty('records')
  })

  it('goes on where it was behind a line that cannot be read', () => {
    const facts = factsOf([...TALK, { type: 'unreadable', id: null }, asked({ parentId: 'e5' })])
    const first = SessionFold.start(CLAUDE)
    for (const one of facts.slice(0, 6)) first.push(one)
    const later = SessionFold.resume(first.snapshot(), CLAUDE)
    expect(later.push(facts[6] as EntryFact)).toEqual({})
    expect(later.push(facts[7] as EntryFact)).toEqual({})
  })

  it('takes a record whose response came before it began into the context, and not as a call', () => {
    const [header, ...facts] = factsOf([asked(), answered({ again: true, ...calling('a') }), result('a')])
    const late = SessionFold.startLate(CLAUDE, header as EntryFact, NO_TOTALS)
    expect(kinds(facts.map((fact) => late.push(fact)))).toEqual(['', '', ''])
    expect(late.totals().calls).toBe(0)
    expect(late.next().categories).toMatchObject({ 'tool-result': expect.any(Number) })
    expect(late.next().categories['tool-call']).toBeUndefined()
  })

  /** What becomes of a session whose fold was written down before the entry `cut`. */
  function inPieces(setup: FrameSetup, facts: readonly EntryFact[], cut: number) {
    let fold = SessionFold.start(setup)
    const steps = facts.map((fact, i) => {
      if (i === cut) fold = SessionFold.resume(JSON.parse(JSON.stringify(fold.snapshot())), setup)
      const step = fold.push(fact)
      if (!step.needsHistory) return step
      fold = SessionFold.start(setup)
      for (const earlier of facts.slice(0, i)) fold.push(earlier)
      return fold.push(fact)
    })
    return { steps, totals: fold.totals(), next: fold.next() }
  }

  it.each<[string, FrameSetup, readonly Fields[]]>([
    ['a talk', CLAUDE, TALK],
    ['copies', CLAUDE, COPIED],
    ['lines that count in the place of others', CLAUDE, REPLACED],
    ['a line that counts in the place of one before results', CLAUDE, REPLACED_LATER],
    ['lines that are repeated', CLAUDE, REPEATED],
    ['sub-agents', CLAUDE, AGENTS],
    ['reports', CODEX, REPORTED],
    ['reports before calls', CODEX, REPORTED_FIRST],
  ])('says the same of %s, wherever it stopped', (_what, setup, entries) => {
    const facts = factsOf(entries)
    const whole = inPieces(setup, facts, 0)
    for (let cut = 1; cut < facts.length; cut++) expect(inPieces(setup, facts, cut)).toEqual(whole)
  })

  it.each<[string, readonly Fields[], Fields, boolean]>([
    ['results of its calls beside each other', TALK.slice(0, 3), result('a', { parentId: 'e2' }), false],
    ['a result of another call elsewhere', TALK.slice(0, 3), result('b', { parentId: 'e2' }), true],
    ['a line of a sub-agent', TALK, reported({ side: true, parentId: 'e1', usage: usage(1, 1) }), false],
    ['a question on another branch', TALK, asked({ parentId: 'e1' }), true],
    ['a result behind a compaction', [...TALK, { type: 'compaction', parentId: null }], result('z'), false],
    [
      'a result behind a place that was gone back to',
      [...TALK, asked({ parentId: 'e1' })],
      result('z'),
      true,
    ],
    ['a question behind such a place', [...TALK, asked({ parentId: 'e1' })], asked(), false],
  ])('needs no more than that for what goes on where it is: %s', (_what, before, fact, needs) => {
    const facts = factsOf([...before, fact])
    const first = SessionFold.start(CLAUDE)
    for (const one of facts.slice(0, -1)) first.push(one)
    const later = SessionFold.resume(first.snapshot(), CLAUDE)
    expect(later.push(facts.at(-1) as EntryFact).needsHistory === true).toBe(needs)
  })
})
