import { describe, expect, test, vi } from 'vitest'
import type { AgentContext } from './agent-context'
import { contextMiddleware, contextPrepareStep } from './ai-sdk'
import { createContext } from './create-context'

const parts = (text: string) => [{ type: 'text', text }]
const user = (text: string) => ({ role: 'user', content: parts(text) })
const TOO_LONG = new Error("This model's maximum context length is 6000 tokens.")

/** So many turns of some 400 tokens, as a model of the AI SDK gets them. */
const talk = (turns: number) => [
  ...Array.from({ length: turns }, (_, at) => [
    user(`Question ${at}. ${'The crane lifts cargo. '.repeat(80)}`),
    { role: 'assistant', content: parts('Noted.') },
  ]).flat(),
  user('And now?'),
]

function opened(more: Partial<Parameters<typeof createContext>[0]> = {}) {
  const context = createContext({
    model: 'claude-sonnet-4-5',
    window: 32_000,
    policy: { compaction: { keepRecentTokens: 1_000 } },
    ...more,
  })
  return { context, middleware: contextMiddleware(context) }
}

/** A model that answers what it is given to answer, one after the other, and keeps what it was asked. */
function scripted(...answers: unknown[]) {
  const asked: { readonly prompt: readonly object[] }[] = []
  const answer = async (params: unknown) => {
    asked.push(params as (typeof asked)[number])
    const next = answers.shift()
    if (next instanceof Error) throw next
    return next
  }
  return { asked, doGenerate: answer, doStream: answer }
}

/** Asks a wrapped model as the AI SDK does: the first time by the function that it is given. */
async function generate(
  { middleware }: Pick<ReturnType<typeof opened>, 'middleware'>,
  model: ReturnType<typeof scripted>,
  given: { readonly prompt: readonly object[] },
) {
  const params = await middleware.transformParams({ params: given })
  return middleware.wrapGenerate({ doGenerate: () => model.doGenerate(params), params, model })
}

