import { expect, test } from 'vitest'
import { originalText } from '../core/cold/original-text'
import { findUnpaired } from '../core/history/pairing'
import type { ContentMessage } from '../core/history/thinking'
import type { Policy, PolicyPatch } from '../core/policy/policy'
import { resolvePolicy } from '../core/policy/resolve'
import { SummaryChain } from '../engine/summary/summary-chain'
import { type BuiltForm, inForm, MESSAGE_FORMS } from '../testing/builders/conversations'
import { coldAgent, NOW } from '../testing/cold-conversation'
import { soundSummary, standingClock } from '../testing/scripted-summarizer'
import { contentForm } from './content-form'
import { ContextManager } from './context-manager'
import type { LiveAgent } from './live-agent'

const PARTS = { identity: 'You keep the harbour log.' }
const SMALL: PolicyPatch = {
  window: { warnBelow: 0, blockBelow: 0 },
  reserve: { tokens: 200, floor: 0 },
  compaction: { keepRecentTokens: 300 },
  history: { recentTurns: 1 },
  summary: { targetTokens: 20 },
}
const POLICY: Policy = resolvePolicy([{ level: 'session', label: 'test', patch: SMALL }]).policy
const WINDOW = 3_000

/** One turn of an agent, about 300 tokens, with the ids of its calls. */
function turnOf(form: BuiltForm, at: number, id = `call_${at}`): ContentMessage[] {
  return inForm(form, [
    { kind: 'ask', text: `Which ship lies at berth ${at}?`, image: false },
    {
      kind: 'answer',
      text: 'I look.',
      thinks: false,
      aside: '',
      calls: [{ id, path: `log/${at}.md`, result: `${at}: ${'hull crane '.repeat(100)}` }],
    },
    { kind: 'answer', text: `Ship ${at}.`, thinks: false, aside: '', calls: [] },
  ])
}

const chainOf = (answer: () => Promise<string> | string = () => soundSummary('berth')) =>
  new SummaryChain(
    [{ name: 'a/m', summarize: async () => ({ ok: true, text: await answer(), usage: null }) }],
    standingClock(),
  )

function agentOf(more: Partial<LiveAgent<ContentMessage>> = {}) {
  const agent = coldAgent([], POLICY, { window: WINDOW, form: contentForm(), chain: chainOf(), ...more })
  const lost = async (all: readonly ContentMessage[]) => {
    const kept = (await agent.cold.list()).chunks.flatMap((chunk) => chunk.messages ?? [])
    const here = new Set([...kept, ...agent.held.messages.map(originalText)])
    return all.filter((message) => !here.has(originalText(message)))
  }
  return { ...agent, lost }
}

test.each(MESSAGE_FORMS)(
  'I1 J7 two managers of one conversation lose nothing and tear nothing: %s',
  async (form) => {
    const one = agentOf()
    const other = new ContextManager<ContentMessage>({
      ...{ policy: POLICY, window: WINDOW, key: null, promptCache: null },
      agent: {
        ...{ session: 'agent:harbour:main', form: contentForm(), clock: { now: () => NOW }, cold: one.cold },
        getContext: () => one.held.messages,
        setContext: async (next) => {
          await new Promise(setImmediate)
          one.held.messages = next
        },
      },
    })
    const all: ContentMessage[] = []
    for (let at = 0; at < 16; at++) {
      const turn = turnOf(form, at)
      all.push(...turn)
      one.held.messages = [...one.held.messages, ...turn]
      await Promise.all([
        one.context.beforeResponse(turnOf(form, 99).slice(0, 1)),
        other.beforeResponse(),
        one.context.afterResponse(),
        other.compact(),
      ])
      expect(await one.lost(all)).toEqual([])
      expect(findUnpaired(one.held.messages)).toEqual({ orphans: [], unanswered: [] })
    }
  },
)

test.each(MESSAGE_FORMS)(
  'I1 J7 an agent that changes its list and its messages in place: %s',
  async (form) => {
    const list: ContentMessage[] = []
    const { context, cold } = agentOf({
      getContext: () => list,
      setContext: (next) => void list.splice(0, list.length, ...next),
    })
    const all: ContentMessage[] = []
    for (let at = 0; at < 16; at++) {
      const turn = turnOf(form, at)
      list.push(...turn)
      all.push(...turn)
      await context.beforeResponse()
      // A mark for the provider's cache, moved along as its guides say.
      for (const message of list) delete (message as { cache?: unknown }).cache
      Object.assign(list.at(-1) ?? {}, { cache: { at } })
      await context.request({ parts: PARTS, prompt: [] })
      await context.afterResponse()
      expect(findUnpaired(list)).toEqual({ orphans: [], unanswered: [] })
    }
    const bare = (text: string) => text.replace(/,"cache":\{"at":\d+\}/, '')
    const kept = (await cold.list()).chunks.flatMap((chunk) => chunk.messages ?? [])
    const here = new Set([...kept, ...list.map(originalText)].map(bare))
    expect(all.filter((message) => !here.has(bare(originalText(message))))).toEqual([])
  },
)

