import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import type { ContentMessage } from '../../core/history/thinking'
import { REQUIRED_HEADINGS } from '../../core/summary/audit'
import { transientCold } from '../../engine/cold/transient-cold'
import { transientFacts } from '../../engine/knowledge/fact-store'
import {
  type ConversationStep,
  conversations,
  inForm,
  MESSAGE_FORMS,
} from '../../testing/builders/conversations'
import { refusedBy } from '../../testing/builders/provider-check'
import { transientTasks } from '../task-store'
import type { ContextOptions } from './context-options'
import { createContext } from './create-context'

const MODEL = 'claude-sonnet-4-5'

/** A turn: what is asked, a call with a long result, an answer; about so many words. */
function turn(at: number, words = 400): ConversationStep[] {
  const result = `${at}: ${'berth crane ledger '.repeat(words / 3)}`
  const call = { id: `call_${at}`, path: `log/${at}.md`, result }
  return [
    { kind: 'ask', text: `Where does ship ${at} lie?`, image: false },
    { kind: 'answer', text: `I look for ship ${at}.`, thinks: false, calls: [call], aside: '' },
    { kind: 'answer', text: `Ship ${at} lies at berth ${at % 9}.`, thinks: false, calls: [], aside: '' },
  ]
}

const turns = (count: number, words?: number) =>
  Array.from({ length: count }, (_, at) => turn(at, words)).flat()
const asked = (text: string): ConversationStep => ({ kind: 'ask', text, image: false })
const small = (more: Partial<ContextOptions> = {}) => createContext({ model: MODEL, window: 32_000, ...more })

describe.each(MESSAGE_FORMS)('five lines, messages as %s', (form) => {
  test('V2: as long as nothing is due, the very same messages come back', async () => {
    const messages = inForm(form, [...turns(5), asked('And ship 7?')])
    const text = JSON.stringify(messages)
    const { messages: sent, done, system } = await createContext({ model: MODEL }).fit(messages)
    expect(sent.every((message, i) => message === messages[i])).toBe(true)
    expect(JSON.stringify(sent)).toBe(text)
    expect(done).toMatchObject({ steps: [], dropped: [], returned: [], summary: null, failure: null })
    expect(done.before).toMatchObject({ basis: 'estimated' })
    expect(done.after).toEqual(done.before)
    expect([system, done.window, done.warnings]).toEqual(
      ['', 1_000_000, []].map((one, i) => (i === 1 ? done.window : one)),
    )
  })

  test('V2: when much is due, what is sent fits, keeps every pair, begins with a summary and ends as it came', async () => {
    const messages = inForm(form, [...turns(60), asked('And ship 7?')])
    const copy = structuredClone(messages)
    const { messages: sent, done } = await small().fit(messages)
    expect(refusedBy(form, sent)).toEqual([])
    expect(done.steps).toContain('compact')
    expect(JSON.stringify(sent[0])).toContain('<prior-conversation-summary>')
    // What the question brought back from cold storage is in front of it.
    expect(JSON.stringify(sent.at(-1))).toMatch(/<recovered-context.*Ship 7 lies at berth 7.*And ship 7\?/s)
    expect(done.returned.length).toBeGreaterThan(0)
    expect(done.after.value).toBeLessThan(16_000)
    expect(done.before.value).toBeGreaterThan(16_000)
    expect(done.summary).toMatchObject({ by: 'digest' })
    // What the caller holds is his.
    expect(messages).toEqual(copy)
  })

  test('V2: both ways to go on are understood, turn by turn, and nothing is compacted twice', async () => {
    const now = () => Date.parse('2026-11-21T10:00:00Z')
    const [whole, fitted] = [small({ now }), small({ now })]
    const all: ContentMessage[] = []
    let kept: ContentMessage[] = []
    let [compactions, last] = [0, '']
    for (let at = 0; at < 40; at++) {
      const [ask, ...answers] = turn(at)
      const next = inForm(form, ask === undefined ? [] : [ask])
      all.push(...next)
      const one = await whole.fit(all)
      const other = await fitted.fit([...kept, ...next])
      expect(other.messages).toEqual(one.messages)
      expect(other.done.steps).toEqual(one.done.steps)
      expect(refusedBy(form, one.messages)).toEqual([])
      compactions += one.done.steps.filter((step) => step === 'compact').length
      last = JSON.stringify(one.messages)
      const answered = inForm(form, answers)
      all.push(...answered)
      kept = [...other.messages, ...answered]
    }
    expect(compactions).toBeGreaterThan(0)
    expect(compactions).toBeLessThan(6)
    expect(last.split('<prior-conversation-summary>')).toHaveLength(2)
  })

  test('V2: property: what is sent fits the window or says why, keeps the rules of its API, and stays when it is fitted again', async () => {
    await fc.assert(
      fc.asyncProperty(
        conversations(120),
        fc.integer({ min: 16_000, max: 40_000 }),
        async (steps, window) => {
          const context = createContext({ model: MODEL, window })
          const messages = inForm(form, steps)
          const { messages: sent, done } = await context.fit(messages)
          const again = await context.fit(sent)
          expect(again.messages).toEqual(sent)
          expect(again.done.steps).toEqual([])
          expect((await context.fit(messages)).messages).toEqual(sent)
          expect(done.failure === null).toBe((done.after.value ?? 0) <= window * 0.85)
          if (done.steps.length > 0) expect(refusedBy(form, sent)).toEqual([])
          else expect(sent).toEqual(messages)
        },
      ),
      { numRuns: 25 },
    )
  })
})

