import { describe, expect, test } from 'vitest'
import { memoryEventLog, readMemoryEvents } from '../adapters/memory/memory-event-log'
import { taskFolder } from '../adapters/memory/task-folder'
import { findUnpaired } from '../core/history/pairing'
import type { ContentMessage } from '../core/history/thinking'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import type { Policy } from '../core/policy/policy'
import { estimateUnits } from '../core/tokens/estimate'
import { transientFacts } from '../engine/knowledge/fact-store'
import { KnowledgeBase } from '../engine/knowledge/knowledge-base'
import { SummaryChain } from '../engine/summary/summary-chain'
import { contentText, sizeOf } from '../testing/live-conversation'
import { scriptedSummarizer, standingClock } from '../testing/scripted-summarizer'
import { temporaryFolder } from '../testing/store-folder'
import { CONTENT_FORM } from './content-form'
import { ContextManager } from './context-manager'
import { TaskKeeper } from './task-keeper'

const WINDOW = 32_000
const SESSION = 'agent:harbour:main'
/** Results of tools, about 2,700 tokens each; eight of them in every task. */
const RESULT_WORDS = 2_600
const RESULTS = 8
const TASKS = 30

const policy: Policy = {
  ...DEFAULT_POLICY,
  window: { ...DEFAULT_POLICY.window, default: WINDOW },
  budget: { ...DEFAULT_POLICY.budget, enabled: true },
  reserve: { tokens: 4_000, floor: 0, maxShare: 0.25 },
  compaction: { ...DEFAULT_POLICY.compaction, keepRecentTokens: 4_000 },
}

/** The value that a task finds out, which nothing but its summary says. */
const finding = (i: number) => `berth_key_${i} = ${7_000 + i * 13}`

function opened(
  folder: string,
  messages: readonly ContentMessage[] = [],
  more: Partial<ConstructorParameters<typeof TaskKeeper<ContentMessage>>[0]> = {},
) {
  const held: Held = { messages }
  let time = Date.parse('2026-11-21T10:00:00Z')
  const clock = { now: () => (time += 1000) }
  const getContext = () => held.messages
  const setContext = (next: readonly ContentMessage[]) => {
    held.messages = next
  }
  let id = 0
  const knowledge = new KnowledgeBase({ store: transientFacts(), clock, newId: () => `f${++id}` })
  const events = memoryEventLog(folder)
  const tasks = new TaskKeeper<ContentMessage>({
    session: SESSION,
    policy,
    store: taskFolder(folder),
    clock,
    getContext,
    setContext,
    form: { ...CONTENT_FORM, tokensOf: sizeOf },
    sizeOf: estimateUnits,
    budget: 3_000,
    knowledge,
    scope: '/harbour',
    events,
    ...more,
  })
  const context = new ContextManager<ContentMessage>({
    policy,
    window: WINDOW,
    key: SESSION,
    tokensOf: sizeOf,
    promptCache: null,
    recall: { tasks, events },
    agent: { session: SESSION, getContext, setContext, form: CONTENT_FORM, clock },
  })
  return { held, tasks, context, knowledge }
}

type Held = { messages: readonly ContentMessage[] }

/** A tree of 30: five groups of five parts, a plan before them and four reports after; each needs one to three others. */
async function plan(tasks: TaskKeeper<ContentMessage>): Promise<void> {
  const add = async (task: Parameters<typeof tasks.add>[0]) => {
    const done = await tasks.add(task)
    if (!done.ok) throw new Error(done.problem)
  }
  await add({ id: 't0', title: 'Survey the harbour' })
  for (let group = 0; group < 5; group++)
    for (let part = 0; part < 5; part++) {
      const i = 1 + group * 5 + part
      const needs = [part === 0 ? 0 : i - 1, ...(part === 4 && group > 0 ? [i - 5] : [])]
      await add({
        id: `t${i}`,
        title: `Measure berth ${i}`,
        priority: 5 - group,
        dependencies: needs.map((n) => `t${n}`),
      })
    }
  for (let i = 26; i < TASKS; i++)
    await add({ id: `t${i}`, title: `Report ${i}`, dependencies: [`t${i - 21}`, `t${i - 12}`, `t${i - 1}`] })
}

/** What a provider is sent, in tokens. */
const requestSize = ({ system, messages }: Awaited<ReturnType<ContextManager<ContentMessage>['request']>>) =>
  estimateUnits(system.text) + messages.reduce((sum, { message }) => sum + sizeOf(message), 0)

