import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compactionPlan, withRecord } from '../../testing/builders/compaction-plan'
import { messagesOfContext } from '../../testing/builders/messages-of-context'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { CORPUS, transcriptFiles } from '../../testing/corpus'
import { findUnpaired } from '../history/pairing'
import type { Policy } from '../policy/policy'
import { PRESETS, type PresetName } from '../policy/presets'
import { resolvePolicy } from '../policy/resolve'
import { digestBudget } from '../summary/digest'
import { makePlan } from './make-plan'

const preset = (name: PresetName) =>
  resolvePolicy([{ level: 'preset', label: name, patch: PRESETS[name] }]).policy

const openclaw = preset('openclaw')
const small = (keepRecentTokens: number): Policy => ({
  ...openclaw,
  compaction: { ...openclaw.compaction, keepRecentTokens },
})

/** Turns with a call and a result of some length each. */
function story(turns: number, chars = 2_000): TranscriptBuilder {
  const builder = new TranscriptBuilder()
  for (let i = 0; i < turns; i++) {
    builder.user(`Please do part ${i}. ${'word '.repeat(chars / 20)}`)
    builder.assistant('', { calls: [`c${i}`], usage: { input: 400 + (i * chars) / 3, output: 20 } })
    builder.result(`c${i}`, 'x '.repeat(chars / 2))
    builder.assistant(`Part ${i} is done.`, { usage: { input: 800 + (i * chars) / 2.6, output: 30 } })
  }
  return builder
}

describe('the plan of a compaction', () => {
  test('D9: keeps about the tail that the policy names, and says why for every chunk', () => {
    const { plan } = compactionPlan(story(20).lines.join('\n'), small(3_000))
    if (plan.kind !== 'plan') throw new Error(plan.why)
    const kept = plan.chunks.filter(({ action }) => action === 'keep')
    expect(kept[0]).toMatchObject({ rule: 'fixed', entryIds: [] })
    expect(kept.slice(1).every(({ rule }) => rule === 'tail' || rule === 'newest')).toBe(true)
    expect(plan.chunks.filter(({ action }) => action === 'summarise').length).toBeGreaterThan(20)
  })

  test('a call and its results are one chunk', () => {
    const { plan } = compactionPlan(story(20).lines.join('\n'), small(3_000))
    if (plan.kind !== 'plan') throw new Error(plan.why)
    expect(plan.chunks.filter(({ entryIds }) => entryIds.length === 2)).toHaveLength(20)
  })

  test('E2: turns of a rolling summary stay, from the fifth last message of the user on', () => {
    const builder = story(20)
    const rolling = { ...openclaw.summary.rolling, enabled: true }
    const { plan } = compactionPlan(builder.lines.join('\n'), {
      ...small(10),
      summary: { ...openclaw.summary, rolling },
    })
    if (plan.kind !== 'plan') throw new Error(plan.why)
    const users = builder.lines
      .map((line) => JSON.parse(line))
      .filter((line) => line.message?.role === 'user')
    expect(plan.firstKeptEntryId).toBe(users.at(-5)?.id)
  })

  test('D6: a message that no request can carry is left out with a note', () => {
    const builder = story(3)
    builder.user('y '.repeat(300_000))
    builder.assistant('Read.')
    const { plan } = compactionPlan(
      `${builder.lines.join('\n')}\n${story(6).lines.slice(1).join('\n')}`,
      small(2_000),
    )
    expect(plan.kind).toBe('plan')
    const again = story(3)
    again.user('y '.repeat(300_000))
    for (let i = 0; i < 6; i++) {
      again.user(`And now ${i}?`)
      again.assistant('z '.repeat(2_000))
    }
    const found = compactionPlan(again.lines.join('\n'), small(2_000)).plan
    if (found.kind !== 'plan') throw new Error(found.why)
    expect(found.requests.oversized).toHaveLength(1)
    expect(found.chunks.find(({ action }) => action === 'drop')).toMatchObject({ rule: 'oversized' })
  })

  test('D28: a plan is the same whatever was planned for the session before', () => {
    const text = story(20).lines.join('\n')
    const { input } = compactionPlan(text, openclaw)
    const safeguard = { ...small(3_000), history: { ...openclaw.history, maxShare: 0.01 } }
    for (const policy of [small(3_000), preset('goclaw'), small(500), safeguard, small(3_000)])
      for (const checkpoint of [null, { uptoSeq: 70, tokens: 100 }])
        expect(makePlan({ ...input, policy, checkpoint })).toEqual(
          compactionPlan(text, policy, { checkpoint }).plan,
        )
  })

  test('H7: what the user marked as important is distinguished, and so is that it is in the summary', () => {
    const builder = story(6)
    const id = builder.user('IMPORTANT: never touch berth 9.')
    builder.assistant('I will not.', { usage: { input: 20_000, output: 5 } })
    const model = builder.assistant('IMPORTANT: keep me.', { usage: { input: 20_000, output: 5 } })
    for (const line of story(14).lines.slice(1)) builder.message(JSON.parse(line).message)
    const { plan } = compactionPlan(builder.text(), small(2_000))
    if (plan.kind !== 'plan') throw new Error(plan.why)
    const ruleOf = (entry: string) => plan.chunks.find(({ entryIds }) => entryIds.includes(entry))?.rule
    expect([ruleOf(id), ruleOf(model)]).toEqual(['pinned', 'cut'])
    const warning = plan.warnings.find(({ code }) => code === 'pinned')
    expect(warning?.message).toMatch(/^1 message is marked as important .* word for word/)
  })

  test('nothing to compact is an answer', () => {
    expect(compactionPlan(story(2).lines.join('\n'), openclaw).plan).toMatchObject({
      kind: 'nothing',
      why: 'all-kept',
    })
    expect(
      compactionPlan(story(20).lines.join('\n'), {
        ...openclaw,
        compaction: { ...openclaw.compaction, mode: 'off' },
      }).plan,
    ).toMatchObject({ why: 'off' })
  })

  test('D28: after its own record there is nothing to compact', () => {
    const text = story(20).lines.join('\n')
    const { plan } = compactionPlan(text, small(3_000))
    if (plan.kind !== 'plan') throw new Error(plan.why)
    expect(compactionPlan(withRecord(text, plan), small(3_000)).plan).toMatchObject({ why: 'just-compacted' })
  })

  test('E11: a checkpoint that covers half of the context is the summary, and no model is asked', () => {
    const text = story(20).lines.join('\n')
    const checkpoint = { uptoSeq: 60, tokens: 300 }
    const { plan } = compactionPlan(text, small(3_000), { checkpoint, source: 'model' })
    if (plan.kind !== 'plan') throw new Error(plan.why)
    const cut = plan.chunks.filter(({ rule }) => rule === 'cut').reduce((sum, { tokens }) => sum + tokens, 0)
    expect(cut).toBeGreaterThan(0)
    // What came after the checkpoint is in the summary as a digest.
    const tokens = Math.ceil(300 + digestBudget(cut))
    expect(plan).toMatchObject({ summary: { source: 'checkpoint', tokens }, cost: { calls: 0 } })
    const whole = compactionPlan(text, small(3_000), {
      checkpoint: { uptoSeq: 500, tokens: 300 },
      source: 'model',
    }).plan
    expect(whole).toMatchObject({ summary: { source: 'checkpoint', tokens: 300 } })
    const early = compactionPlan(text, small(3_000), {
      checkpoint: { ...checkpoint, uptoSeq: 8 },
      source: 'model',
    }).plan
    expect(early).toMatchObject({ summary: { source: 'model' } })
  })
})

