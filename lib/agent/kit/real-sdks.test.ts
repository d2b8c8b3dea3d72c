import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import Anthropic from '@anthropic-ai/sdk'
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages'
import { generateText, type ModelMessage, stepCountIs, streamText, tool, wrapLanguageModel } from 'ai'
import OpenAI from 'openai'
import { afterEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { FormName } from '../../core/forms/form-name'
import type { ContentMessage } from '../../core/history/thinking'
import { estimateUnits } from '../../core/tokens/estimate'
import { refusedIn } from '../../testing/forms/refused-in'
import { type ReceivedRequest, type ScriptedApi, scriptedApi } from '../../testing/scripted-api'
import { contextMiddleware, contextPrepareStep } from './ai-sdk'
import { createContext } from './create-context'
import { fitMessages } from './fit-messages'
import { fitRequest } from './fit-request'

const [MODEL, WINDOW, CALLS, TURNS] = ['claude-sonnet-5', 32_000, 10, 3]
const opened: ScriptedApi[] = []
afterEach(async () => {
  for (const api of opened.splice(0)) await api.close()
})

async function open(...given: Parameters<typeof scriptedApi>): Promise<ScriptedApi> {
  const api = await scriptedApi(...given)
  opened.push(api)
  return api
}

/** What the tool answers: some 1,800 tokens. */
const logOf = (id: string) =>
  `Log of ${id}: ${'the crane at berth nine lifts cargo before the tide. '.repeat(160)}`

/** The messages of a recorded request, and how large it is. */
const sizeOf = ({ body }: ReceivedRequest) => estimateUnits(JSON.stringify(body))

/** Every request fits, and an API would take it; in the middle of a turn something was compacted. */
async function expectGood(
  requests: readonly ReceivedRequest[],
  form: FormName,
  said: readonly object[],
): Promise<void> {
  expect(requests.length).toBeGreaterThanOrEqual(CALLS * TURNS)
  for (const request of requests) {
    expect(sizeOf(request)).toBeLessThan(WINDOW * 0.85)
    const list = (request.body.messages ?? request.body.input) as ContentMessage[]
    const messages = list.filter(({ role }) => role !== 'system')
    expect(await refusedIn(form, messages, said as ContentMessage[])).toEqual([])
  }
  const counts = requests.map(({ body }) => ((body.messages ?? body.input) as unknown[]).length)
  const shrinks = counts.flatMap((count, at) => (count < (counts[at - 1] ?? 0) ? at : []))
  expect(shrinks.length).toBeGreaterThan(0)
  expect(shrinks.some((at) => at % (CALLS + 1) !== 0)).toBe(true)
  expect(JSON.stringify(requests.at(-1)?.body)).toContain('<prior-conversation-summary>')
}

/** The n-th request of a turn that calls the tool so many times, then answers. */
const isCall = (at: number) => at % (CALLS + 1) < CALLS

const chatUsage = (request: ReceivedRequest) => ({
  prompt_tokens: sizeOf(request),
  completion_tokens: 20,
  total_tokens: sizeOf(request) + 20,
})

function chatAnswer(request: ReceivedRequest, at: number) {
  const call = {
    id: `call_${at}`,
    type: 'function',
    function: { name: 'read', arguments: `{"ship":"s${at}"}` },
  }
  const message = isCall(at)
    ? { role: 'assistant', content: null, tool_calls: [call] }
    : { role: 'assistant', content: `Done after request ${at}.` }
  const choice = { index: 0, message, finish_reason: isCall(at) ? 'tool_calls' : 'stop' }
  const head = { id: `chat_${at}`, object: 'chat.completion', created: 1, model: MODEL }
  return { json: { ...head, choices: [choice], usage: chatUsage(request) } }
}

/** The same as a stream. */
function chatEvents(request: ReceivedRequest, at: number) {
  const { json } = chatAnswer(request, at)
  const [choice] = json.choices
  const { tool_calls, ...message } = { ...choice?.message } as { tool_calls?: object[] }
  const calls = tool_calls?.map((call, index) => ({ ...call, index }))
  const head = { ...json, object: 'chat.completion.chunk', choices: undefined, usage: undefined }
  const delta = calls === undefined ? message : { ...message, tool_calls: calls }
  return {
    events: [
      { ...head, choices: [{ index: 0, delta, finish_reason: null }] },
      { ...head, choices: [{ index: 0, delta: {}, finish_reason: choice?.finish_reason }] },
      { ...head, choices: [], usage: json.usage },
    ],
  }
}

const tools = {
  read: tool({
    description: 'Reads the log of a ship.',
    inputSchema: z.object({ ship: z.string() }),
    execute: async ({ ship }) => logOf(ship),
  }),
}

describe('V2 the AI SDK', () => {
  test('wrapLanguageModel: a loop of tools over several turns stays within the window', async () => {
    const api = await open(chatAnswer)
    const provider = createOpenAICompatible({ name: 'scripted', baseURL: api.url })
    const context = createContext({ model: MODEL, window: WINDOW })
    const model = wrapLanguageModel({ model: provider(MODEL), middleware: contextMiddleware(context) })
    const messages: ModelMessage[] = []
    for (let turn = 0; turn < TURNS; turn++) {
      messages.push({ role: 'user', content: `Question ${turn}: what does the log say?` })
      const system = 'You keep the harbour log.'
      const { text, responseMessages } = await generateText({
        model,
        instructions: system,
        messages,
        tools,
        stopWhen: stepCountIs(CALLS + 2),
      })
      expect(text).toContain('Done after')
      messages.push(...responseMessages)
    }
    await expectGood(api.requests, 'openai-chat', [])
    expect((await context.status()).tokens.basis).not.toBe('unknown')
  })

  test('wrapLanguageModel: streams report what they took as well', async () => {
    const api = await open(chatEvents)
    const provider = createOpenAICompatible({ name: 'scripted', baseURL: api.url, includeUsage: true })
    const context = createContext({ model: MODEL, window: WINDOW })
    const model = wrapLanguageModel({ model: provider(MODEL), middleware: contextMiddleware(context) })
    const messages: ModelMessage[] = []
    for (let turn = 0; turn < TURNS; turn++) {
      messages.push({ role: 'user', content: `Question ${turn}: what does the log say?` })
      const result = streamText({ model, messages, tools, stopWhen: stepCountIs(CALLS + 2) })
      expect(await result.text).toContain('Done after')
      messages.push(...(await result.responseMessages))
    }
    await expectGood(api.requests, 'openai-chat', [])
    expect((await context.status()).cost.basis).toBe('estimated')
  })

  test('wrapLanguageModel: a prompt that the provider finds too long is compacted and asked for again', async () => {
    let refused = 0
    const api = await open((request, at) => {
      if (sizeOf(request) <= 6_000) return chatAnswer(request, CALLS)
      refused += 1
      const message = `This model's maximum context length is 6000 tokens. (request ${at})`
      return {
        status: 400,
        json: { error: { message, type: 'invalid_request_error', code: 'context_length_exceeded' } },
      }
    })
    const provider = createOpenAICompatible({ name: 'scripted', baseURL: api.url })
    const context = createContext({
      model: MODEL,
      window: WINDOW,
      policy: { compaction: { keepRecentTokens: 1_000 } },
    })
    const model = wrapLanguageModel({ model: provider(MODEL), middleware: contextMiddleware(context) })
    const messages: ModelMessage[] = Array.from({ length: 8 }, (_, at): ModelMessage[] => [
      { role: 'user', content: `Question ${at}. ${logOf('x').slice(0, 4_000)}` },
      { role: 'assistant', content: 'Noted.' },
    ]).flat()
    messages.push({ role: 'user', content: 'And now?' })
    const { text } = await generateText({ model, messages, maxRetries: 0 })
    expect(text).toContain('Done after')
    expect(refused).toBe(1)
    expect(JSON.stringify(api.requests.at(-1)?.body)).toContain('<prior-conversation-summary>')
  })

  test.each(['wrapLanguageModel', 'prepareStep'])(
    '%s: what has left the context comes back by itself when it is asked for',
    async (way) => {
      const api = await open(chatAnswer)
      const provider = createOpenAICompatible({ name: 'scripted', baseURL: api.url })
      // There is room below the line at most times: nothing comes back that would reach it.
      const context = createContext({ model: MODEL, window: 2 * WINDOW })
      const isWrapped = way === 'wrapLanguageModel'
      const model = isWrapped
        ? wrapLanguageModel({ model: provider(MODEL), middleware: contextMiddleware(context) })
        : provider(MODEL)
      const prepareStep = contextPrepareStep(context)
      const messages: ModelMessage[] = []
      const ask = async (content: string) => {
        messages.push({ role: 'user', content })
        const { responseMessages } = await generateText({
          model,
          instructions: 'You keep the harbour log.',
          messages,
          tools,
          stopWhen: stepCountIs(CALLS + 2),
          ...(isWrapped ? {} : { prepareStep }),
        })
        messages.push(...responseMessages)
        return api.requests
          .slice(-CALLS - 1)
          .map(({ body }) => JSON.stringify(body).includes('pier seven has a torque of 4711 Nm'))
      }
      // Words that no other question has.
      await ask(
        `The crane at pier seven has a torque of 4711 Nm. ${'Ropes are wet and gulls are loud. '.repeat(60)}`,
      )
      let has: readonly boolean[] = []
      for (let turn = 0; turn < TURNS + 1; turn++) has = await ask(`Question ${turn}: what does the log say?`)
      expect(has).not.toContain(true)
      // With the question itself, before the model has called anything.
      expect((await ask('How much torque has the crane at pier seven?'))[0]).toBe(true)
    },
  )

  test('prepareStep: the same without a wrapped model, with what is prepared carried on', async () => {
    const api = await open(chatAnswer)
    const provider = createOpenAICompatible({ name: 'scripted', baseURL: api.url })
    const context = createContext({ model: MODEL, window: WINDOW })
    const prepareStep = contextPrepareStep(context)
    const messages: ModelMessage[] = []
    for (let turn = 0; turn < TURNS; turn++) {
      messages.push({ role: 'user', content: `Question ${turn}: what does the log say?` })
      const model = provider(MODEL)
      const { responseMessages } = await generateText({
        model,
        messages,
        tools,
        prepareStep,
        stopWhen: stepCountIs(CALLS + 2),
      })
      messages.push(...responseMessages)
    }
    await expectGood(api.requests, 'openai-chat', [])
  })
})

describe('V2 requests of the makers’ own SDKs', () => {
  test('anthropic.messages.create', async () => {
    const api = await open((request, at) => {
      const block = isCall(at)
        ? { type: 'tool_use', id: `toolu_${at}`, name: 'read', input: { ship: `s${at}` } }
        : { type: 'text', text: `Done after request ${at}.` }
      const thinking = { type: 'thinking', thinking: 'Let me see.', signature: 'c2ln' }
      const head = { id: `msg_${at}`, type: 'message', role: 'assistant', model: MODEL }
      const usage = { input_tokens: sizeOf(request), output_tokens: 20 }
      return {
        json: {
          ...head,
          content: [thinking, block],
          stop_reason: isCall(at) ? 'tool_use' : 'end_turn',
          usage,
        },
      }
    })
    const client = new Anthropic({ apiKey: 'none', baseURL: api.url })
    const context = createContext({ model: MODEL, window: WINDOW })
    const messages: Anthropic.MessageParam[] = []
    const fixed = {
      model: MODEL,
      max_tokens: 1_024,
      system: 'You keep the harbour log.',
      tools: [
        { name: 'read', input_schema: { type: 'object' as const, properties: { ship: { type: 'string' } } } },
      ],
    }
    for (let turn = 0; turn < TURNS; turn++) {
      messages.push({ role: 'user', content: `Question ${turn}: what does the log say?` })
      for (;;) {
        const answer = await client.messages.create(await fitRequest(context, { ...fixed, messages }))
        context.report(answer.usage)
        messages.push({ role: 'assistant', content: answer.content })
        const calls = answer.content.filter((block) => block.type === 'tool_use')
        if (calls.length === 0) break
        messages.push({
          role: 'user',
          content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: logOf(id) })),
        })
      }
    }
    await expectGood(api.requests, 'anthropic', messages)
    expect(api.requests.every(({ body }) => body.system === fixed.system)).toBe(true)
    expect((await context.search('crane berth nine')).length).toBeGreaterThan(0)
  })

  test('openai.chat.completions.create', async () => {
    const api = await open(chatAnswer)
    const client = new OpenAI({ apiKey: 'none', baseURL: api.url })
    const context = createContext({ model: MODEL, window: WINDOW })
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'system', content: 'You keep the harbour log.' },
    ]
    for (let turn = 0; turn < TURNS; turn++) {
      messages.push({ role: 'user', content: `Question ${turn}: what does the log say?` })
      for (;;) {
        const answer = await client.chat.completions.create(
          await fitRequest(context, { model: MODEL, messages }),
        )
        if (answer.usage !== undefined) context.report(answer.usage)
        const said = answer.choices[0]?.message
        if (said === undefined) throw new Error('no answer')
        messages.push(said)
        const calls = said.tool_calls ?? []
        if (calls.length === 0) break
        for (const { id } of calls) messages.push({ role: 'tool', tool_call_id: id, content: logOf(id) })
      }
    }
    await expectGood(api.requests, 'openai-chat', messages)
    expect(
      api.requests.every(({ body }) => JSON.stringify(body.messages).includes('You keep the harbour log.')),
    ).toBe(true)
  })

  test('openai.responses.create', async () => {
    const api = await open((request, at) => {
      const item = isCall(at)
        ? {
            type: 'function_call',
            id: `fc_${at}`,
            call_id: `call_${at}`,
            name: 'read',
            arguments: '{}',
            status: 'completed',
          }
        : {
            ...{ type: 'message', id: `msg_${at}`, role: 'assistant', status: 'completed' },
            content: [{ type: 'output_text', text: `Done after request ${at}.`, annotations: [] }],
          }
      const reasoning = { type: 'reasoning', id: `rs_${at}`, summary: [], encrypted_content: 'Z3Vlc3M=' }
      const size = sizeOf(request)
      const usage = { input_tokens: size, output_tokens: 20, total_tokens: size + 20 }
      const head = { id: `resp_${at}`, object: 'response', status: 'completed', model: MODEL }
      return { json: { ...head, output: [reasoning, item], usage } }
    })
    const client = new OpenAI({ apiKey: 'none', baseURL: api.url })
    const context = createContext({ model: MODEL, window: WINDOW })
    const input: OpenAI.Responses.ResponseInputItem[] = []
    for (let turn = 0; turn < TURNS; turn++) {
      input.push({ role: 'user', content: `Question ${turn}: what does the log say?` })
      for (;;) {
        const params = { model: MODEL, instructions: 'You keep the harbour log.', store: false, input }
        const answer = await client.responses.create(await fitRequest(context, params))
        if (answer.usage !== undefined) context.report(answer.usage)
        input.push(...(answer.output as OpenAI.Responses.ResponseInputItem[]))
        const calls = answer.output.filter((item) => item.type === 'function_call')
        if (calls.length === 0) break
        for (const { call_id } of calls)
          input.push({ type: 'function_call_output', call_id, output: logOf(call_id) })
      }
    }
    await expectGood(api.requests, 'openai-responses', input)
  })

  test('what cannot be fitted is refused by its name', async () => {
    const context = createContext({ model: MODEL, window: WINDOW })
    await expect(fitRequest(context, { model: MODEL })).rejects.toThrow(/`messages`.*or `input`/)
    const params = { model: MODEL, input: 'Hello', previous_response_id: 'resp_1' }
    await expect(fitRequest(context, params)).rejects.toThrow(
      /`previous_response_id` lets OpenAI keep the conversation/,
    )
    expect(await fitRequest(context, { model: MODEL, input: 'Hello' })).toEqual({
      model: MODEL,
      input: 'Hello',
    })
  })

  test('system prompt and tools are counted with the messages', async () => {
    const tools = [
      { name: 'read', description: 'Reads a log. '.repeat(1_000), input_schema: { type: 'object' } },
    ]
    const messages = [{ role: 'user', content: 'Hello' }]
    const sizes = await Promise.all(
      [{}, { tools }, { tools, system: 'You keep the log. '.repeat(1_000) }].map(async (more) => {
        const context = createContext({ model: MODEL, window: WINDOW })
        await fitRequest(context, { model: MODEL, messages, ...more })
        return (await context.status()).tokens.value ?? 0
      }),
    )
    expect(sizes[0]).toBeLessThan(100)
    expect((sizes[1] ?? 0) - (sizes[0] ?? 0)).toBeGreaterThan(2_000)
    expect((sizes[2] ?? 0) - (sizes[1] ?? 0)).toBeGreaterThan(2_000)
  })
})

