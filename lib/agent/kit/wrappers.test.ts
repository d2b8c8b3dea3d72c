import { describe, expect, test } from 'vitest'
import { AiMessage, HumanMessage } from '../../testing/builders/langchain-messages'
import { transientTasks } from '../task-store'
import type { AgentContext } from './agent-context'
import { contextMiddleware, contextPrepareStep } from './ai-sdk'
import { createContext } from './create-context'
import { fitMessages } from './fit-messages'
import { fitRequest } from './fit-request'
import { LangChainMessages } from './langchain'

const TASK = 'Lift cargo with the crane of pier seven'
const ASK = { role: 'user', content: 'Which berth is free?' }

/** A context with something to say in front: the task under way. */
async function working(): Promise<AgentContext> {
  const context = createContext({ model: 'claude-sonnet-4-5', window: 32_000, tasks: transientTasks() })
  await context.tasks?.add({ id: 'lift', title: TASK })
  await context.tasks?.start('lift')
  return context
}

/** What the context says in front, alone. */
async function ownText(): Promise<string> {
  const { system } = await (await working()).fit([ASK])
  expect(system).toContain(TASK)
  return system
}

describe('V2 what a context says in front of a request', () => {
  test.each<[string, unknown, string]>([
    ['a text', 'You keep the log.', '\n\nYou keep the log.'],
    ['a system message', { role: 'system', content: 'You keep the log.' }, '\n\nYou keep the log.'],
    [
      'several',
      [
        { role: 'system', content: 'You keep the log.' },
        { role: 'system', content: 'Be brief.' },
      ],
      '\n\nYou keep the log.\n\nBe brief.',
    ],
    ['nothing', undefined, ''],
  ])('is before the instructions of a step of the AI SDK: %s', async (_what, instructions, behind) => {
    const step = contextPrepareStep(await working())
    const { messages, instructions: made } = await step({ messages: [ASK], steps: [], instructions })
    expect(made).toBe(`${await ownText()}${behind}`)
    expect(messages).toEqual([ASK])
  })

  test('steps begin with the instructions that the run was given, not with those of the step before', async () => {
    const step = contextPrepareStep(await working())
    const made = await step({
      messages: [ASK],
      steps: [],
      instructions: 'as the step before was sent',
      initialInstructions: 'You keep the log.',
    })
    expect(made.instructions).toBe(`${await ownText()}\n\nYou keep the log.`)
  })

  test('a step without anything in front keeps its own instructions', async () => {
    const step = contextPrepareStep(createContext({ model: 'claude-sonnet-4-5' }))
    expect(await step({ messages: [ASK], steps: [], instructions: 'You keep the log.' })).toEqual({
      messages: [ASK],
    })
  })

  test('a wrapped model gets it as a system message, and system messages stay texts', async () => {
    const { transformParams } = contextMiddleware(await working())
    const prompt = [
      { role: 'system', content: 'You keep the log.' },
      { role: 'user', content: [{ type: 'text', text: 'Which berth is free?' }] },
    ]
    expect((await transformParams({ params: { prompt, temperature: 0 } })).prompt).toEqual([
      { role: 'system', content: await ownText() },
      ...prompt,
    ])
  })

  test.each<[string, object, unknown]>([
    ['none', {}, ''],
    ['a text', { system: 'You keep the log.' }, '\n\nYou keep the log.'],
  ])('Anthropic has it beside the messages: %s', async (_what, given, behind) => {
    const params = { model: 'claude-sonnet-4-5', max_tokens: 100, messages: [ASK], ...given }
    expect(await fitRequest(await working(), params)).toEqual({
      ...params,
      system: `${await ownText()}${behind}`,
    })
  })

  test('Anthropic has it beside the messages: blocks, which stay as they are', async () => {
    const block = { type: 'text', text: 'You keep the log.', cache_control: { type: 'ephemeral' } }
    const { system } = await fitRequest(await working(), {
      ...{ model: 'any', max_tokens: 100, messages: [ASK] },
      system: [block],
    })
    expect(system).toEqual([{ type: 'text', text: await ownText() }, block])
  })

  test.each<[string, object]>([
    ['without a limit of the answer', { model: 'claude-sonnet-4-5' }],
    ['with one, of another model', { model: 'gpt-5.1', max_tokens: 100 }],
    ['without the name of a model', { max_tokens: 100 }],
  ])('Chat Completions have it as their first message: %s', async (_what, given) => {
    expect(await fitRequest(await working(), { ...given, messages: [ASK] })).toEqual({
      ...given,
      messages: [{ role: 'system', content: await ownText() }, ASK],
    })
  })

  test('Responses have it in their instructions, and a list of the input', async () => {
    const own = await ownText()
    expect(await fitRequest(await working(), { input: [ASK], instructions: 'Be brief.' })).toEqual({
      input: [ASK],
      instructions: `${own}\n\nBe brief.`,
    })
    expect(await fitRequest(await working(), { input: 'Hello' })).toEqual({
      input: 'Hello',
      instructions: own,
    })
  })

  test('Responses that go on from a conversation that OpenAI keeps are refused by its name', async () => {
    const context = createContext({ model: 'gpt-5.1' })
    await expect(
      fitRequest(context, { input: 'Hello', conversation: 'conv_1' } as object),
    ).rejects.toMatchObject({ option: 'conversation' })
    const none = { input: 'Hello', conversation: null, previous_response_id: null }
    expect(await fitRequest(context, none)).toEqual(none)
  })
})

