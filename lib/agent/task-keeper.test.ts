import { describe, expect, test } from 'vitest'
import type { ContentMessage } from '../core/history/thinking'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import { estimateUnits } from '../core/tokens/estimate'
import { transientFacts } from '../engine/knowledge/fact-store'
import { KnowledgeBase } from '../engine/knowledge/knowledge-base'
import { SummaryChain } from '../engine/summary/summary-chain'
import { sizeOf } from '../testing/live-conversation'
import { scriptedSummarizer, standingClock } from '../testing/scripted-summarizer'
import { CONTENT_FORM } from './content-form'
import { TaskKeeper } from './task-keeper'
import { transientTasks } from './task-store'

const clock = { now: () => 1_000 }

function opened(more: Partial<ConstructorParameters<typeof TaskKeeper<ContentMessage>>[0]> = {}) {
  const knowledge = new KnowledgeBase({ store: transientFacts(), clock, newId: () => crypto.randomUUID() })
  const held = { messages: [] as readonly ContentMessage[] }
  const store = transientTasks()
  const tasks = new TaskKeeper<ContentMessage>({
    ...{ session: 'main', policy: DEFAULT_POLICY, store, clock, knowledge, budget: 300 },
    getContext: () => held.messages,
    setContext: (next) => {
      held.messages = next
    },
    form: { ...CONTENT_FORM, tokensOf: sizeOf },
    sizeOf: estimateUnits,
    ...more,
  })
  return { tasks, knowledge, store, held }
}

describe('K3 L2 the section of a task', () => {
  const [TITLE, NEEDED, FACT] = ['Lift the cargo', 'The hook is at the quay.', 'The cargo weighs 40 tonnes.']

  /** A keeper whose texts are as large as `sizeOf` says, and what its section has. */
  async function parts(size: (has: { needed: boolean; fact: boolean }) => number) {
    const { tasks, knowledge } = opened({
      sizeOf: (text) =>
        text.includes(TITLE)
          ? size({ needed: text.includes(NEEDED), fact: text.includes(FACT) })
          : text.length / 100,
    })
    await knowledge.add(FACT, { source: 'operator', scope: null })
    await tasks.add({ id: 'hook', title: 'Find the hook' })
    await tasks.start('hook')
    await tasks.complete('hook', { summary: NEEDED })
    await tasks.add({ id: 'lift', title: TITLE, dependencies: ['hook'] })
    await tasks.start('lift')
    const text = await tasks.section()
    return [TITLE, NEEDED, FACT].map((part) => text.includes(part))
  }

  test('has what the task needs and what is known, where all of it fits to the token', async () => {
    expect(await parts(({ fact }) => (fact ? 300 : 100))).toEqual([true, true, true])
  })

  test('leaves out what is known first, where the whole is larger than its parts', async () => {
    expect(await parts(({ needed, fact }) => (fact ? 301 : needed ? 300 : 100))).toEqual([true, true, false])
  })

  test('leaves out what the task needs as well, where that does not fit either', async () => {
    const [title, needed] = await parts((has) => (has.needed ? 301 : has.fact ? 200 : 100))
    expect([title, needed]).toEqual([true, false])
  })

  test('is the task alone, where that is all that fits, and nothing where not even that does', async () => {
    expect(await parts(({ needed, fact }) => (needed || fact ? 301 : 300))).toEqual([true, false, false])
    expect(await parts(() => 301)).toEqual([false, false, false])
  })
})

describe('K1 a change of tasks', () => {
  test('that is refused says why, and nothing of it is kept', async () => {
    const { tasks, store } = opened()
    await tasks.add({ id: 'a', title: 'A' })
    const before = await store.load('main')
    expect(await tasks.change({ kind: 'cancel', id: 'nope' })).toMatchObject({
      ...{ ok: false, problem: expect.stringContaining('nope') },
    })
    expect(await tasks.add({ id: 'a', title: 'Again' })).toMatchObject({ ok: false })
    expect(await tasks.start('nope')).toMatchObject({ ok: false })
    expect(await tasks.complete('nope', { summary: 'done' })).toMatchObject({ ok: false })
    expect(await store.load('main')).toEqual(before)
  })
})

describe('L1 a task that is completed', () => {
  test('asks no model for facts unless that is wanted', async () => {
    const model = scriptedSummarizer('a/m', ['["Berth 4 is free."]'])
    const { tasks } = opened({ chain: new SummaryChain([model], standingClock()) })
    await tasks.add({ id: 'a', title: 'A' })
    await tasks.start('a')
    await tasks.complete('a', { summary: 'Measured.' })
    expect(model.asked).toEqual([])
  })

  test('is completed although its log cannot be written, which is said', async () => {
    const { tasks } = opened({ events: { note: () => Promise.reject(new Error('the disk is full')) } })
    await tasks.add({ id: 'a', title: 'A' })
    const because = ['The log of the memory cannot be written: the disk is full']
    expect(await tasks.start('a')).toMatchObject({ ok: true, warnings: because })
    expect(await tasks.complete('a', { summary: 'Measured.' })).toMatchObject({
      ...{ ok: true, task: { state: 'done' }, warnings: because },
    })
  })
})
