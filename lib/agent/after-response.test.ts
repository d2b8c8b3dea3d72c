import { describe, expect, test } from 'vitest'
import type { ContentMessage } from '../core/history/thinking'
import { checkpointText } from '../core/memory/checkpoint'
import { digestCheckpoint } from '../core/memory/digest-checkpoint'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import type { Policy } from '../core/policy/policy'
import { DIGEST_MARK, digest } from '../core/summary/digest'
import { estimateUnits } from '../core/tokens/estimate'
import { KEPT_CHECKPOINTS, transientMemory } from '../engine/knowledge/agent-memory'
import { SummaryChain } from '../engine/summary/summary-chain'
import { QUIET_POLICY } from '../testing/builders/quiet-policy'
import { contentText, liveAgent, turnsOf } from '../testing/live-conversation'
import { scriptedSummarizer, standingClock } from '../testing/scripted-summarizer'
import { CONTENT_FORM } from './content-form'

const SESSION = 'agent:harbour:main'
const policy: Policy = {
  ...DEFAULT_POLICY,
  compaction: { ...DEFAULT_POLICY.compaction, keepRecentTokens: 2_000 },
  lines: { ...DEFAULT_POLICY.lines, flush: { enabled: false, at: [] }, curate: { enabled: false, at: 0.4 } },
  summary: {
    ...DEFAULT_POLICY.summary,
    checkpoint: { ...DEFAULT_POLICY.summary.checkpoint, minTokens: 5_000 },
  },
}
const BODY = {
  summary: 'Step 30 stands.',
  topics: ['steps'],
  decisions: ['keep src'],
  questions: ['berth 9?'],
}

function checkpointing(turns: number, replies?: Parameters<typeof scriptedSummarizer>[1]) {
  const model = scriptedSummarizer('a/m', replies ?? [])
  const memory = transientMemory()
  const chain = replies === undefined ? null : new SummaryChain([model], standingClock())
  return { model, memory, ...liveAgent(turnsOf(turns), policy, { memory, chain }) }
}

describe('checkpoints of a live agent', () => {
  test('E9: one for each line, once; without a model they are made of the digest', async () => {
    const { context, held, memory } = checkpointing(10)
    const made: boolean[] = []
    for (let i = 0; i < 13; i++) {
      held.messages = [...held.messages, ...turnsOf(8)]
      made.push((await context.afterResponse()).checkpoint !== null)
    }
    expect(made.filter(Boolean)).toHaveLength(3)
    const kept = await memory.checkpoints(SESSION)
    expect(kept).toHaveLength(3)
    expect(kept[0]?.body.summary).toContain(DIGEST_MARK)
    expect(kept[0]?.body.questions[0]).toContain('Please do step')
  })

  test('B6: a usage that cannot be used is said, whether or not a checkpoint is due', async () => {
    const { context, held } = checkpointing(1)
    const usage = { prompt: Number.NaN, output: 1 }
    const said = [expect.stringContaining('is no pair of numbers')]
    expect(await context.afterResponse({ usage })).toMatchObject({ checkpoint: null, warnings: said })
    held.messages = [...held.messages, ...turnsOf(40)]
    const { checkpoint, warnings } = await context.afterResponse({ usage })
    expect(checkpoint).not.toBeNull()
    expect(warnings).toEqual(said)
  })

  test('E10: a model answers in JSON; what is none is kept as text', async () => {
    const asked = checkpointing(30, [JSON.stringify(BODY)])
    expect((await asked.context.afterResponse()).checkpoint?.body).toEqual(BODY)
    const prose = checkpointing(30, ['Step 30 stands, {more or less}.'])
    expect((await prose.context.afterResponse()).checkpoint?.body).toMatchObject({
      summary: 'Step 30 stands, {more or less}.',
      topics: [],
    })
  })

  test('E10: a checkpoint carries on the newest one before it', async () => {
    const bodies = ['first', 'second', 'third'].map((summary) => JSON.stringify({ ...BODY, summary }))
    const { context, held, model } = checkpointing(10, bodies)
    for (let i = 0; i < 13; i++) {
      held.messages = [...held.messages, ...turnsOf(8)]
      await context.afterResponse()
    }
    const asked = model.asked.map(({ prompt }) => prompt.user)
    expect(asked[1]).toContain('first')
    expect(asked[2]).toContain('second')
    expect(asked[2]).not.toContain('first')
  })

  test.each([
    ['checkpoints', 'read'],
    ['addCheckpoint', 'written'],
  ] as const)(
    'E9: a memory whose %s fails costs a warning, and the checkpoint is made',
    async (port, done) => {
      const memory = {
        ...transientMemory(),
        [port]: async () => {
          throw new Error('no quay')
        },
      }
      const { context } = liveAgent(turnsOf(30), policy, { memory })
      const { checkpoint, warnings } = await context.afterResponse()
      expect(checkpoint).not.toBeNull()
      expect(warnings).toEqual([`The memory of ${SESSION} cannot be ${done}: no quay`])
    },
  )

  test('a model that is down costs a note; the digest is used', async () => {
    const { context } = checkpointing(30, [{}])
    const { checkpoint, warnings } = await context.afterResponse()
    expect(checkpoint?.body.summary).toContain(DIGEST_MARK)
    expect(warnings).toEqual(['a/m is down.'])
  })

  test('E11: one that covers half the context is the summary, and no model is asked', async () => {
    const { context, held, model } = checkpointing(40, [JSON.stringify(BODY)])
    await context.afterResponse()
    held.messages = [...held.messages, ...turnsOf(20, 200, 'leg')]
    const done = await context.beforeResponse()
    if (done.compaction?.kind !== 'compacted') throw new Error(done.compaction?.kind)
    expect(done.compaction.summary).toMatchObject({ source: 'checkpoint', calls: 0 })
    expect(model.asked).toHaveLength(1)
    const [summary] = held.messages.map(contentText)
    expect(summary).toContain('Step 30 stands.')
    expect(summary).toContain('## Decisions\n- keep src')
    // What came after it is in the summary as well.
    expect(summary).toContain('src/leg')
  })

  test('E11: one of another conversation covers nothing, and hides none that does', async () => {
    const { context, held, memory } = checkpointing(40, [JSON.stringify(BODY)])
    await context.afterResponse()
    const [own] = await memory.checkpoints(SESSION)
    if (own === undefined) throw new Error('There is no checkpoint.')
    const both = transientMemory()
    for (const one of [{ ...own, id: 'other', uptoEntryId: 'other' }, own]) await both.addCheckpoint(one)
    const again = liveAgent([...held.messages, ...turnsOf(20, 200, 'leg')], policy, { memory: both })
    const { compaction } = await again.context.beforeResponse()
    expect(compaction).toMatchObject({ kind: 'compacted', summary: { source: 'checkpoint' } })
  })

  test.each([
    ['less than half', 22, 40],
    ['another conversation', 40, 0],
  ])('E11: %s: a model is asked', async (_, before, after) => {
    const { context, held, model } = checkpointing(before, [JSON.stringify(BODY), 'no'])
    await context.afterResponse()
    const grown = [...held.messages, ...turnsOf(after, 200, 'leg')]
    held.messages = after > 0 ? grown : turnsOf(60, 200, 'leg')
    expect((await context.beforeResponse()).compaction).toMatchObject({ summary: { source: 'digest' } })
    expect(model.asked.length).toBeGreaterThan(1)
  })

  test('E11, D27: a focus needs a summary made for it', async () => {
    const { context, model } = checkpointing(40, [JSON.stringify(BODY), 'no'])
    await context.afterResponse()
    await context.compact({ focus: 'berth 9' })
    expect(model.asked.length).toBeGreaterThan(1)
  })

  test('E9: a compaction begins a new cycle, and only the newest few are kept', async () => {
    const { context, held, memory } = checkpointing(30)
    for (let i = 0; i < 5; i++) {
      await context.afterResponse()
      held.messages = [...held.messages, ...turnsOf(40)]
      await context.afterResponse()
      await context.beforeResponse()
    }
    const state = await memory.load(SESSION)
    expect(state).toMatchObject({ compactions: 5, turns: 0, checkpoint: { crossed: [] } })
    expect(await memory.checkpoints(SESSION)).toHaveLength(KEPT_CHECKPOINTS)
  })
})