describe('V2 messages of LangChain', () => {
  test.each([
    [{ type: 'file', mimeType: 'application/pdf' }],
    [{ type: 'document', mime_type: 'application/pdf' }],
    [{ type: 'audio', mimeType: 'audio/wav' }],
    [{ type: 'video', mimeType: 'video/mp4' }],
  ])('%j is a file, and not counted as the text of its bytes', async (block) => {
    const sizeOf = async (content: unknown) => {
      const context = createContext({ model: 'claude-sonnet-4-5' })
      await fitMessages(context)([new HumanMessage({ content })])
      return (await context.status()).tokens.value ?? 0
    }
    const data = 'QUJD'.repeat(20_000)
    const asText = await sizeOf([{ type: 'something', mimeType: 'x', data }])
    expect(await sizeOf([{ ...block, data }])).toBeLessThan(asText / 2)
  })

  test('an answer of which a call was taken out keeps the others, its id and its class', () => {
    const all = new LangChainMessages()
    const calls = ['a', 'b'].map((id) => ({ id, name: 'read', args: { ship: id } }))
    const given = [
      new AiMessage({ content: 'Before.', tool_calls: [{ id: 'z', name: 'read', args: {} }] }),
      new AiMessage({ id: 'msg_1', content: 'I look.', tool_calls: calls }),
    ]
    for (const message of given) all.read(message)
    const part = { type: 'tool-call', toolCallId: 'b', toolName: 'read', input: { ship: 'b' } }
    const made = all.made({ role: 'assistant', content: [{ type: 'text', text: 'I look.' }, part] }, given)
    expect(made).toBeInstanceOf(AiMessage)
    expect(made).toEqual(new AiMessage({ id: 'msg_1', content: 'I look.', tool_calls: [calls[1]] }))
    expect(all.made({ role: 'assistant', content: 'In short.' }, given)).toEqual(
      new AiMessage({ content: 'In short.' }),
    )
  })
})

test('V2 Responses: what was made of a text is a list, and the text itself comes back as it was', async () => {
  const answering = (messages: readonly object[]) =>
    ({ fit: async () => ({ messages, system: '' }) }) as object as AgentContext
  const made = { role: 'user', content: 'In short.' }
  expect(await fitRequest(answering([made]), { input: 'Hello' })).toEqual({ input: [made] })
  expect(await fitRequest(answering([made, made]), { input: 'Hello' })).toEqual({ input: [made, made] })
  const asGiven = { fit: async (messages: readonly object[]) => ({ messages: [...messages], system: '' }) }
  expect(await fitRequest(asGiven as object as AgentContext, { input: 'Hello' })).toEqual({ input: 'Hello' })
})