test('V2: cold storage has what has left, words find it, and it comes back', async () => {
  const context = small()
  const messages = inForm('anthropic', [...turns(60), asked('Go on.')])
  const { done } = await context.fit(messages)
  expect(done.dropped.length).toBeGreaterThan(10)
  const [found] = await context.search('ship 3 lies at berth')
  expect(found?.text).toContain('Ship 3')
  expect(done.dropped.map(({ id }) => id)).toContain(found?.id)
  const recovery = await context.recover(found?.id ?? '')
  expect(recovery.kind).toBe('recovered')
  messages.push(...inForm('anthropic', [turn(60)[2] as ConversationStep, asked('Thanks.')]))
  const { messages: sent } = await context.fit(messages)
  expect(JSON.stringify(sent)).toContain('<recovered-context')
})

test('V2: what the provider counted beats the estimate, also after a compaction', async () => {
  const context = small()
  const messages = inForm('chat', [...turns(4), asked('And ship 7?')])
  await context.fit(messages)
  const { prompt, output, cost } = context.report({ prompt_tokens: 12_345, completion_tokens: 10 })
  expect([prompt, output]).toEqual([
    { value: 12_345, basis: 'measured' },
    { value: 10, basis: 'measured' },
  ])
  expect(cost).toMatchObject({ basis: 'estimated' })
  messages.push(...inForm('chat', [turn(9)[2] as ConversationStep, asked('And ship 8?')]))
  const { done } = await context.fit(messages)
  expect(done.before.value).toBeGreaterThan(12_345)
  expect(done.before.value).toBeLessThan(12_500)
  // 9,000 tokens are no messages: tools, a system prompt that is not shown.
  await context.compact()
  const after = await context.fit(messages)
  expect(after.done.after.value).toBeGreaterThan(9_000)
  expect((await context.status()).cost).toMatchObject({ basis: 'estimated' })
})

test('V2: system prompt, instructions in front and tools count, and stay in front', async () => {
  const system = { role: 'system', content: 'You keep the harbour. '.repeat(500) }
  const messages = [system, ...inForm('chat', [...turns(60), asked('And ship 7?')])]
  const context = small()
  const { messages: sent, done } = await context.fit(messages)
  expect(sent[0]).toBe(system)
  expect(done.after.value).toBeGreaterThan(2_000)
  const renewed = { role: 'system', content: 'It is five past.' }
  const again = await context.fit([renewed, ...messages.slice(1)])
  expect(again.messages.slice(1)).toEqual(sent.slice(1))
  expect(again.messages[0]).toBe(renewed)
  const tools = [
    { name: 'read', input_schema: { type: 'object', properties: {} }, description: 'x'.repeat(4_000) },
  ]
  const more = await context.fit([renewed, ...messages.slice(1)], { tools, system: 'You keep the quay.' })
  expect(more.done.before.value).toBeGreaterThan((again.done.after.value ?? 0) + 500)
})

test('V2: a conversation that was changed where it was compacted is a new one, and is said to be', async () => {
  const context = small()
  const messages = inForm('anthropic', [...turns(60), asked('And ship 7?')])
  await context.fit(messages)
  const other = [...inForm('anthropic', [asked('Something else.')]), ...messages.slice(1)]
  const { done, messages: sent } = await context.fit(other)
  expect(done.warnings.join()).toContain('Message 0 is another one than in the call before')
  expect(done.steps).toContain('compact')
  expect(refusedBy('anthropic', sent)).toEqual([])
})

test('V2: a model that the list does not know has the policy’s window, said once', async () => {
  const reported: string[] = []
  const context = createContext({ model: 'harbour-7b', onWarning: (warning) => reported.push(warning) })
  const { done } = await context.fit([{ role: 'user', content: 'Hello' }])
  expect(done.window).toBe(200_000)
  expect(done.warnings).toEqual([expect.stringContaining('does not know the window of "harbour-7b"')])
  expect((await context.fit([{ role: 'user', content: 'Hello there' }])).done.warnings).toEqual([])
  expect(reported).toEqual(done.warnings)
  expect((await context.status()).windowFrom).toBe('default')
  expect(context.report({ prompt: 5, output: 1 }).cost).toEqual({ value: null, basis: 'unknown' })
})

