import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withoutDetails } from '../core/history/details'
import type { ContentMessage } from '../core/history/thinking'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import type { Policy } from '../core/policy/policy'
import { PRESETS } from '../core/policy/presets'
import { resolvePolicy } from '../core/policy/resolve'
import { conversations, inForm, MESSAGE_FORMS } from '../testing/builders/conversations'
import { coldAgent, errands, MEMFAS } from '../testing/cold-conversation'
import { contentText, liveAgent, sizeOf, turnsOf } from '../testing/live-conversation'
import { CONTENT_FORM } from './content-form'
import { ContextManager } from './context-manager'
import { Conversation } from './conversation'
import type { ContextManagerOptions } from './manager-options'

const PARTS = { identity: 'You keep the harbour log.' }
const NOW = Date.parse('2026-11-21T10:00:00Z')
const VS7 = resolvePolicy([{ level: 'preset', label: 'vs7', patch: PRESETS.vs7 }]).policy
const ask = (content: string): ContentMessage => ({ role: 'user', content })

/** As a stranger sets it up: no counter, the form that the library has. */
function stranger(
  messages: readonly ContentMessage[],
  more: Partial<ContextManagerOptions<ContentMessage>> = {},
) {
  const talk = new Conversation(messages)
  const context = new ContextManager({
    policy: DEFAULT_POLICY,
    window: 200_000,
    key: null,
    promptCache: null,
    agent: { ...talk, session: 's', clock: { now: () => NOW }, form: CONTENT_FORM },
    ...more,
  })
  return { talk, context }
}

