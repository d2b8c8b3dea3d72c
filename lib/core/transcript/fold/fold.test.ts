import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { builtOf } from '../../../testing/builders/random-transcript'
import { TranscriptBuilder } from '../../../testing/builders/transcript'
import { runs } from '../../../testing/runs'
import type { FrameSetup } from '../../tokens/build-frame'
import { CATEGORIES } from '../../tokens/category'
import { markCuts } from '../../tokens/cut-prompts'
import type { Frame } from '../../tokens/frame'
import { frameEntries } from '../../tokens/frame-entries'
import { listedWindow } from '../../tokens/listed-models'
import { Branches } from '../branches'
import { callEntries, contextOfCall } from '../context'
import type { EntryFact } from '../entry'
import { SessionFold } from './fold'

const SETUP: FrameSetup = { runtime: 'pi', hints: { index: null, listed: listedWindow }, report: null }
const LONG = 'The harbour master counts the barrels. '.repeat(60)

function fold(facts: readonly EntryFact[], setup: FrameSetup = SETUP) {
  const session = SessionFold.start(setup)
  const frames: Frame[] = []
  for (const fact of facts) {
    const { frame } = session.push(fact)
    if (frame !== undefined) frames.push(frame)
  }
  return { session, frames, totals: session.totals() }
}

function sum(frame: Frame): number {
  return CATEGORIES.reduce((all, category) => all + (frame.categories[category] ?? 0), 0)
}