describe('F5 memory that is saved', () => {
  const flushing: Policy = {
    ...QUIET_POLICY,
    lines: {
      ...QUIET_POLICY.lines,
      flush: { ...QUIET_POLICY.lines.flush, enabled: true, at: [0.3] },
      compact: { ...QUIET_POLICY.lines.compact, at: 0.9 },
    },
  }
  const calling = (name: string, args: object): ContentMessage[] => [
    {
      role: 'assistant',
      calls: [{ id: 'w' }],
      content: [{ type: 'toolCall', id: 'w', name, arguments: args }],
    },
    { role: 'toolResult', resultFor: 'w', content: 'done' },
  ]
  const ask: ContentMessage = { role: 'user', content: 'Save it.' }
  const path = 'memory/a.md'
  const write = calling('write', { path, content: 'x' })

  test.each<[string, ContentMessage[], boolean]>([
    ['writes a new note', [ask, ...write], true],
    ['changes a note', [ask, ...calling('edit', { path, oldText: 'a', newText: 'b' })], true],
    ['reads a note', [ask, ...calling('read', { path })], false],
    ['writes elsewhere', [ask, ...calling('write', { path: 'src/a.ts', content: 'x' })], false],
    ['has written a note in the turn before', [ask, ...write, { role: 'user', content: 'Go on.' }], false],
    ['says besides what nobody may read', [ask, { role: 'note', content: 'hidden' }, ...write], true],
  ])('by an agent that %s', async (_, turn, memorySaved) => {
    const places = new Map<ContentMessage, number>()
    const form = {
      ...CONTENT_FORM,
      toSource: (message: ContentMessage, index: number) => {
        places.set(message, index)
        return message.content === 'hidden' ? null : CONTENT_FORM.toSource(message, index)
      },
    }
    const { context, held } = liveAgent(turnsOf(40), flushing, { form })
    expect((await context.beforeResponse()).steps).toEqual(['flush'])
    held.messages = [...held.messages, ...turn]
    expect((await context.afterResponse()).memorySaved).toBe(memorySaved)
    for (const [at, message] of held.messages.entries()) expect(places.get(message) ?? at).toBe(at)
  })
})

test('E10: a digest loses nothing when its sections become the fields of a checkpoint', () => {
  const sources = turnsOf(20).flatMap((message, i) => CONTENT_FORM.toSource(message, i) ?? [])
  const text = digest(sources, { budget: 800, sizeOf: estimateUnits })
  const body = digestCheckpoint(text)
  const again = checkpointText(body)
  for (const line of text.split('\n').filter((one) => one.startsWith('- '))) expect(again).toContain(line)
  expect(body.topics.length).toBeGreaterThan(0)
})