describe('V2 LangChain', () => {
  const turnOf = (at: number): BaseMessage[] => [
    new HumanMessage(`Question ${at}: what does the log say?`),
    new AIMessage({
      content: [
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: `call_${at}`, name: 'read', input: { ship: `s${at}` } },
      ],
      tool_calls: [{ id: `call_${at}`, name: 'read', args: { ship: `s${at}` }, type: 'tool_call' }],
    }),
    new ToolMessage({ content: logOf(`call_${at}`), tool_call_id: `call_${at}`, name: 'read' }),
    new AIMessage({
      content: `Answer ${at}.`,
      usage_metadata: { input_tokens: 500 + at, output_tokens: 5, total_tokens: 505 + at },
    }),
  ]

  test('as long as nothing is due the same objects come back, then messages of its classes that keep every pair', async () => {
    const context = createContext({ model: MODEL, window: WINDOW })
    const toSend = fitMessages(context)
    const system = new SystemMessage('You keep the harbour log.')
    const messages: BaseMessage[] = [system, ...turnOf(0), new HumanMessage('And now?')]
    const same = await toSend(messages)
    expect(same.every((message, i) => message === messages[i])).toBe(true)
    for (let at = 1; at < 30; at++) messages.push(...turnOf(at))
    messages.push(new HumanMessage('What did log 3 say?'))
    const sent = await toSend(messages)
    expect(sent.length).toBeLessThan(messages.length)
    expect(sent.every((message) => typeof message.getType === 'function')).toBe(true)
    expect(sent[0]).toBe(system)
    expect(sent[1]).toBeInstanceOf(HumanMessage)
    expect(sent[1]?.text).toContain('<prior-conversation-summary>')
    expect(sent.slice(2, -1).every((message) => messages.includes(message))).toBe(true)
    const calls = sent.flatMap((message) => (AIMessage.isInstance(message) ? (message.tool_calls ?? []) : []))
    const results = sent.filter((message) => ToolMessage.isInstance(message))
    expect(calls.map(({ id }) => id)).toEqual(results.map(({ tool_call_id }) => tool_call_id))
    expect(calls.length).toBeGreaterThan(0)
    const further = await toSend([...messages, new AIMessage('Berth nine.'), new HumanMessage('Thanks.')])
    expect(further.length).toBe(sent.length + 2)
  })
})