describe('an agent that works through a tree of thirty tasks in a window of 32k', () => {
  test('K1–K6, L1, L2: never overflows, has every fact it depends on, and keeps calls and results in pairs', async () => {
    const folder = temporaryFolder()
    let agent = opened(folder)
    await plan(agent.tasks)
    const sizes: number[] = []
    let produced = 0
    let steps = 0
    for (let done = 0; done < TASKS; done++) {
      // In the middle the process dies; what it remembers is on disk, the conversation with the agent.
      if (done === 15) agent = opened(folder, agent.held.messages)
      const { tasks, context, held } = agent
      const [task] = await tasks.ready()
      if (task === undefined) throw new Error(`nothing is ready after ${done} tasks`)
      const i = Number(task.id.slice(1))
      expect(await tasks.start(task.id)).toMatchObject({ ok: true, warnings: [] })
      const say = (message: ContentMessage) => {
        held.messages = [...held.messages, message]
        produced += sizeOf(message)
        context.add(message)
      }
      const ask = { role: 'user', content: `Please go on with ${task.title}.` } as const
      const before = await context.beforeResponse([ask])
      expect(before.failure).toBeNull()
      say(ask)
      // The scripted model: reads eight long results, one after the other, then says what it found.
      for (let step = 0; step < RESULTS; step++) {
        const { failure, steps: done } = await context.beforeResponse()
        expect(failure).toBeNull()
        steps += done.length
        const request = await context.request({ parts: { identity: 'You measure berths.' }, prompt: [] })
        sizes.push(requestSize(request))
        const unpaired = findUnpaired(request.messages.map(({ message }) => message))
        expect(unpaired).toEqual({ orphans: [], unanswered: [] })
        for (const needed of task.dependencies)
          expect(request.system.text).toContain(`> We found ${finding(Number(needed.slice(1)))}.`)
        expect(request.system.text).toContain(`## Current Task\n${task.id}: ${task.title}`)
        const call = `c${i}-${step}`
        say({
          role: 'assistant',
          calls: [{ id: call }],
          content: [
            { type: 'toolCall', id: call, name: 'read', arguments: { path: `soundings/${call}.txt` } },
          ],
        })
        say({
          role: 'toolResult',
          resultFor: call,
          content: `sounding ${call} ${'depth '.repeat(RESULT_WORDS)}`,
        })
      }
      say({ role: 'assistant', content: `Measured: ${task.title}.` })
      await context.afterResponse()
      const completed = await tasks.complete(task.id, {
        summary: `We found ${finding(i)}.`,
        artifacts: [`soundings/report-${i}.md`],
      })
      if (!completed.ok) throw new Error(completed.problem)
      expect(completed.putAway.results).toBeGreaterThan(0)
      expect(completed.learned.added.length).toBeGreaterThan(0)
      expect(findUnpaired(held.messages)).toEqual({ orphans: [], unanswered: [] })
    }
    expect((await agent.tasks.tree()).tasks.every(({ state }) => state === 'done')).toBe(true)
    // Eighteen times the window went through it.
    expect(produced).toBeGreaterThan(WINDOW * 18)
    // The ladder had work to do, too.
    expect(steps).toBeGreaterThan(20)
    expect(Math.max(...sizes)).toBeLessThan(WINDOW * DEFAULT_POLICY.lines.hard.at)
    expect(sizes).toHaveLength(TASKS * RESULTS)
    const { events, broken } = await readMemoryEvents(folder, 1_000)
    expect(broken).toBe(0)
    expect(events.filter(({ kind }) => kind === 'completed')).toHaveLength(TASKS)
    expect(agent.held.messages.map(contentText).join('\n')).toContain('Archived: task t29 is done')
  })

  test('K6: what is on disk is not thrown away when it cannot be read', async () => {
    const folder = temporaryFolder()
    const store = taskFolder(folder)
    await opened(folder).tasks.add({ id: 'a', title: 'A' })
    expect((await store.load(SESSION)).tree.tasks).toHaveLength(1)
    expect(await opened(folder).tasks.start('a')).toMatchObject({ ok: true, task: { state: 'active' } })
    expect((await store.load(SESSION)).tree.tasks[0]?.state).toBe('active')
    await store.save(SESSION, { tree: { tasks: [{ id: 1 }] } } as never)
    await expect(opened(folder).tasks.tree()).rejects.toThrow(
      /does not hold the tasks of agent:harbour:main; move it away/,
    )
  })

  test('L2: facts of earlier work are there when a task of its kind begins; none, and the section has none', async () => {
    const { tasks, knowledge } = opened(temporaryFolder())
    await knowledge.add('The tide gauge at berth 4 is broken.', { source: 'operator', scope: '/harbour' })
    await tasks.add({ id: 'a', title: 'Read the tide gauge' })
    await tasks.add({ id: 'b', title: 'Paint the shed' })
    await tasks.start('a')
    expect(await tasks.section()).toContain('## Relevant Knowledge\n')
    expect(await tasks.section()).toContain('- The tide gauge at berth 4 is broken.')
    await tasks.complete('a', { summary: 'Done.' })
    expect(await tasks.section()).toBe('')
    await tasks.start('b')
    expect(await tasks.section()).not.toContain('Relevant Knowledge')
  })

  test('knowledge that is down costs a warning, not the task', async () => {
    const { tasks, knowledge } = opened(temporaryFolder())
    knowledge.recall = () => Promise.reject(new Error('no route'))
    knowledge.learn = () => Promise.reject(new Error('no route'))
    await tasks.add({ id: 'a', title: 'A' })
    expect(await tasks.start('a')).toMatchObject({
      ok: true,
      warnings: ['Nothing was recalled for a: no route'],
    })
    expect(await tasks.complete('a', { summary: 'Port is 1.' })).toMatchObject({
      ok: true,
      warnings: ['Nothing was learned of a: no route'],
    })
  })

  test('L1: a model may find further facts; one that is down costs a warning', async () => {
    for (const [reply, facts, warnings] of [
      ['["The crane_limit is 40 tons at most."]', ['The crane_limit is 40 tons at most.'], []],
      ['nonsense', [], ['The facts of a that a model answered cannot be read.']],
      [{}, [], ['a/m is down.']],
    ] as const) {
      const chain = new SummaryChain([scriptedSummarizer('a/m', [reply])], standingClock())
      const { tasks } = opened(temporaryFolder(), [], { chain, asksForFacts: true })
      await tasks.add({ id: 'a', title: 'A' })
      await tasks.start('a')
      const done = await tasks.complete('a', { summary: 'Measured, see crane_limit.' })
      if (!done.ok) throw new Error(done.problem)
      const learned = done.learned.added.map(({ content }) => content)
      expect(learned.filter((content) => content !== 'Measured, see crane_limit.')).toEqual(facts)
      expect(done.warnings).toEqual(warnings)
    }
  })

  test('K6: what a task came to is on disk before its details leave the context', async () => {
    const folder = temporaryFolder()
    const seen: (string | undefined)[] = []
    const { tasks, held } = opened(folder, [], {
      setContext: async () => {
        const { tree } = await taskFolder(folder).load(SESSION)
        seen.push(tree.tasks[0]?.result?.summary)
        throw new Error('the process dies here')
      },
    })
    await tasks.add({ id: 'a', title: 'A' })
    await tasks.start('a')
    held.messages = [
      { role: 'assistant', calls: [{ id: 'c' }], content: [{ type: 'toolCall', id: 'c', name: 'read' }] },
      { role: 'toolResult', resultFor: 'c', content: 'depth '.repeat(500) },
    ]
    await expect(tasks.complete('a', { summary: 'Berth 1 is deep.' })).rejects.toThrow('dies here')
    expect(seen).toEqual(['Berth 1 is deep.'])
    expect((await opened(folder, held.messages).tasks.search('berth'))[0]?.result.summary).toBe(
      'Berth 1 is deep.',
    )
  })

  test('K1: what is said while a model writes the summary stays, and so does a conversation that was replaced', async () => {
    const result = (id: string): ContentMessage[] => [
      { role: 'assistant', calls: [{ id }], content: [{ type: 'toolCall', id, name: 'read' }] },
      { role: 'toolResult', resultFor: id, content: 'depth '.repeat(500) },
    ]
    for (const [meanwhile, expected, results] of [
      [(held: Held) => [...held.messages, { role: 'user', content: 'Wait!' }], /Archived.*Wait!/s, 1],
      [() => [{ role: 'user', content: 'Begin anew.' }], /^Begin anew\.$/, 0],
    ] as const) {
      const model = {
        name: 'a/m',
        summarize: async () => {
          held.messages = meanwhile(held)
          return { ok: true, text: 'Berth 1 is 7 m deep.', usage: { input: 1, output: 1 } } as const
        },
      }
      const chain = new SummaryChain([model], standingClock())
      const { tasks, held } = opened(temporaryFolder(), [], { chain })
      await tasks.add({ id: 'a', title: 'A' })
      await tasks.start('a')
      held.messages = result('c')
      expect(await tasks.complete('a')).toMatchObject({ ok: true, putAway: { results } })
      expect(held.messages.map(contentText).join('\n')).toMatch(expected)
    }
  })

  test('K1: without its own summary a task keeps a digest of what was done', async () => {
    const { tasks, held } = opened(temporaryFolder())
    await tasks.add({ id: 'a', title: 'A' })
    held.messages = [{ role: 'user', content: 'before' }]
    await tasks.start('a')
    held.messages = [
      ...held.messages,
      { role: 'user', content: 'Please read src/pier.ts' },
      { role: 'assistant', content: 'We decided to keep pier_length = 40 because it works.' },
    ]
    const done = await tasks.complete('a')
    if (!done.ok) throw new Error(done.problem)
    expect(done.task.result?.summary).toContain('pier_length')
    expect(done.task.result?.summary).not.toContain('before')
  })
})
