import { describe, expect, test } from 'vitest'
import type { ContentMessage } from '../core/history/thinking'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import { estimateUnits } from '../core/tokens/estimate'
import { transientCold } from '../engine/cold/transient-cold'
import { transientFacts } from '../engine/knowledge/fact-store'
import { KnowledgeBase } from '../engine/knowledge/knowledge-base'
import { SummaryChain } from '../engine/summary/summary-chain'
import { contentText, sizeOf, turnsOf } from '../testing/live-conversation'
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

describe('K3 L2 the room of a task', () => {
  const words = (word: string, count: number) => `${word} `.repeat(count).trim()
  /** An active task with what it needs and what is known of it, in words. */
  async function section(needed: number, fact: number, more: Parameters<typeof opened>[0] = {}) {
    const { tasks, knowledge } = opened({ ...more, sizeOf: more?.sizeOf ?? ((text) => text.length) })
    if (fact > 0) await knowledge.add(words('fact', fact), { source: 'operator', scope: null })
    if (needed > 0) {
      await tasks.add({ id: 'hook', title: 'Find the hook' })
      await tasks.start('hook')
      await tasks.complete('hook', { summary: words('hook', needed) })
    }
    const dependencies = needed > 0 ? ['hook'] : []
    await tasks.add({ id: 'lift', title: 'Lift the fact', dependencies })
    await tasks.start('lift')
    const text = await tasks.section()
    const count = (word: string) => text.split(`${word} `).length
    return { text, hooks: count('hook'), facts: count('fact') }
  }

  test('is filled by both, three quarters of it by what the task needs; by that alone where nothing is known', async () => {
    const budget = 2_000
    const both = await section(1_000, 190, { budget })
    const head = both.text.indexOf('\n\n## Context from Dependencies')
    const [, needed, known] = both.text.split('\n\n## ')
    expect(needed?.length).toBeGreaterThan((budget - head) * 0.6)
    expect(needed?.length).toBeLessThanOrEqual((budget - head) * 0.75)
    expect(known).toMatch(/^Relevant Knowledge\n/)
    expect(both.text.length).toBeGreaterThan(budget - 20)
    expect(both.text.length).toBeLessThanOrEqual(budget)
    const alone = await section(1_000, 0, { budget })
    expect(alone.hooks).toBeGreaterThan(both.hooks * 1.1)
    expect(alone.text).toMatch(/…$/)
    expect(alone.text).not.toContain('Relevant Knowledge')
  })

  test('has its parts one blank line apart, and no other one', async () => {
    const { text } = await section(0, 3, { budget: 2_000 })
    expect(text.split('\n\n').map((part) => part.split('\n')[0])).toEqual([
      '## Current Task',
      '## Relevant Knowledge',
    ])
  })

  test('shrinks what the task needs until the whole fits, where it is larger than its parts', async () => {
    const sizeOf = (text: string) =>
      text.length + (text.includes('hook') && text.includes('lift: ') ? 300 : 0)
    const { text, hooks } = await section(1_000, 0, { budget: 3_000, sizeOf })
    expect(sizeOf(text)).toBeLessThanOrEqual(3_000)
    expect(hooks).toBeGreaterThan(400)
  })

  test('is left to the task alone, where the whole never fits although its parts take nothing', async () => {
    const sizeOf = (text: string) => (text.includes('lift: ') ? (text.includes('\n\n') ? 301 : 100) : 0)
    const { text } = await section(3, 3, { sizeOf })
    expect(text).toMatch(/^## Current Task\n/)
    expect(text).not.toContain('\n\n')
    expect((await section(0, 0, { sizeOf: () => 301 })).text).toBe('')
  })

  test('of a task that was begun elsewhere is without what is known', async () => {
    const { tasks, store } = opened()
    await tasks.add({ id: 'a', title: 'A' })
    await tasks.start('a')
    const kept = await store.load('main')
    await store.save('main', { ...kept, recalled: {} })
    expect(await opened({ store }).tasks.section()).toBe(await tasks.section())
  })
})

describe('K1 a change of tasks', () => {
  test('answers the task as it is now; what changes nothing is not written', async () => {
    let saves = 0
    const store = transientTasks()
    const counting = {
      ...store,
      save: (...args: Parameters<typeof store.save>) => {
        saves += 1
        return store.save(...args)
      },
    }
    const { tasks } = opened({ store: counting })
    const task = { id: 'a', title: 'A', state: 'pending' }
    expect(await tasks.add({ id: 'a', title: 'A' })).toMatchObject({ ok: true, task, warnings: [] })
    await tasks.start('a')
    const before = saves
    // Once for where the conversation is now.
    await tasks.start('a')
    expect(saves).toBe(before + 1)
  })

  test('says which tasks wait for each other', async () => {
    const { tasks } = opened()
    await tasks.add({ id: 'a', title: 'A', dependencies: ['b'] })
    await tasks.add({ id: 'b', title: 'B', dependencies: ['a'] })
    expect(await tasks.cycles()).toEqual([['a', 'b']])
  })

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

describe('L2 a task that is started', () => {
  test('without long-term memory recalls nothing, notes nothing and warns of nothing', async () => {
    const notes: unknown[] = []
    const events = { note: async (event: unknown) => void notes.push(event) }
    const { tasks } = opened({ knowledge: null, events })
    await tasks.add({ id: 'a', title: 'A' })
    expect(await tasks.start('a')).toMatchObject({ ok: true, warnings: [] })
    expect(notes).toEqual([])
    const learned = { added: [], confirmed: [], contradicted: [] }
    expect(await tasks.complete('a', { summary: 'Berth 4 is free.' })).toMatchObject({
      learned,
      warnings: [],
    })
  })

  test('although what is known cannot be read has nothing recalled, which is said', async () => {
    const { tasks, knowledge, store } = opened()
    knowledge.recall = () => Promise.reject(new Error('disk gone'))
    await tasks.add({ id: 'a', title: 'A' })
    const because = ['Nothing was recalled for a: disk gone']
    expect(await tasks.start('a')).toMatchObject({ ok: true, warnings: because })
    expect((await store.load('main')).recalled).toEqual({ a: [] })
  })
})

describe('L1 a task that is completed', () => {
  test('changes no conversation in which it left no results', async () => {
    let sets = 0
    const setContext = () => {
      sets += 1
    }
    const { tasks } = opened({ setContext })
    await tasks.add({ id: 'a', title: 'A' })
    await tasks.start('a')
    await tasks.complete('a', { summary: 'Measured.' })
    expect(sets).toBe(0)
  })

  test('has its results in cold storage, from the time on at which it was completed', async () => {
    const cold = transientCold()
    const { tasks, held } = opened({ cold })
    await tasks.add({ id: 'a', title: 'A' })
    await tasks.start('a')
    held.messages = turnsOf(2, 200, 'leg')
    await tasks.complete('a', { summary: 'Both legs hold.' })
    const { chunks } = await cold.list()
    expect(chunks.length).toBeGreaterThan(0)
    for (const { at } of chunks) expect(at).toBe(1_000)
  })

  test('leaves its results where cold storage cannot have them, which is said', async () => {
    const put = () => Promise.reject(new Error('disk full'))
    const { tasks, held } = opened({ cold: { ...transientCold(), put, putLater: undefined } })
    await tasks.add({ id: 'a', title: 'A' })
    await tasks.start('a')
    const messages = turnsOf(2, 200, 'leg')
    held.messages = messages
    expect(await tasks.complete('a', { summary: 'Both legs hold.' })).toMatchObject({
      putAway: { results: 0, tokens: 0 },
      warnings: [expect.stringContaining('stay in the context')],
    })
    expect(held.messages).toBe(messages)
  })

  test('learns without a model where there is none to be asked for facts', async () => {
    const { tasks } = opened({ asksForFacts: true })
    await tasks.add({ id: 'a', title: 'A' })
    await tasks.start('a')
    expect(await tasks.complete('a', { summary: 'Measured.' })).toMatchObject({ ok: true, warnings: [] })
  })

  test('asks no model for facts unless that is wanted', async () => {
    const model = scriptedSummarizer('a/m', ['["Berth 4 is free."]'])
    const { tasks } = opened({ chain: new SummaryChain([model], standingClock()) })
    await tasks.add({ id: 'a', title: 'A' })
    await tasks.start('a')
    await tasks.complete('a', { summary: 'Measured.' })
    expect(model.asked).toEqual([])
  })

  test('has a model asked for facts where that is wanted, and learns none with a credential in it', async () => {
    const answer = '["Berth 4 is free.", "The vault opens with swordfish."]'
    const model = scriptedSummarizer('a/m', [answer])
    const { tasks, knowledge } = opened({
      ...{ chain: new SummaryChain([model], standingClock()), asksForFacts: true },
      secrets: { mask: (text) => text, isSecret: (text) => text.includes('swordfish') },
    })
    await tasks.add({ id: 'a', title: 'A' })
    await tasks.start('a')
    const done = await tasks.complete('a', { summary: 'Berth 4 is free. The vault opens with swordfish.' })
    const said = done.ok ? done.learned.added.map(({ content }) => content) : []
    expect(model.asked.map(({ maxTokens }) => maxTokens)).toEqual([DEFAULT_POLICY.summary.targetTokens])
    expect(model.asked[0]?.prompt.user).toContain('Berth 4 is free. The vault')
    expect(said).toContain('Berth 4 is free.')
    expect(said.join()).not.toContain('swordfish')
    expect(JSON.stringify(await knowledge.search('swordfish vault', 9))).not.toContain('swordfish')
  })

  test('learns nothing from a model that is down, which is said', async () => {
    const chain = new SummaryChain([scriptedSummarizer('a/m', [{}])], standingClock())
    const { tasks } = opened({ chain, asksForFacts: true })
    await tasks.add({ id: 'a', title: 'A' })
    await tasks.start('a')
    expect(await tasks.complete('a', { summary: 'Measured.' })).toMatchObject({
      ...{ ok: true, learned: { added: [] }, warnings: ['a/m is down.'] },
    })
  })

  test('is noted in the log with what was learned', async () => {
    const notes: unknown[] = []
    const { tasks } = opened({ events: { note: async (event) => void notes.push(event) } })
    await tasks.add({ id: 'a', title: 'A' })
    await tasks.start('a')
    await tasks.complete('a', { summary: 'Measured.' })
    expect(notes.at(-1)).toMatchObject({ kind: 'completed', task: 'a', at: 1_000, session: 'main' })
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

describe('K1 what a task came to, where the agent does not say', () => {
  async function completed(more: Parameters<typeof opened>[0] = {}, start = true) {
    const all = opened(more)
    await all.tasks.add({ id: 'a', title: 'A' })
    all.held.messages = turnsOf(1, 20, 'before')
    if (start) await all.tasks.start('a')
    all.held.messages = [...all.held.messages, ...turnsOf(2, 200, 'leg')]
    return { ...all, done: await all.tasks.complete('a') }
  }
  const resultOf = ({ done }: Awaited<ReturnType<typeof completed>>) =>
    done.ok ? (done.task.result?.summary ?? '') : done.problem

  test('is a digest of what was done since it began, and no model is asked', async () => {
    const all = await completed()
    expect(all.done).toMatchObject({ ok: true, warnings: [], putAway: { results: 2 } })
    expect(resultOf(all)).toContain('leg')
    expect(resultOf(all)).not.toContain('before')
  })

  test('is a digest as well where the agent says nothing but blanks, without what must not be seen', async () => {
    const [known, secret] = ['123e4567-e89b-12d3-a456-426614174000', '123e4567-e89b-12d3-a456-426614174999']
    const secrets = { mask: (text: string) => text, isSecret: (text: string) => text.includes(secret) }
    const { tasks, held } = opened({ secrets })
    await tasks.add({ id: 'a', title: 'A' })
    await tasks.start('a')
    held.messages = [...turnsOf(1), { role: 'assistant', content: `The runs are ${known} and ${secret}.` }]
    const done = await tasks.complete('a', { summary: ' \n' })
    const summary = done.ok ? (done.task.result?.summary ?? '') : done.problem
    expect(summary).toContain(known)
    expect(summary).not.toContain(secret)
  })

  test('is read of each message at its place, as far as a form reads it', async () => {
    const messages: { now: readonly ContentMessage[] } = { now: turnsOf(1, 20, 'before') }
    const read = (message: ContentMessage, at: number) => {
      expect(messages.now[at]).toBe(message)
      return message.role === 'user' ? null : CONTENT_FORM.toSource(message, at)
    }
    const { tasks } = opened({
      getContext: () => messages.now,
      setContext: (next) => {
        messages.now = next
      },
      form: { ...CONTENT_FORM, tokensOf: sizeOf, toSource: read },
    })
    await tasks.add({ id: 'a', title: 'A' })
    await tasks.start('a')
    messages.now = [...messages.now, ...turnsOf(2, 200, 'leg')]
    const done = await tasks.complete('a')
    const summary = done.ok ? (done.task.result?.summary ?? '') : done.problem
    expect(summary).toContain('src/leg1')
    expect(summary).not.toContain('Please do leg')
  })

  test('is what a model says, which is asked once, for as many tokens as a summary may have', async () => {
    const model = scriptedSummarizer('a/m', ['Both legs hold.'])
    const all = await completed({ chain: new SummaryChain([model], standingClock()) })
    expect(resultOf(all)).toBe('Both legs hold.')
    expect(model.asked.map(({ maxTokens }) => maxTokens)).toEqual([DEFAULT_POLICY.summary.targetTokens])
    expect(model.asked[0]?.prompt.user).toContain('leg')
  })

  test('is a digest where the model fails, which is said, and where it is stopped', async () => {
    const chainWith = (fault: 'http' | 'aborted') =>
      new SummaryChain([scriptedSummarizer('a/m', [{ fault }])], standingClock())
    const failed = await completed({ chain: chainWith('http') })
    expect(failed.done).toMatchObject({ ok: true, warnings: ['a/m is down.'] })
    expect(resultOf(failed)).toContain('leg')
    const all = opened({ chain: chainWith('aborted') })
    await all.tasks.add({ id: 'a', title: 'A' })
    await all.tasks.start('a')
    all.held.messages = turnsOf(2, 200, 'leg')
    const stopped = await all.tasks.complete('a', { signal: AbortSignal.abort() })
    expect(stopped).toMatchObject({ ok: true, warnings: [] })
    expect(stopped.ok ? stopped.task.result?.summary : '').toContain('leg')
  })

  test('is not worked out for a task that was not under way, and nothing of it is archived', async () => {
    const model = scriptedSummarizer('a/m', ['Both legs hold.'])
    const { done, held } = await completed({ chain: new SummaryChain([model], standingClock()) }, false)
    expect(done.ok).toBe(false)
    expect(model.asked).toEqual([])
    expect(held.messages.map(contentText).join()).toContain('data data')
  })

  test('has no credential in it', async () => {
    const secrets = { mask: (text: string) => text.replaceAll('leg', '***'), isSecret: () => false }
    expect(resultOf(await completed({ secrets }))).not.toContain('leg')
    const { tasks } = opened({ secrets })
    await tasks.add({ id: 'a', title: 'A' })
    await tasks.start('a')
    expect(await tasks.complete('a', { summary: 'The leg holds.' })).toMatchObject({
      task: { result: { summary: 'The *** holds.' } },
    })
  })
})

describe('K1 tasks that are kept', () => {
  test('know where each began, and what was recalled for it, until it is completed', async () => {
    const { tasks, store, held, knowledge } = opened()
    await knowledge.add('The barge weighs 40 tonnes.', { source: 'operator', scope: null })
    await tasks.add({ id: 'a', title: 'Weigh the barge' })
    await tasks.add({ id: 'b', title: 'Moor the barge' })
    held.messages = turnsOf(1)
    await tasks.start('a')
    const begun = await store.load('main')
    expect(begun.marks.a?.count).toBe(4)
    expect(begun.recalled.a).toEqual(['The barge weighs 40 tonnes.'])
    await tasks.change({ kind: 'fail', id: 'a', reason: 'no scale' } as never)
    held.messages = [...held.messages, ...turnsOf(1, 10, 'more')]
    expect((await tasks.start('b')).ok).toBe(true)
    expect(Object.keys((await store.load('main')).marks)).toContain('b')
    await tasks.complete('b', { summary: 'Moored.' })
    const { marks, recalled } = await store.load('main')
    expect([marks.b, recalled.b]).toEqual([undefined, undefined])
    expect(marks.a).toEqual(begun.marks.a)
    expect(recalled.a).toEqual(begun.recalled.a)
  })
})