describe('what a request holds', () => {
  const thought = { type: 'thinking', thinking: 'A secret thought.', signature: 'c2ln' }
  const call = { type: 'tool_use', id: 'c1', name: 'read', input: {} }
  const over: ContentMessage[] = [
    ask('Which berth?'),
    { role: 'assistant', content: [thought, call] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'Berth 4.' }] },
    { role: 'assistant', content: [thought, { type: 'text', text: 'Berth 4.' }] },
  ]
  const sentOf = async (history: Policy['history'], prompt: ContentMessage[], messages = over) => {
    const { talk, context } = stranger(messages, { policy: { ...DEFAULT_POLICY, history } })
    const { messages: sent } = await context.request({ parts: PARTS, prompt })
    return { talk, sent: sent.map(({ message }) => message) }
  }

  test('C11 thinking of turns that are over is stored and not sent, unless the policy sends it', async () => {
    const { history } = DEFAULT_POLICY
    const { talk, sent } = await sentOf(history, [ask('And now?')])
    expect(JSON.stringify(talk.getContext())).toContain('A secret thought.')
    expect(JSON.stringify(sent)).not.toContain('A secret thought.')
    const all = await sentOf({ ...history, sendThinking: true }, [ask('And now?')])
    expect(JSON.stringify(all.sent)).toContain('A secret thought.')
  })

  test('C11 thinking of the tool loop that runs goes with its calls', async () => {
    const [question, answer, results] = over
    const running = [question ?? {}, answer ?? {}]
    const { sent } = await sentOf(DEFAULT_POLICY.history, [results ?? {}], running)
    expect(sent[1]).toBe(answer)
  })

  test.each(MESSAGE_FORMS)(
    'C9 without any limit every message of the form %s is in the request',
    async (form) => {
      await fc.assert(
        fc.asyncProperty(conversations(4), async (steps) => {
          const { talk, context } = stranger(inForm(form, steps), {
            policy: { ...DEFAULT_POLICY, history: { ...DEFAULT_POLICY.history, sendThinking: true } },
          })
          const { messages, history, warnings } = await context.request({ parts: PARTS, prompt: [] })
          expect(history.messages).toEqual(talk.getContext().map(withoutDetails))
          expect(warnings).toEqual([])
          const sent = JSON.stringify(messages)
          for (const step of steps)
            for (const { id, result } of step.kind === 'answer' ? step.calls : []) {
              expect(sent).toContain(id)
              expect(sent).toContain(result.trim())
            }
        }),
        { numRuns: 30 },
      )
    },
  )

  test('C12 two messages of the user become one, and a history that begins with an answer gets a beginning', async () => {
    const { context } = stranger([{ role: 'assistant', content: 'Hello.' }, ask('One.'), ask('Two.')])
    const { messages } = await context.request({ parts: PARTS, prompt: [ask('Three.')] })
    expect(messages.map(({ slot, message }) => [slot, message.role, message.content])).toEqual([
      ['history', 'user', '(continue)'],
      ['history', 'assistant', 'Hello.'],
      ['prompt', 'user', 'One.\n\nTwo.\n\nThree.'],
    ])
  })

  test('C12 a provider that is named gets ids in its form, and OpenAI its users as they came', async () => {
    const messages = [
      ask('Which?'),
      { role: 'assistant', content: [{ ...call, id: 'call|1' }] },
    ] as ContentMessage[]
    const results = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call|1', content: 'ok' }] }
    const { context } = stranger(messages, { provider: 'mistral' })
    const { messages: sent } = await context.request({ parts: PARTS, prompt: [results] })
    const [, answer, result] = sent.map(({ message }) => JSON.stringify(message))
    const id = /"id":"([A-Za-z0-9]{9})"/.exec(answer ?? '')?.[1] ?? 'none'
    expect(result).toContain(`"tool_use_id":"${id}"`)
    const openai = stranger([ask('One.')], { provider: 'openai' })
    expect((await openai.context.request({ parts: PARTS, prompt: [ask('Two.')] })).messages).toHaveLength(2)
  })

  test('C8 a call without a result, and a result without a call, are made good and said', async () => {
    const { context } = stranger([
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'gone', content: 'lost' },
          { type: 'text', text: 'Hm.' },
        ],
      },
      { role: 'assistant', content: [call] },
    ])
    const { messages, warnings } = await context.request({ parts: PARTS, prompt: [ask('Go on.')] })
    expect(messages.map(({ message }) => message.content)).toEqual([
      [{ type: 'text', text: 'Hm.' }],
      [call],
      [
        {
          type: 'tool_result',
          tool_use_id: 'c1',
          content: 'No result was recorded for this call.',
          is_error: true,
        },
        { type: 'text', text: 'Go on.' },
      ],
    ])
    expect(warnings).toEqual(['1 tool calls have no result (c1); the request says so in its place.'])
  })

  test('O7 a subagent gets AGENTS and TOOLS alone', async () => {
    const file = (name: string) => ({ name, path: `/w/${name}`, text: `text of ${name}` })
    const files = ['AGENTS.md', 'SOUL.md', 'TOOLS.md', 'USER.md'].map(file)
    const promptCache = { snapshot: async () => ({ files, daily: [], memory: '' }) }
    const namesOf = async (subagent?: boolean) => {
      const { context } = stranger([], { promptCache, subagent })
      return (await context.request({ parts: PARTS, prompt: [ask('Hi.')] })).bootstrap.files.map(
        ({ name }) => name,
      )
    }
    expect(await namesOf(true)).toEqual(['AGENTS.md', 'TOOLS.md'])
    expect(await namesOf()).toEqual(['AGENTS.md', 'SOUL.md', 'TOOLS.md', 'USER.md'])
  })
})

describe('what is counted', () => {
  test('B2 T1 a conversation of tool blocks is counted without a counter, by turns of the README’s flow', async () => {
    const result = 'crane '.repeat(30_000)
    const { talk, context } = stranger([])
    const prompt = [ask('Read the log.')]
    const { before } = await context.beforeResponse(prompt)
    expect(before.tokens.value).toBeLessThan(100)
    talk.add(
      ...prompt,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'read', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: result }] },
    )
    await context.afterResponse()
    expect(context.tokens).toBeGreaterThan(29_000)
    expect(context.tokens).toBe((await context.status()).tokens.value)
    talk.add({ role: 'assistant', content: 'Done.' })
    const done = await context.beforeResponse([ask('Go on.')])
    expect(done.after.tokens.value).toBe(context.tokens)
    expect(context.add(ask('one two three'))).toBe(context.tokens)
    expect(context.tokens).toBe((done.after.tokens.value ?? 0) + 7)
  })

  test('B2 lines are reached by what tools returned', async () => {
    const messages = [1, 2, 3, 4].flatMap((n): ContentMessage[] => [
      ask(`Read log ${n}.`),
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: `c${n}`, type: 'function', function: { name: 'read', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: `c${n}`, content: 'crane '.repeat(30_000) },
      { role: 'assistant', content: 'Read.' },
    ])
    const { context } = stranger(messages)
    expect((await context.beforeResponse([])).before.reached.map(({ kind }) => kind)).toContain('compact')
  })

  test('B9 a counter ten times as large makes all ten times as large: messages, system prompt and what is left', async () => {
    const tens = (text: string) => Math.ceil(text.length / 4) * 10
    const ones = (text: string) => Math.ceil(text.length / 4)
    const measure = async (countText: (text: string) => number) => {
      const { context } = stranger([ask('x'.repeat(4_000))], { countText, policy: VS7 })
      const identity = 'y'.repeat(8_000)
      const { budget, history } = await context.request({ parts: { identity }, prompt: [] })
      return { left: budget?.formula ?? 0, held: history.tokens ?? 0 }
    }
    const [one, ten] = [await measure(ones), await measure(tens)]
    expect([one.held, ten.held]).toEqual([1_004, 10_004])
    expect(one.left - ten.left).toBeGreaterThan(17_000)
  })
})

