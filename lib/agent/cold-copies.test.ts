import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openColdStore } from '../adapters/cold/open-cold-store'
import { originalOf, originalText } from '../core/cold/original-text'
import { countMessage } from '../core/history/count-message'
import { findUnpaired } from '../core/history/pairing'
import type { ContentMessage } from '../core/history/thinking'
import type { Policy, PolicyPatch } from '../core/policy/policy'
import { PRESETS } from '../core/policy/presets'
import { resolvePolicy } from '../core/policy/resolve'
import {
  type BuiltForm,
  type ConversationStep,
  inForm,
  MESSAGE_FORMS,
} from '../testing/builders/conversations'
import { coldAgent, NOW } from '../testing/cold-conversation'
import { mountSmallDisk } from '../testing/small-disk'
import { contentForm } from './content-form'
import type { ContextManager } from './context-manager'
import type { LiveAgent } from './live-agent'
import { TaskKeeper } from './task-keeper'
import { transientTasks } from './task-store'

const WINDOW = 10_000
const LADDER_OFF = { enabled: false }

function policyOf(patch: PolicyPatch): Policy {
  return resolvePolicy([
    { level: 'preset', label: 'default', patch: PRESETS.default },
    {
      level: 'session',
      label: 'test',
      patch: {
        window: { warnBelow: 0, blockBelow: 0 },
        reserve: { tokens: 500, floor: 0 },
        compaction: { keepRecentTokens: 300 },
        history: { recentTurns: 1 },
      },
    },
    { level: 'session', label: 'case', patch },
  ]).policy
}

/** No line at all, so that a test brings about the one that it is about. */
const QUIET: PolicyPatch = {
  lines: {
    ...{ curate: LADDER_OFF, compact: LADDER_OFF, slide: LADDER_OFF, checkpoints: LADDER_OFF },
    ...{ flush: LADDER_OFF, hard: LADDER_OFF },
  },
  summary: { sliding: LADDER_OFF, rolling: LADDER_OFF },
}

/** Turns of long results, about 700 tokens each. */
const steps = (count: number): ConversationStep[] =>
  Array.from({ length: count }, (_, i): ConversationStep[] => [
    { kind: 'ask', text: `Which ship lies at berth ${i}?`, image: false },
    {
      kind: 'answer',
      text: `I look at page ${i}.`,
      thinks: true,
      aside: '',
      calls: [
        { id: `a${i}`, path: `log/${i}.md`, result: `berth ${i}: ${'hull crane tide '.repeat(90)}` },
        { id: `b${i}`, path: `log/${i}b.md`, result: `quay ${i}: ${'rope bollard '.repeat(90)}` },
      ],
    },
    { kind: 'answer', text: `Ship ${i} lies there.`, thinks: false, aside: '', calls: [] },
  ]).flat()

const ask = (form: BuiltForm) =>
  inForm(form, [{ kind: 'ask', text: 'What is the price of bread?', image: false }])

type Way = {
  readonly name: string
  readonly patch: PolicyPatch
  readonly more?: Partial<LiveAgent<ContentMessage>>
  readonly does: (context: ContextManager<ContentMessage>, form: BuiltForm) => Promise<unknown>
}

/** Each way out of a context. */
const WAYS: readonly Way[] = [
  { name: 'a compaction', patch: QUIET, does: (context) => context.compact() },
  {
    name: 'the hard line',
    patch: {
      ...QUIET,
      lines: { ...QUIET.lines, hard: { enabled: true, at: 0.3 } },
      compaction: { mode: 'off' },
    },
    does: (context, form) => context.beforeResponse(ask(form)),
  },
  {
    name: 'relevance',
    patch: {
      ...QUIET,
      lines: { ...QUIET.lines, curate: { enabled: true, at: 0.1 } },
      history: { recentTurns: 0 },
    },
    does: (context) => context.afterResponse(),
  },
  {
    name: 'the agent’s own way to curate',
    patch: { ...QUIET, lines: { ...QUIET.lines, curate: { enabled: true, at: 0.1 } } },
    more: { curate: async ({ messages }) => messages.slice(-3) },
    does: (context, form) => context.beforeResponse(ask(form)),
  },
  {
    name: 'a sliding summary',
    patch: {
      ...QUIET,
      lines: { ...QUIET.lines, slide: { enabled: true, at: 0.1 } },
      summary: { sliding: { enabled: true }, targetTokens: 20, rolling: LADDER_OFF },
      pruning: { keepLastMessages: 2, keepRecentMs: 0, alwaysKeep: [], keepTools: [] },
    },
    does: async (context, form) => {
      await context.beforeResponse(ask(form))
      time += 3_600_000
      return context.beforeResponse(ask(form))
    },
  },
  {
    name: 'room for a message',
    patch: {
      ...QUIET,
      pruning: { keepLastMessages: 2, alwaysKeep: [], keepTools: [] },
      summary: { targetTokens: 20 },
    },
    does: (context) => context.addWithRoom({ role: 'user', content: 'manifest '.repeat(3_000) }),
  },
]

let time = NOW