/** Mutation runs set a lower number for all properties; then not all that may come will have come. */
const FEWER = fc.readConfigureGlobal().numRuns
const RUNS = { numRuns: FEWER ?? 300 }

/** Messages of every kind in any order, with calls that are answered late, twice or never. */
const anyTranscript = fc
  .array(
    fc.record({
      kind: fc.constantFrom('user', 'assistant', 'call', 'result', 'custom', 'model'),
      chars: fc.integer({ min: 0, max: 3_000 }),
      id: fc.integer({ min: 0, max: 4 }),
    }),
    { minLength: 8, maxLength: 60 },
  )
  .map((steps) => {
    const builder = new TranscriptBuilder()
    for (const { kind, chars, id } of steps) {
      const text = 'some text '.repeat(chars / 10)
      if (kind === 'user') builder.user(text)
      else if (kind === 'assistant') builder.assistant(text, { usage: { input: chars + 100, output: 5 } })
      else if (kind === 'call') builder.assistant(text, { calls: [`c${id}`] })
      else if (kind === 'result') builder.result(`c${id}`, text)
      else if (kind === 'custom')
        builder.entry('custom_message', { customType: 'note', content: text, display: true })
      else builder.entry('model_change', { provider: 'anthropic', modelId: 'claude-sonnet-4-5' })
    }
    return builder.lines.join('\n')
  })