describe('the request to save memory', () => {
  const policy: Policy = {
    ...DEFAULT_POLICY,
    lines: {
      ...DEFAULT_POLICY.lines,
      flush: { enabled: true, at: [0.5] },
      compact: { ...DEFAULT_POLICY.lines.compact, enabled: false },
    },
  }

  test('F4 F6 names the file of the day, and counts what comes in', async () => {
    const { context } = liveAgent(turnsOf(20), policy, { window: 16_000 })
    const incoming = [ask('z '.repeat(4_000))]
    const held = (await context.status()).tokens.value ?? 0
    const { flush } = await context.beforeResponse(incoming)
    expect(flush?.text).toContain('in memory/2026-11-21.md:')
    const tokens = held + Math.ceil(contentText(incoming[0] ?? {}).length / 2)
    const said = /^\[Context: (\d+)k\/16k tokens \((\d+)%\)\]/.exec(flush?.text ?? '')
    expect(Number(said?.[2])).toBeGreaterThan((held / 16_000) * 100 + 20)
    expect(Number(said?.[2])).toBeLessThan((tokens / 16_000) * 100 + 5)
  })
})

test('Q7 what was recalled is reported with its number and size', async () => {
  const lines: string[] = []
  const piece = {
    source: 'notes.md',
    origin: 'file',
    text: 'The crane logs to /var/log/crane.log.',
    score: 0.9,
    at: NOW,
  }
  const search = { refresh: async () => ({ problems: [], notes: [] }), search: () => [piece] }
  const agent = {
    ...new Conversation(),
    session: 's',
    clock: { now: () => NOW },
    form: CONTENT_FORM,
    diagnose: (_level: string, line: string) => void lines.push(line),
  }
  const { context } = stranger([], { policy: VS7, agent, recall: { search: search as never } })
  const { recalled } = await context.request({ parts: PARTS, prompt: [ask('Where does the crane log to?')] })
  expect(recalled?.placed).toHaveLength(1)
  expect(lines).toContain(`semantic history: retrieved 1 chunks, ${recalled?.tokens} tokens`)
})

describe('H2 messages without a time', () => {
  const errandsOf = (timed: boolean) =>
    errands(20).map((message) => (timed ? message : { ...message, timestamp: undefined }))
  const passOf = async (messages: readonly ContentMessage[]) => {
    const size = messages.reduce((sum, message) => sum + sizeOf(message), 0)
    const { context } = coldAgent([...messages, ask('Which crane?')], MEMFAS, {
      window: Math.round((size * 1.2) / 0.45),
    })
    const first = await context.afterResponse()
    return { first, again: await context.afterResponse() }
  }

  test('are as old as their order says, newer ones worth more, and one warning says so', async () => {
    const { first, again } = await passOf(errandsOf(false))
    const scores = first.drop?.plan.decisions.map(({ chunk }) => chunk.score) ?? []
    const parts = scores.map((score) => score.parts.find(({ name }) => name === 'recency')?.value ?? -1)
    expect(scores.length).toBeGreaterThan(10)
    expect(parts).toEqual(parts.toSorted((a, b) => a - b))
    expect(parts[0]).toBeGreaterThan(0)
    expect(first.warnings.filter((line) => line.includes('timestamp'))).toHaveLength(1)
    expect(again.warnings.filter((line) => line.includes('timestamp'))).toEqual([])
    expect((await passOf(errandsOf(true))).first.warnings.join()).not.toContain('timestamp')
  })
})