describe('frames', () => {
  it('X3 every call has a frame that adds up to the reported prompt, residual included', () => {
    const t = new TranscriptBuilder()
    t.user(LONG)
    t.assistant('', { usage: { input: 3000, output: 60 }, calls: ['t1'] })
    t.result('t1', LONG)
    t.assistant('done', { usage: { input: 10, cacheRead: 3100, cacheWrite: 600, output: 5 } })
    const { frames } = fold(t.facts())
    expect(frames.map((f) => f.total)).toEqual([
      { value: 3000, basis: 'measured' },
      { value: 3710, basis: 'measured' },
    ])
    for (const frame of frames) expect(sum(frame)).toBe(frame.total.value)
    expect(frames[0]?.categories.residual).toBeGreaterThan(1000)
    expect(frames[1]?.categories['tool-result']).toBeGreaterThan(300)
  })

  it('X3 foresees the next call: numbered, as large as the context is now, divided like any other', () => {
    const t = new TranscriptBuilder()
    t.user(LONG)
    t.assistant('yes', { usage: { input: 3000, output: 60 } })
    t.user(LONG)
    const { session, totals } = fold(t.facts())
    const next = session.next()
    expect(next.call).toBe(2)
    expect(next.total).toEqual(totals.context)
    expect(next.total.basis).toBe('estimated')
    expect(sum(next)).toBe(next.total.value)
    expect(session.totals()).toEqual(totals)
  })

  it('keeps the inferred fixed part while the conversation grows', () => {
    const t = new TranscriptBuilder()
    let prompt = 5000
    for (let i = 0; i < 8; i++) {
      t.user(LONG)
      prompt += 500
      t.assistant('yes', { usage: { input: prompt, output: 2 } })
    }
    const residuals = fold(t.facts()).frames.map((f) => f.categories.residual ?? 0)
    expect(Math.max(...residuals) - Math.min(...residuals)).toBeLessThan(0.25 * Math.max(...residuals))
  })

  it('itemises the fixed part from the report of the runtime', () => {
    const report = {
      systemPromptChars: 20_000,
      projectContextChars: 4_000,
      skillsChars: 4_000,
      toolListChars: 0,
      toolSchemaChars: 8_000,
      files: [{ name: 'AGENTS.md', missing: false, rawChars: 4_000, injectedChars: 4_000, truncated: false }],
      skills: [],
      tools: [],
    }
    const t = new TranscriptBuilder()
    t.user('hello')
    t.assistant('hi', { usage: { input: 12_000, output: 2 } })
    const frame = fold(t.facts(), { ...SETUP, runtime: 'openclaw', report }).frames[0]
    for (const category of ['system-prompt', 'skills', 'tool-schemas', 'bootstrap-file'] as const) {
      expect(frame?.categories[category]).toBeGreaterThan(500)
      expect(frame?.basis[category]).toBe('estimated')
    }
  })

  it('trap: providers that report zeros are unknown, so the total is estimated, not 0', () => {
    const t = new TranscriptBuilder()
    t.user(LONG)
    t.assistant('x', { usage: {} })
    const { frames } = fold(t.facts())
    expect(frames[0]?.total.basis).toBe('estimated')
    expect(frames[0]?.total.value).toBeGreaterThan(1000)
    expect(frames[0]?.output).toEqual({ value: null, basis: 'unknown' })
  })

  it('trap: the partial usage of an aborted call neither anchors nor counts as a prompt', () => {
    const t = new TranscriptBuilder()
    t.user('one')
    t.assistant('ok', { usage: { input: 5000, output: 10 } })
    t.user('two')
    t.assistant('', { usage: { input: 40 }, stop: 'aborted' })
    t.user('three')
    t.assistant('ok', {})
    const { frames } = fold(t.facts())
    expect(frames[1]?.total).toMatchObject({ basis: 'estimated' })
    expect(frames[2]?.total.value).toBeGreaterThan(5000)
    expect(frames[2]?.total.value).toBeLessThan(5100)
  })

  it('a failed call whose whole prompt was reported is measured, one with a part of it is not; neither anchors', () => {
    const prompt = (input: number) => {
      const t = new TranscriptBuilder()
      t.user('one')
      t.assistant('ok', { usage: { input: 15_600, output: 90 } })
      t.user('two')
      t.assistant('', { usage: { input }, stop: 'error' })
      const { frames, totals } = fold(t.facts())
      expect(totals.context.basis).toBe('estimated')
      return frames[1]?.total
    }
    expect(prompt(15_713)).toEqual({ value: 15_713, basis: 'measured' })
    expect(prompt(40)).toMatchObject({ basis: 'estimated' })
  })

  it('input that is reported less the cache counts with its sign: the sum is what was sent', () => {
    const t = new TranscriptBuilder()
    t.user('one')
    t.assistant('ok', { usage: { input: -397, cacheRead: 81_593, output: 30 } })
    const { frames, totals } = fold(t.facts())
    expect(frames[0]?.total).toEqual({ value: 81_196, basis: 'measured' })
    expect(totals).toMatchObject({ input: -397, cacheRead: 81_593, context: { value: 81_226 } })
  })

  it('trap: usage from before the last compaction is not reused', () => {
    const t = new TranscriptBuilder()
    t.user(LONG.repeat(20))
    t.assistant('ok', { usage: { input: 20_000, output: 10 } })
    const kept = t.user('kept')
    t.compaction('short', kept)
    const { totals } = fold(t.facts())
    expect(totals.context.basis).toBe('estimated')
    expect(totals.context.value).toBeLessThan(12_000)
  })

  it('trap: a response recorded twice is one request: usage and cost count once', () => {
    const t = new TranscriptBuilder()
    t.user('one')
    const usage = { input: 100, output: 10, cost: 0.5 }
    t.assistant('a', { usage, fields: { responseId: 'r1' } })
    t.assistant('b', { usage, fields: { responseId: 'r1' } })
    t.user('two')
    t.assistant('c', { usage: { ...usage, input: 130 }, fields: { responseId: 'r2' } })
    const { totals, frames, session } = fold(t.facts())
    expect(totals).toMatchObject({ calls: 2, input: 230, output: 20, costUsd: 1 })
    expect(totals.days).toMatchObject([{ calls: 2 }])
    expect(frames.map(({ call, seq }) => [call, seq])).toEqual([
      [1, 2],
      [2, 5],
    ])
    expect(session.next().call).toBe(3)
  })

  it('B8 the parts of one response that come with their calls and results are one call', () => {
    const t = new TranscriptBuilder()
    t.user('one')
    const given = { usage: { input: 100, output: 50 }, fields: { responseId: 'r1' } }
    t.assistant('', { ...given, calls: ['t1'] })
    t.result('t1', LONG)
    t.assistant('', { ...given, calls: ['t2'] })
    t.result('t2', LONG)
    const facts = t.facts()
    const session = SessionFold.start(SETUP)
    const recorded = facts.map((fact) => session.push(fact).fact ?? fact)
    expect(callEntries(recorded)).toEqual([2])
    expect(session.totals()).toMatchObject({ calls: 1, input: 100, output: 50 })
    const resumed = SessionFold.start(SETUP)
    for (const fact of facts.slice(0, 4)) resumed.push(fact)
    const later = SessionFold.resume(JSON.parse(JSON.stringify(resumed.snapshot())), SETUP)
    expect(later.push(facts[4] as EntryFact).fact?.again).toBe(true)
  })

  it('B8 the same record of a compaction, written twice, is one compaction', () => {
    const t = new TranscriptBuilder()
    t.user('one')
    const kept = t.user('two')
    const id = t.compaction('short', kept)
    t.compaction('short', kept, { id })
    t.compaction('another', kept)
    const facts = t.facts()
    const session = SessionFold.start(SETUP)
    const boundaries = facts.flatMap((fact) => session.push(fact).boundary ?? [])
    expect(session.totals().compactions).toBe(2)
    expect(boundaries).toHaveLength(2)
  })

  it('B8 a response that was streamed in several records leads to the next prompt as one of one record', () => {
    const [first, second] = ['alpha beta '.repeat(400), 'gamma delta '.repeat(400)]
    const contextOf = (parts: readonly string[]) => {
      const t = new TranscriptBuilder()
      t.user(LONG)
      for (const text of parts)
        t.assistant(text, { usage: { input: 3000, output: 60 }, fields: { responseId: 'r1' } })
      t.user('next')
      return fold(t.facts(), { ...SETUP, runtime: 'openclaw' }).totals.context
    }
    expect(contextOf([first, second])).toEqual(contextOf([first + second]))
  })

  it('B5 a prompt that the provider cuts is what we count, in the window that is proved', () => {
    const t = new TranscriptBuilder()
    for (let i = 0; i < 40; i++) {
      t.user(`Read note ${i}. ${'cargo berth tide quay crane '.repeat(60)}`)
      t.assistant('Read.', {
        usage: { input: Math.min(4096, 900 + 420 * (i + 1)), output: 20 },
        model: 'llama3.2:3b',
      })
    }
    const facts = t.facts()
    const { frames, totals, session } = fold(facts)
    const cut = frames.filter(({ seenTokens }) => seenTokens !== null)
    expect(cut.length).toBeGreaterThan(28)
    expect(frames.slice(0, 8).every(({ seenTokens }) => seenTokens === null)).toBe(true)
    for (const frame of cut) {
      expect(frame.window).toMatchObject({ tokens: 4096, source: 'cut', believed: { source: 'default' } })
      expect(frame.total).toMatchObject({ basis: 'estimated' })
      expect(Math.abs(sum(frame) - (frame.total.value ?? 0))).toBeLessThanOrEqual(1)
    }
    const last = frames.at(-1)?.total.value ?? 0
    // Forty prompts grow by 420 tokens each.
    expect(last).toBeGreaterThan(15_000)
    expect(last).toBeLessThan(20_000)
    expect(totals.window).toMatchObject({ tokens: 4096, source: 'cut', believed: { source: 'default' } })
    expect(totals.context.value).toBeGreaterThan(last)
    expect(session.next().total.value).toBe(totals.context.value)
    const marked = markCuts(frames)
    expect(marked.filter(({ seenTokens }) => seenTokens !== null).length).toBeGreaterThan(cut.length)
    expect(marked.slice(0, 7)).toEqual(frames.slice(0, 7))
  })

  it('B5 trap: the same size without growth, and a size between failures, are no cuts', () => {
    const same = new TranscriptBuilder()
    for (let i = 0; i < 6; i++) {
      same.user('hi')
      same.assistant('ok', { usage: { input: 5000, output: 20 } })
    }
    const retried = new TranscriptBuilder()
    retried.user(LONG.repeat(30))
    for (let i = 0; i < 6; i++) {
      retried.assistant('', { usage: { input: 8192, output: 0 }, stop: i < 5 ? 'error' : 'stop' })
      retried.assistant('', { usage: { input: 8192, output: 1 } })
    }
    for (const t of [same, retried]) {
      const { frames, totals } = fold(t.facts())
      expect(markCuts(frames).every(({ seenTokens }) => seenTokens === null)).toBe(true)
      expect(totals.window.source).toBe('model')
    }
  })

  it('B5 a limit from the first call on is seen by what the conversation holds', () => {
    const t = new TranscriptBuilder()
    for (let i = 0; i < 6; i++) {
      t.user(LONG.repeat(16))
      t.assistant('ok', { usage: { input: 4096, output: 12 }, model: 'qwen3:8b' })
    }
    const { frames, totals } = fold(t.facts())
    expect(markCuts(frames).every(({ seenTokens }) => seenTokens === 4096)).toBe(true)
    expect(totals.context.value).toBeGreaterThan(40_000)
  })

  it('counts calls of other prompts apart, even where a proxy gives all its responses one id', () => {
    const t = new TranscriptBuilder()
    for (const input of [100, 220, 340]) {
      t.user('one')
      t.assistant('a', { usage: { input, output: 10 }, fields: { responseId: 'x' } })
    }
    expect(fold(t.facts()).totals).toMatchObject({ calls: 3, input: 660, output: 30 })
  })

  it('trap: lifetime sums are not the fill', () => {
    const t = new TranscriptBuilder()
    for (let i = 1; i <= 5; i++) {
      t.user('more')
      t.assistant('ok', { usage: { input: 1000 * i, output: 10 } })
    }
    const { totals } = fold(t.facts())
    expect(totals.input).toBe(15_000)
    expect(totals.context).toEqual({ value: 5010, basis: 'measured' })
  })

  it('trap: a model switched mid-session has its own window and no foreign anchor', () => {
    const t = new TranscriptBuilder()
    t.user('one')
    t.assistant('ok', { usage: { input: 5000, output: 10 }, model: 'claude-sonnet-4-5' })
    t.user('two')
    t.assistant('ok', { usage: {}, model: 'gpt-4o' })
    const { frames } = fold(t.facts())
    expect(frames.map((f) => f.window.tokens)).toEqual([200_000, 128_000])
    expect(frames[1]?.total).toMatchObject({ basis: 'estimated' })
  })

  it('B7 only a reported prompt proves a window: an estimate of the next one never does', () => {
    const t = new TranscriptBuilder()
    t.user('one')
    t.assistant('ok', { usage: { input: 184_915, output: 20 } })
    t.user(LONG.repeat(60))
    const { session, totals, frames } = fold(t.facts())
    expect(totals.context.value).toBeGreaterThan(200_000)
    expect(totals.window).toEqual({ tokens: 200_000, source: 'model' })
    expect(session.next().window).toEqual({ tokens: 200_000, source: 'model' })
    expect(frames[0]?.window).toEqual({ tokens: 200_000, source: 'model' })
  })

  it('B7 a window that a prompt has proved stays proved after a compaction, and of its model only', () => {
    const t = new TranscriptBuilder()
    t.user('one')
    t.assistant('ok', { usage: { input: 240_000, output: 20 } })
    const kept = t.user('two')
    t.compaction('short', kept)
    t.assistant('ok', { usage: { input: 9_000, output: 20 } })
    t.assistant('ok', { usage: { input: 9_000, output: 20 }, model: 'claude-opus-4-5' })
    t.assistant('failed', { usage: { input: 300_000, output: 20 }, stop: 'error' })
    const { totals, frames } = fold(t.facts())
    const proved = { tokens: 240_000, source: 'observed', believed: { tokens: 200_000, source: 'model' } }
    const listed = { tokens: 200_000, source: 'model' }
    expect(frames.map(({ window }) => window)).toEqual([proved, proved, listed, proved])
    expect(totals.window).toEqual(proved)
  })

  it('trap: the window of the index is never taken for usage', () => {
    const hints = { index: { tokens: 64_000, model: null } }
    const t = new TranscriptBuilder()
    t.user('one')
    const { totals } = fold(t.facts(), { ...SETUP, hints })
    expect(totals.window).toEqual({ tokens: 64_000, source: 'index' })
    expect(totals.context.value).toBeLessThan(10_000)
  })

  it('X6 an unknown price is counted as unknown, never as 0', () => {
    const t = new TranscriptBuilder()
    t.user('one')
    t.assistant('ok', { usage: { input: 1000, output: 10 }, model: 'nobody-knows-this-model' })
    const { totals } = fold(t.facts())
    expect(totals.costUsd).toBeNull()
    expect(totals.costUnknownCalls).toBe(1)
  })

  it('a list price is in no sum with what was recorded', () => {
    const t = new TranscriptBuilder()
    t.user('one')
    t.assistant('ok', { usage: { input: 100_000, output: 10, cost: 0.5 } })
    t.assistant('ok', { usage: { input: 100_000, output: 10 } })
    const { totals } = fold(t.facts())
    expect(totals).toMatchObject({ costUsd: 0.5, costUnknownCalls: 1 })
  })

  it('a measured context stays measured until something new comes in', () => {
    const t = new TranscriptBuilder()
    t.user('one')
    t.assistant('ok', { usage: { input: 5000, output: 10 } })
    expect(fold(t.facts()).totals.context).toEqual({ value: 5010, basis: 'measured' })
    t.user('two')
    const later = fold(t.facts()).totals.context
    expect(later.basis).toBe('estimated')
    expect(later.value).toBeGreaterThan(5010)
  })
})