test('V2: what the agent gives may fail: each failure costs a warning and no turn', async () => {
  const fails = () => {
    throw new Error('the disk is full')
  }
  const context = small({
    countTokens: fails,
    summary: async () => fails(),
    cold: { root: 'nowhere', put: fails, list: fails, extend: fails, remove: fails },
    logs: { add: fails, addAll: fails },
    memory: {
      ...{ load: fails, save: fails, checkpoints: fails, addCheckpoint: fails },
      ...{ stepCheckpoints: fails, addStepCheckpoint: fails },
    },
    hooks: { run: fails },
    onFlush: fails,
    onWarning: fails,
  })
  const messages = inForm('anthropic', [...turns(60), asked('And ship 7?')])
  const { messages: sent, done } = await context.fit(messages)
  expect(sent.length).toBeGreaterThan(0)
  expect(refusedBy('anthropic', sent)).toEqual([])
  expect(done.warnings.join('\n')).toMatch(/countTokens failed: the disk is full/)
})

test('V2: calls that come together are served one after the other', async () => {
  const context = small()
  const messages = inForm('anthropic', [...turns(60), asked('And ship 7?')])
  const both = await Promise.all([context.fit(messages), context.fit(messages)])
  expect(both[1].messages).toEqual(both[0].messages)
  expect(both.map(({ done }) => done.steps.length > 0)).toEqual([true, false])
})

test('V2: a summary that the caller’s own function writes', async () => {
  const prompts: string[] = []
  const context = small({
    policy: { compaction: { qualityRetries: 0 } },
    summary: ({ user }) => {
      prompts.push(user)
      return REQUIRED_HEADINGS.map((heading) => `${heading}\n- Ship 3 goes to berth 3.`).join('\n')
    },
  })
  const { done, messages } = await context.fit(inForm('chat', [...turns(60), asked('And ship 7?')]))
  expect(prompts.join()).toContain('ship 3')
  expect(done.summary).toMatchObject({ by: 'summary' })
  expect(JSON.stringify(messages[0])).toContain('Ship 3 goes to berth 3.')
})

test('V2: a list that is none is refused by what it is', async () => {
  const context = small()
  await expect(context.fit('hello' as never)).rejects.toThrow(/fit was given "hello"/)
  await expect(context.fit([{ role: 'user', content: 'x' }, null] as never)).rejects.toThrow(
    /Message 1 is null/,
  )
  await expect(context.fit([])).resolves.toMatchObject({ messages: [] })
})

test('V2: tasks, facts and a search of memory are options, and what they know is in the system prompt', async () => {
  const context = small({
    tasks: transientTasks(),
    facts: transientFacts(),
    search: {
      refresh: async () => ({ problems: [], notes: [] }),
      search: () => [],
    },
    policy: { semantic: { enabled: true } },
  })
  await context.facts?.add('The crane of pier seven lifts 40 tonnes.', { source: 'user' })
  await context.tasks?.add({ id: 'lift', title: 'Lift cargo with the crane of pier seven' })
  await context.tasks?.start('lift')
  const messages = inForm('chat', [asked('Which berth is free?')])
  const { system, messages: sent } = await context.fit(messages)
  expect(system).toContain('Lift cargo with the crane')
  expect(system).toContain('40 tonnes')
  expect(sent).toEqual(messages)
  expect(small().tasks).toBeNull()
})

test('V2: a report that comes from a callback costs a warning, and a prompt above the window says that it is larger, once', async () => {
  const context = small({
    hooks: {
      run: async () => {
        context.report({ prompt: 5, output: 1 })
        return []
      },
    },
  })
  const messages = inForm('chat', [...turns(60), asked('And ship 7?')])
  const { done } = await context.fit(messages)
  expect(done.steps).toContain('compact')
  const next = [...messages, { role: 'assistant', content: 'Berth 7.' }]
  context.report({ prompt: 40_000, output: 1 })
  context.report({ prompt: 41_000, output: 1 })
  const warnings = (await context.fit([...next, { role: 'user', content: 'Thanks.' }])).done.warnings
  expect(warnings.filter((one) => one.includes('the window is larger than the 32000'))).toHaveLength(1)
  expect([...done.warnings, ...warnings].join()).toContain('was not noted')
})

test('V2: conversations that share a store find nothing of each other, unless they have one name', async () => {
  const cold = transientCold()
  const messages = inForm('anthropic', [...turns(60), asked('Go on.')])
  await small({ cold, session: 'agent:harbour:main' }).fit(messages)
  const [other, third] = [small({ cold }), small({ cold })]
  expect((await other.status()).sessionId).not.toBe((await third.status()).sessionId)
  expect(await other.search('ship 3')).toEqual([])
  const again = small({ cold, session: 'agent:harbour:main' })
  expect((await again.search('ship 3')).length).toBeGreaterThan(0)
})