describe.each(WAYS)('I1 what leaves by $name', ({ patch, more, does }) => {
  test.each(MESSAGE_FORMS)('is in cold storage first, to the byte as it came: %s', async (form) => {
    time = NOW
    const messages = inForm(form, steps(8)).map((message, i) => Object.freeze({ ...message, mark: i }))
    const { context, held, cold } = coldAgent(messages as ContentMessage[], policyOf(patch), {
      window: WINDOW,
      clock: { now: () => time },
      form: contentForm(),
      ...more,
    })
    await does(context, form)
    const here = new Set<unknown>(held.messages)
    const gone = messages.filter((message) => !here.has(message))
    expect(gone.length).toBeGreaterThan(0)
    const kept = (await cold.list()).chunks.flatMap((chunk) => chunk.messages ?? [])
    expect(gone.filter((message) => !kept.includes(originalText(message)))).toEqual([])
    expect(kept.map(originalOf)).toEqual(expect.arrayContaining(gone))
    expect(findUnpaired(held.messages)).toEqual({ orphans: [], unanswered: [] })
  })

  test('stays where cold storage cannot take it, which is said', async () => {
    time = NOW
    const messages = inForm('pi', steps(8))
    const full = async () => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    }
    const { context, held } = coldAgent(messages, policyOf(patch), {
      window: WINDOW,
      clock: { now: () => time },
      form: contentForm(),
      cold: { root: '/cold', put: full, list: full, extend: full, remove: full },
      ...more,
    })
    const done = await does(context, 'pi')
    expect(held.messages.slice(0, messages.length)).toEqual(messages)
    expect(JSON.stringify(done)).toContain('the disk is full')
  })
})

test('I1 what a finished task takes out of a context is in cold storage first, or stays', async () => {
  for (const fails of [false, true]) {
    const messages = inForm('anthropic', steps(2))
    const { held, cold } = coldAgent([], policyOf(QUIET))
    const put: typeof cold.put = fails ? () => Promise.reject(new Error('the disk is gone')) : cold.put
    const tasks = new TaskKeeper<ContentMessage>({
      ...{ session: 's', policy: policyOf(QUIET), store: transientTasks(), clock: { now: () => NOW } },
      getContext: () => held.messages,
      setContext: (next) => {
        held.messages = next
      },
      form: { ...contentForm(), tokensOf: (message) => countMessage(message) },
      sizeOf: (text) => text.length / 4,
      budget: 1_000,
      cold: { ...cold, put },
    })
    await tasks.add({ id: 't1', title: 'Berths' })
    await tasks.start('t1')
    held.messages = messages
    const done = await tasks.complete('t1', { summary: 'Both are free.' })
    const kept = (await cold.list()).chunks.flatMap((chunk) => chunk.messages ?? [])
    const gone = messages.filter((message) => !held.messages.includes(message))
    expect(gone).toHaveLength(fails ? 0 : 2)
    expect(gone.filter((message) => !kept.includes(originalText(message)))).toEqual([])
    if (fails)
      expect(done).toMatchObject({ ok: true, warnings: [expect.stringContaining('the disk is gone')] })
  }
})

const trial = mountSmallDisk(1)
trial?.remove()
test.skipIf(trial === null)('I1 on a disk that is full nothing leaves; with room again it does', async () => {
  const disk = mountSmallDisk(1)
  if (disk === null) throw new Error('There is no second disk.')
  try {
    const messages = inForm('chat', [
      ...steps(8),
      { kind: 'ask', text: 'x'.repeat(1_500_000), image: false },
      ...steps(1),
    ])
    const store = openColdStore(join(disk.folder, 'cold'))
    const { context, held } = coldAgent(messages, policyOf(QUIET), {
      window: 2_000_000,
      form: contentForm(),
      cold: store,
    })
    expect(await context.compact()).toMatchObject({ kind: 'refused', refusal: { code: 'no-space' } })
    expect(held.messages).toEqual(messages)
    disk.grow(64)
    expect(await context.compact()).toMatchObject({ kind: 'compacted' })
    const kept = (await store.list()).chunks.flatMap((chunk) => chunk.messages ?? [])
    const gone = messages.filter((message) => !held.messages.includes(message))
    expect(gone.length).toBeGreaterThan(5)
    expect(gone.filter((message) => !kept.includes(originalText(message)))).toEqual([])
  } finally {
    disk.remove()
  }
})

test('I1: a message that no summary may see leaves with its copy as well, in a form of the agent’s own', async () => {
  const hidden = { role: 'assistant', content: 'the vault opens at nine' }
  const own: LiveAgent<ContentMessage>['form'] = {
    ...contentForm(),
    ...{ hasBlocks: false, isSummary: () => false, withText: undefined },
    toSource: (message, at) => (message === hidden ? null : contentForm().toSource(message, at)),
  }
  const turns = steps(8).flatMap((step): ContentMessage[] =>
    step.kind === 'ask'
      ? [{ role: 'user', content: step.text }]
      : [{ role: 'assistant', content: `${step.text} ${'tide '.repeat(200)}` }],
  )
  const { context, held, cold } = coldAgent(
    [...turns.slice(0, 4), hidden, ...turns.slice(4)],
    policyOf(QUIET),
    {
      ...{ window: WINDOW, form: own },
    },
  )
  expect((await context.compact()).kind).toBe('compacted')
  expect(held.messages).not.toContain(hidden)
  const kept = (await cold.list()).chunks.flatMap((chunk) => chunk.messages ?? [])
  expect(kept).toContain(originalText(hidden))
})