describe('whatever the transcript and the tail', () => {
  test('tokens are conserved, pairs stay whole, the newest message is not lost, plans are the same again', () => {
    let plans = 0
    fc.assert(
      fc.property(anyTranscript, fc.integer({ min: 0, max: 1_500 }), fc.nat(3), (text, keep, turns) => {
        const rolling = { ...openclaw.summary.rolling, enabled: turns === 0 }
        const policy = { ...small(keep), summary: { ...openclaw.summary, rolling } }
        const { plan, context } = compactionPlan(text, policy)
        expect(compactionPlan(text, policy).plan).toEqual(plan)
        if (plan.kind !== 'plan') return
        plans += 1
        const tokens = plan.chunks.reduce((sum, chunk) => sum + chunk.tokens, 0)
        expect(Math.abs(tokens - (plan.tokensBefore.value ?? tokens))).toBeLessThanOrEqual(1)
        expect(plan.chunks.flatMap(({ seqs }) => seqs)).toEqual(context.map(({ entry }) => entry.fact.seq))
        const orphansBefore = findUnpaired(messagesOfContext(context.map(({ entry }) => entry))).orphans
          .length
        const kept = new Set(
          plan.chunks.filter(({ action }) => action === 'keep').flatMap(({ seqs }) => seqs),
        )
        const staying = context.map(({ entry }) => entry).filter(({ fact }) => kept.has(fact.seq))
        expect(findUnpaired(messagesOfContext(staying)).orphans.length).toBeLessThanOrEqual(orphansBefore)
        const newest = context.findLast(({ entry }) => entry.fact.role === 'user')?.entry.fact.seq
        if (newest !== undefined && !kept.has(newest))
          expect(plan.chunks.find(({ seqs }) => seqs.includes(newest))).toMatchObject({ rule: 'asked' })
        expect(compactionPlan(withRecord(text, plan), policy).plan).toMatchObject({ kind: 'nothing' })
      }),
      RUNS,
    )
    expect(plans).toBeGreaterThan(FEWER === undefined ? 100 : 0)
  })
})

describe('whatever the window and the share of history', () => {
  test('all four actions conserve tokens, requests hold each entry once, and pinned messages are distinguished', () => {
    const seen = new Set<string>()
    const marked = anyTranscript.map((text) => text.replace('"some text ', '"IMPORTANT: some text '))
    fc.assert(
      fc.property(
        marked,
        fc.integer({ min: 0, max: 800 }),
        fc.constantFrom(600, 1_500, 4_000, 30_000),
        fc.constantFrom(0.01, 0.05, 0.5),
        (text, keep, window, share) => {
          const policy = { ...small(keep), history: { ...openclaw.history, maxShare: share } }
          const { plan, context } = compactionPlan(text, policy, { window })
          expect(compactionPlan(text, policy, { window }).plan).toEqual(plan)
          if (plan.kind !== 'plan') return
          for (const { action } of plan.chunks) seen.add(action)
          const tokens = plan.chunks.reduce((sum, chunk) => sum + chunk.tokens, 0)
          expect(Math.abs(tokens - (plan.tokensBefore.value ?? tokens))).toBeLessThanOrEqual(1)
          expect(plan.chunks.flatMap(({ seqs }) => seqs)).toEqual(context.map(({ entry }) => entry.fact.seq))
          const { pruned, parts, prefix, oversized } = plan.requests
          const asked = [...pruned, ...parts.flat(), ...prefix, ...oversized]
          expect(new Set(asked).size).toBe(asked.length)
          const kept = new Set(
            plan.chunks.filter(({ action }) => action === 'keep').flatMap(({ seqs }) => seqs),
          )
          expect(asked.filter((seq) => kept.has(seq))).toEqual([])
          for (const { entry } of context)
            if (entry.fact.important && !kept.has(entry.fact.seq)) {
              const { rule } = plan.chunks.find(({ seqs }) => seqs.includes(entry.fact.seq)) ?? {}
              expect(['pinned', 'asked']).toContain(rule)
              seen.add('pinned')
            }
        },
      ),
      RUNS,
    )
    if (FEWER === undefined) expect(seen).toEqual(new Set(['keep', 'summarise', 'prune', 'drop', 'pinned']))
  })
})

const sources =
  CORPUS === null ? [] : ['pi', 'openclaw-2026.7.1', 'openclaw-public'].map((name) => `${CORPUS}/${name}`)
const files = sources.flatMap(transcriptFiles)

describe.skipIf(files.length === 0)('plans of the corpus (skipped without ../shared/corpus)', () => {
  test.each(files.map((file) => [basename(file), file]))('%s: tokens are conserved', (_name, file) => {
    for (const policy of [openclaw, small(500), preset('vs7'), preset('default')]) {
      const { plan } = compactionPlan(readFileSync(file, 'utf8'), policy)
      if (plan.kind !== 'plan') continue
      const tokens = plan.chunks.reduce((sum, chunk) => sum + chunk.tokens, 0)
      expect(Math.abs(tokens - (plan.tokensBefore.value ?? Number.NaN))).toBeLessThanOrEqual(1)
    }
  })
})

test('D18: an earlier summary behind the cut in the file is carried on, not kept', () => {
  const builder = story(8)
  const lines = builder.lines.map((line) => JSON.parse(line) as { id: string; message?: { role: string } })
  const kept = lines.filter(({ message }) => message?.role === 'user').at(-3)?.id ?? ''
  const record = builder.entry('compaction', { summary: 'So far.', firstKeptEntryId: kept, tokensBefore: 9 })
  builder.assistant('Going on.', { usage: { input: 900, output: 5 } })
  const { plan } = compactionPlan(builder.lines.join('\n'), small(1_500))
  if (plan.kind !== 'plan') throw new Error(plan.why)
  expect(plan.chunks.find(({ entryIds }) => entryIds.includes(record))).toMatchObject({
    action: 'summarise',
    rule: 'earlier',
  })
})