/** Random transcripts with branches, compactions, resets, failed turns and missing usage. */
const transcripts = fc
  .array(
    fc.record({
      kind: fc.constantFrom('user', 'answer', 'tool', 'compact', 'branch', 'reset', 'fail', 'note', 'junk'),
      size: fc.nat(400),
      pick: fc.nat(1000),
    }),
    { maxLength: 40 },
  )
  .map((steps) =>
    builtOf(steps, ({ kind, pick }, { t, ids, text, usage }) => {
      if (kind === 'reset') ids.push(t.entry('reset', { reason: 'new' }))
      else if (kind === 'note') ids.push(t.entry('custom', { customType: 'x' }))
      else {
        ids.push(t.assistant('', { calls: [`c${pick}`], usage }))
        ids.push(t.result(`c${pick}`, text))
      }
    }),
  )

describe('invariants', () => {
  it('conservation: categories add up to the total, and entries to their categories', () => {
    fc.assert(
      fc.property(transcripts, (t) => {
        const facts = t.facts()
        const branches = Branches.of(facts)
        for (const frame of fold(facts).frames) {
          expect(sum(frame)).toBe(frame.total.value)
          const entries = frameEntries(contextOfCall(branches, frame.seq, 'pi'), frame, 'pi')
          const fromEntries = entries.reduce((all, e) => all + e.tokens, 0)
          const beside =
            (frame.categories.residual ?? 0) +
            (frame.categories['system-prompt'] ?? 0) +
            (frame.categories['tool-schemas'] ?? 0)
          expect(fromEntries + beside).toBe(frame.total.value)
          for (const e of entries) expect(e.tokens).toBeGreaterThanOrEqual(0)
        }
      }),
      runs(80),
    )
  })

  it('going on from snapshots gives the same frames as one go', () => {
    fc.assert(
      fc.property(transcripts, fc.array(fc.boolean(), { maxLength: 60 }), (t, cuts) => {
        const facts = t.facts()
        const whole = fold(facts)
        let session = SessionFold.start(SETUP)
        const frames: Frame[] = []
        facts.forEach((fact, i) => {
          if (cuts[i]) session = SessionFold.resume(JSON.parse(JSON.stringify(session.snapshot())), SETUP)
          let step = session.push(fact)
          if (step.needsHistory) {
            session = SessionFold.start(SETUP)
            for (const earlier of facts.slice(0, i)) session.push(earlier)
            step = session.push(fact)
          }
          if (step.frame !== undefined) frames.push(step.frame)
        })
        expect(frames).toEqual(whole.frames)
        expect(session.totals()).toEqual(whole.totals)
      }),
      runs(80),
    )
  })
})