describe('V2 a wrapped model of the AI SDK', () => {
  test('is asked with what fits, tools are counted, and the caller’s signal is heard', async () => {
    const { context, middleware } = opened()
    const fit = vi.spyOn(context, 'fit')
    const [prompt, tools, abortSignal] = [talk(1), [{ name: 'read' }], new AbortController().signal]
    const params = { prompt, tools, abortSignal, temperature: 0 }
    expect(await middleware.transformParams({ params })).toEqual(params)
    expect(fit).toHaveBeenCalledWith(prompt, { tools, signal: abortSignal })
    expect(middleware.specificationVersion).toBe('v3')
  })

  test('gets what was made here in parts, as its prompt has them, and instructions as texts', async () => {
    const made = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'In short.' },
      user('And now?'),
    ]
    const fit = async () => ({ messages: made, system: 'You keep the log.' })
    const { transformParams } = contextMiddleware({ fit } as object as AgentContext)
    expect((await transformParams({ params: { prompt: talk(1) } })).prompt).toEqual([
      { role: 'system', content: 'You keep the log.' },
      made[0],
      user('In short.'),
      made[2],
    ])
  })

  test('reports what an answer took, and hands the answer on', async () => {
    const all = opened()
    const answer = { content: parts('Berth 4.'), usage: { inputTokens: 4_321, outputTokens: 5 } }
    const report = vi.spyOn(all.context, 'report')
    expect(await generate(all, scripted(answer), { prompt: talk(1) })).toBe(answer)
    expect(report.mock.calls).toEqual([[answer.usage]])
    expect((await all.context.status()).tokens.value).toBeGreaterThanOrEqual(4_321)
  })

  test.each([
    [undefined],
    [{ content: [], usage: { counted: 'in another way' } }],
    [{ content: [], usage: undefined }],
    [{ content: [] }],
  ])('loses no answer over how it was counted: %j', async (answer) => {
    expect(await generate(opened(), scripted(answer), { prompt: talk(1) })).toBe(answer)
  })

  test('that finds the prompt too long is asked once more with less, and that answer counts', async () => {
    const all = opened()
    const report = vi.spyOn(all.context, 'report')
    const usage = { inputTokens: 900, outputTokens: 5 }
    const model = scripted(TOO_LONG, { usage })
    expect(await generate(all, model, { prompt: talk(12) })).toEqual({ usage })
    const [first, second] = model.asked
    expect(model.asked).toHaveLength(2)
    expect(JSON.stringify(first)).not.toContain('<prior-conversation-summary>')
    expect(JSON.stringify(second)).toContain('<prior-conversation-summary>')
    expect(JSON.stringify(second?.prompt.at(-1))).toContain('And now?')
    expect(report).toHaveBeenCalledTimes(1)
  })

  test('that fails otherwise is not asked again, and its error comes through', async () => {
    const model = scripted(new Error('no berth is free'), {})
    await expect(generate(opened(), model, { prompt: talk(12) })).rejects.toThrow('no berth is free')
    expect(model.asked).toHaveLength(1)
  })

  test('is not asked again where nothing can be made smaller', async () => {
    const model = scripted(TOO_LONG, {})
    await expect(generate(opened(), model, { prompt: [user('Hello')] })).rejects.toBe(TOO_LONG)
    expect(model.asked).toHaveLength(1)
  })

  test('is not asked again with a prompt that was not fitted here', async () => {
    const { middleware } = opened()
    const model = scripted({})
    const params = { prompt: talk(12) }
    const doGenerate = () => Promise.reject(TOO_LONG)
    await expect(middleware.wrapGenerate({ doGenerate, params, model })).rejects.toBe(TOO_LONG)
    expect(model.asked).toEqual([])
  })

  test('stops the compaction with the caller’s signal, and then the error comes through', async () => {
    const stop = new AbortController()
    const all = opened({
      summary: async () => {
        stop.abort()
        return 'never'
      },
    })
    const params = { prompt: talk(12), abortSignal: stop.signal }
    const compact = vi.spyOn(all.context, 'compact')
    await expect(generate(all, scripted(TOO_LONG, {}), params)).rejects.toBe(TOO_LONG)
    expect(compact).toHaveBeenCalledWith({ signal: stop.signal })
  })

  test('streams come through whole, and their end says what they took', async () => {
    const all = opened()
    const report = vi.spyOn(all.context, 'report')
    const usage = { inputTokens: { total: 70 }, outputTokens: { total: 5 } }
    const chunks = [
      { type: 'text-delta', delta: 'Berth 4.', usage: { inputTokens: 1, outputTokens: 1 } },
      'raw',
      { type: 'finish', usage },
    ]
    const stream = new ReadableStream({
      start: (controller) => {
        for (const chunk of chunks) controller.enqueue(chunk)
        controller.close()
      },
    })
    const model = scripted(TOO_LONG, { stream, request: 'kept' })
    const params = await all.middleware.transformParams({ params: { prompt: talk(12) } })
    const doStream = () => model.doStream(params) as Promise<object>
    const result = await all.middleware.wrapStream({ doStream, params, model })
    expect(result).toMatchObject({ request: 'kept' })
    const { stream: seen } = result as { readonly stream: ReadableStream<unknown> }
    const read: unknown[] = []
    for await (const chunk of seen) read.push(chunk)
    expect(read).toEqual(chunks)
    expect(report.mock.calls).toEqual([[usage]])
    expect(model.asked).toHaveLength(2)
  })

  test('an answer without a stream is handed on as it is', async () => {
    const { middleware } = opened()
    const answer = { stream: 'none' }
    const doStream = async () => answer
    expect(await middleware.wrapStream({ doStream, params: {}, model: {} })).toBe(answer)
  })
})

describe('V2 the steps of the AI SDK', () => {
  test('report what the step before took, and fit with the instructions of the run', async () => {
    const { context } = opened()
    const [report, fit] = [vi.spyOn(context, 'report'), vi.spyOn(context, 'fit')]
    const step = contextPrepareStep(context)
    const messages = talk(1)
    await step({ messages, steps: [], instructions: 'You keep the log.' })
    expect(report).not.toHaveBeenCalled()
    expect(fit).toHaveBeenLastCalledWith(messages, { system: 'You keep the log.' })
    const usage = { inputTokens: 500, outputTokens: 5 }
    const before = { usage: { inputTokens: 1, outputTokens: 1 } }
    await step({ messages, steps: [before, before, { usage }] })
    expect(report.mock.calls).toEqual([[usage]])
    await expect(step({ messages, steps: [{ usage: 'none' }] })).resolves.toEqual({ messages })
  })

  test.each([
    ['a text', 'You log.', 'Own.\n\nYou log.'],
    ['a system message', { role: 'system', content: 'You log.' }, 'Own.\n\nYou log.'],
    ['several', [{ content: 'You log.' }, 'Be brief.'], 'Own.\n\nYou log.\n\nBe brief.'],
    ['what has no text', { content: [7] }, 'Own.'],
    ['none', undefined, 'Own.'],
  ])('have what the context puts in front before the instructions: %s', async (_what, instructions, made) => {
    const fit = async (messages: readonly object[]) => ({ messages, system: 'Own.' })
    const step = contextPrepareStep({ fit } as object as AgentContext)
    expect(await step({ messages: [], steps: [], instructions })).toEqual({
      messages: [],
      instructions: made,
    })
  })
})