test('V2: a list that brings nothing new is not worked on again', async () => {
  const context = small()
  const messages = inForm('anthropic', [...turns(60), asked('And ship 7?')])
  const climbs = vi.spyOn(context.manager, 'beforeResponse')
  await context.fit(messages)
  await context.fit(messages)
  expect(climbs).toHaveBeenCalledTimes(1)
  await context.compact()
  await context.fit(messages)
  expect(climbs).toHaveBeenCalledTimes(2)
})

test('V2: what was counted for other messages does not count any more', async () => {
  const context = small()
  const messages = inForm('chat', [...turns(4, 1_200), asked('And ship 7?')])
  await context.fit(messages, { system: 'You keep the log.' })
  context.report({ prompt: 12_345, output: 10 })
  const tiny = Array.from({ length: 20 }, (_, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: 'Yes.',
  }))
  const other = [...messages.slice(0, 4), ...tiny, { role: 'user', content: 'And ship 8?' }]
  const { done } = await context.fit(other, { system: 'You keep the log.' })
  expect(done.before.value).toBeGreaterThan(500)
  expect(done.before.value).toBeLessThan(12_345)
})

test('V2: the policy’s cap holds for a window that is named', async () => {
  const context = small({ window: 100_000, policy: { window: { cap: 50_000 } } })
  expect((await context.fit([{ role: 'user', content: 'Hello' }])).done.window).toBe(50_000)
})

test('V2 A1: an answer that grows in place while it is streamed is counted as it has become', async () => {
  const context = createContext({ model: MODEL })
  const answer = { role: 'assistant', content: [{ type: 'text', text: 'I look.' }] }
  const messages: object[] = [{ role: 'user', content: 'Where does ship 7 lie?' }, answer]
  const { done: first } = await context.fit(messages)
  answer.content.push({ type: 'text', text: 'At berth four, behind the crane. '.repeat(500) })
  const { done: grown } = await context.fit(messages)
  expect(grown.before.value).toBeGreaterThan((first.after.value ?? 0) + 2_000)
  messages.push({ role: 'user', content: 'And ship 8?' })
  const { done, messages: sent } = await context.fit(messages)
  expect(done.before.value).toBeGreaterThan((first.after.value ?? 0) + 2_000)
  expect(sent).toEqual(messages)
  expect((await context.status()).tokens.value).toBeGreaterThan(2_000)
})

test.each([
  ['a text', () => ({ role: 'assistant', content: 'I look.' }), 'content'],
  ['a block', () => ({ role: 'assistant', content: [{ type: 'text', text: 'I look.' }] }), 'content.0.text'],
  [
    'the arguments of a call',
    () => ({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{}' } }],
    }),
    'tool_calls.0.function.arguments',
  ],
])(
  'V2 A1: %s that grows in place is counted as it has become, without another block',
  async (_, make, path) => {
    const context = createContext({ model: MODEL })
    const answer = make()
    const messages: object[] = [{ role: 'user', content: 'Where does ship 7 lie?' }, answer]
    const { done: first } = await context.fit(messages)
    const [field = '', ...above] = path.split('.').toReversed()
    const holder = above.reduceRight((value: object, name) => Reflect.get(value, name), answer)
    Reflect.set(holder, field, `{"text":"${'At berth four, behind the crane. '.repeat(500)}"}`)
    const { done: grown, messages: sent } = await context.fit(messages)
    expect(grown.before.value).toBeGreaterThan((first.after.value ?? 0) + 2_000)
    expect(sent[1]).toBe(answer)
    expect((await context.status()).tokens.value).toBeGreaterThan(2_000)
  },
)

test('V2: cold storage has what a message said in the end, which grew in place after it was read', async () => {
  const context = createContext({ model: MODEL, window: 32_000 })
  const block = { type: 'text', text: 'I look.' }
  const messages: object[] = [
    { role: 'user', content: 'Where does ship 7 lie?' },
    { role: 'assistant', content: [block] },
    ...Array.from({ length: 40 }, (_, i) => [
      { role: 'user', content: `And ship ${i + 8}?` },
      { role: 'assistant', content: [{ type: 'text', text: `At berth ${i}. ${'It rains. '.repeat(60)}` }] },
    ]).flat(),
  ]
  await context.fit(messages)
  block.text = 'The crane at pier nineteen has a torque of forty.'
  await context.fit(messages)
  expect((await context.compact()).kind).toBe('compacted')
  const [found] = await context.search('torque of the crane at pier nineteen')
  expect(found?.text).toContain('The crane at pier nineteen has a torque of forty.')
})