test.each(MESSAGE_FORMS)(
  'I1 J7 an agent whose store answers new objects each time, with ids used again: %s',
  async (form) => {
    let stored = '[]'
    const { context, cold } = agentOf({
      getContext: () => JSON.parse(stored),
      setContext: (next) => {
        stored = JSON.stringify(next)
      },
    })
    const all: ContentMessage[] = []
    for (let at = 0; at < 16; at++) {
      const turn = turnOf(form, at % 3, 'call_1').map((message) => Object.freeze({ ...message, id: 'same' }))
      all.push(...turn)
      stored = JSON.stringify([...JSON.parse(stored), ...turn])
      await context.beforeResponse(turn.slice(0, 1))
      await context.request({ parts: PARTS, prompt: [] })
      await context.afterResponse()
      expect(findUnpaired(JSON.parse(stored))).toEqual({ orphans: [], unanswered: [] })
    }
    const kept = (await cold.list()).chunks.flatMap((chunk) => chunk.messages ?? [])
    const here = new Set([...kept, ...(JSON.parse(stored) as unknown[]).map(originalText)])
    expect(all.filter((message) => !here.has(originalText(message)))).toEqual([])
  },
)

/** Each of the first calls of an agent's parts, and some of the later ones. */
const MOMENTS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 15, 20, 26]

test('I1 V4 a signal that says stop at any moment, and a clock that goes backwards, lose nothing', async () => {
  for (const moment of MOMENTS) {
    const stop = new AbortController()
    let [calls, time] = [0, NOW]
    const step = <T>(value: T): T => {
      calls += 1
      if (calls === moment) stop.abort()
      return value
    }
    const { context, held, lost } = agentOf({
      chain: chainOf(() => step(soundSummary('berth'))),
      clock: {
        now: () => {
          time -= 60_000
          return step(time)
        },
      },
      hooks: { run: async () => step([]) },
      plan: () => step(null),
    })
    const all: ContentMessage[] = []
    for (let at = 0; at < 12; at++) {
      const turn = turnOf('anthropic', at)
      all.push(...turn)
      held.messages = [...held.messages, ...turn]
      await context.beforeResponse([], stop.signal)
      await context.afterResponse({ signal: stop.signal })
      await context.compact({ signal: stop.signal })
      expect(await lost(all)).toEqual([])
      expect(findUnpaired(held.messages)).toEqual({ orphans: [], unanswered: [] })
    }
  }
})

test('E2 V4 a model that never answers costs its time limit and a warning; one that refuses or says nothing costs a warning', async () => {
  const policy = resolvePolicy([
    { level: 'session', label: 'test', patch: SMALL },
    { level: 'session', label: 'case', patch: { compaction: { timeoutMs: 40, retries: 1 } } },
  ]).policy
  const answers = [
    () => new Promise<string>(() => {}),
    () => '',
    () => 'I cannot help with that.',
    () => null as never,
  ]
  for (const answer of answers) {
    const { context, held } = coldAgent(
      Array.from({ length: 12 }, (_, at) => turnOf('chat', at)).flat(),
      policy,
      { window: WINDOW, form: contentForm(), chain: chainOf(answer) },
    )
    const began = performance.now()
    const done = await context.compact()
    expect(performance.now() - began).toBeLessThan(5_000)
    if (done.kind !== 'compacted') throw new Error(done.kind)
    expect(done.summary.source).toBe('digest')
    expect(done.notes.join()).toContain('a/m')
    expect(findUnpaired(held.messages)).toEqual({ orphans: [], unanswered: [] })
  }
})

test('V4 an agent of a class with private fields is served', async () => {
  class Harbour {
    #messages: readonly ContentMessage[] = turnOf('chat', 1)
    readonly session = 's'
    readonly form = contentForm()
    readonly clock = { now: () => NOW }
    getContext() {
      return this.#messages
    }
    setContext(messages: readonly ContentMessage[]) {
      this.#messages = messages
    }
    onStep() {
      throw new Error(`${this.#messages.length} messages`)
    }
    getTokenCount() {
      return this.#messages.length * 1_000
    }
  }
  const context = new ContextManager<ContentMessage>({
    ...{ policy: POLICY, window: WINDOW, key: null, promptCache: null, agent: new Harbour() },
  })
  const { before, warnings } = await context.beforeResponse()
  expect(before.tokens.value).toBe(4_000)
  expect(warnings.join()).toContain('onStep failed')
})

test('C8 answers and results that grow in place, as streams fill them, keep their pairs in every request', async () => {
  type Growing = { role: string; content: object[] }
  const list: ContentMessage[] = []
  const { context } = coldAgent([], POLICY, {
    window: WINDOW,
    form: contentForm(),
    getContext: () => list,
    setContext: (messages) => void list.splice(0, list.length, ...messages),
  })
  const call = (id: string) => ({ type: 'tool_use', id, name: 'read', input: {} })
  const result = (id: string, content: string) => ({ type: 'tool_result', tool_use_id: id, content })
  for (let i = 0; i < 14; i++) {
    const answer: Growing = { role: 'assistant', content: [{ type: 'text', text: 'I look.' }] }
    list.push({ role: 'user', content: `Which berth is free? ${i}` }, answer)
    await context.beforeResponse()
    answer.content.push(call(`a${i}`), call(`b${i}`))
    const results: Growing = { role: 'user', content: [result(`a${i}`, 'hull '.repeat(120))] }
    list.push(results)
    await context.afterResponse()
    results.content.push(result(`b${i}`, 'quay '.repeat(120)))
    await context.beforeResponse()
    const { messages } = await context.request({ parts: PARTS, prompt: [] })
    const sent = messages.map(({ message }) => structuredClone(message))
    expect(findUnpaired(sent)).toEqual({ orphans: [], unanswered: [] })
    expect(JSON.stringify(sent)).toContain(`"b${i}"`)
  }
})
