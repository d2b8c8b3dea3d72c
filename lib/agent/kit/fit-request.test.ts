import { describe, expect, test, vi } from 'vitest'
import type { AgentContext } from './agent-context'
import { createContext } from './create-context'
import { type FittableRequest, fitRequest } from './fit-request'

const ASK = { role: 'user', content: 'Which berth is free?' }
const RULE = 'Never open berth 9.'

const context = () => createContext({ model: 'claude-sonnet-4-5', window: 32_000 })
/** One that has its own system prompt. */
const withFiles = () => {
  const files = [{ name: 'AGENTS.md', path: '/w/AGENTS.md', text: `# Agent\n\n${RULE}\n` }]
  return createContext({
    ...{ model: 'claude-sonnet-4-5', window: 32_000 },
    workspace: { snapshot: async () => ({ files, daily: [], memory: '' }) },
  })
}
const fitted = (params: FittableRequest & Record<string, unknown>) => fitRequest(withFiles(), params)

describe('V2 the parameters of a request', () => {
  test('stay as they are where nothing has to go, and nothing is added', async () => {
    const chat = { model: 'claude-sonnet-4-5', max_tokens: 5, system: 'You log.', messages: [ASK], tools: [] }
    expect(await fitRequest(context(), chat)).toEqual(chat)
    const text = { model: 'gpt-5', input: 'Which berth is free?', instructions: 'You log.', store: false }
    expect(await fitRequest(context(), text)).toEqual(text)
    const items = { model: 'gpt-5', input: [ASK] }
    expect(await fitRequest(context(), items)).toEqual(items)
    const plain = { model: 'gpt-5', messages: [ASK] }
    expect(await fitRequest(context(), plain)).toEqual(plain)
  })

  test('have our system prompt where their provider has it: before the given one', async () => {
    const own = expect.stringContaining(RULE)
    const both = expect.stringMatching(/Never open berth 9\.[\s\S]*\n\nYou log\.$/)
    const claude = { model: 'claude-sonnet-4-5', max_tokens: 5, messages: [ASK] }
    expect(await fitted(claude)).toEqual({ ...claude, system: own })
    expect(await fitted({ ...claude, system: 'You log.' })).toEqual({ ...claude, system: both })
    const blocks = [{ type: 'text', text: 'You log.' }]
    expect(await fitted({ ...claude, system: blocks })).toEqual({
      ...claude,
      system: [{ type: 'text', text: own }, ...blocks],
    })
    // Chat Completions have it as a message, those of Claude's models by another host as well.
    for (const chat of [{ model: 'gpt-5', max_tokens: 5 }, { model: 'anthropic/claude-sonnet-4-5' }])
      expect(await fitted({ ...chat, messages: [ASK] })).toEqual({
        ...chat,
        messages: [{ role: 'system', content: own }, ASK],
      })
    expect(await fitted({ model: 'gpt-5', input: [ASK], instructions: 'You log.' })).toEqual({
      ...{ model: 'gpt-5', input: [ASK], instructions: both },
    })
    expect(await fitted({ model: 'gpt-5', input: 'Hello' })).toEqual({
      ...{ model: 'gpt-5', input: 'Hello', instructions: own },
    })
  })

  test.each<[given: unknown, made: unknown]>([
    ['You log.', 'Own.\n\nYou log.'],
    ['', 'Own.'],
    [null, 'Own.'],
    [{ text: 'You log.' }, 'Own.'],
    [
      [{ type: 'text', text: 'You log.' }],
      [
        { type: 'text', text: 'Own.' },
        { type: 'text', text: 'You log.' },
      ],
    ],
  ])('have it in front of %j', async (given, made) => {
    const fit = async (messages: readonly object[]) => ({ messages, system: 'Own.' })
    const own = { fit } as object as AgentContext
    // A system prompt is Anthropic's, whatever the model is called.
    const params = { model: 'harbour-7b', messages: [ASK], system: given }
    expect(await fitRequest(own, params)).toEqual({ ...params, system: made })
    const items = { model: 'gpt-5', input: [ASK], instructions: given }
    expect(await fitRequest(own, items)).toEqual({ ...items, instructions: made })
  })

  test('are counted with their system prompt and tools, and stop with the caller’s signal', async () => {
    const tools = [{ name: 'read' }]
    const { signal } = new AbortController()
    const both = context()
    const fit = vi.spyOn(both, 'fit')
    for (const params of [
      { messages: [ASK], system: 'You log.' },
      { messages: [ASK], instructions: 'You log.' },
      { messages: [ASK], system: 'You log.', instructions: 'You do not.' },
      { input: [ASK], instructions: 'You log.' },
    ]) {
      await fitRequest(both, { ...params, tools }, { signal })
      expect(fit).toHaveBeenLastCalledWith([ASK], { system: 'You log.', tools, signal })
    }
  })

  test('have what is put behind a text as well, and of a list what fits', async () => {
    const answering = (made: (messages: readonly object[]) => readonly object[]) =>
      ({
        fit: async (messages: readonly object[]) => ({ messages: made(messages), system: '' }),
      }) as AgentContext
    const note = { role: 'user', content: 'What came back.' }
    const asked = await fitRequest(
      answering((messages) => [...messages, note]),
      { input: 'Hello' },
    )
    expect(asked).toEqual({ input: [{ role: 'user', content: 'Hello' }, note] })
    expect(
      await fitRequest(
        answering(() => [note]),
        { input: 'Hello' },
      ),
    ).toEqual({ input: [note] })
    const first = await fitRequest(
      answering((messages) => messages.slice(0, 1)),
      { input: [ASK, note] },
    )
    expect(first).toEqual({ input: [ASK] })
  })

  test('have a list in the place of a text once a summary is in front of it', async () => {
    const talks = context()
    const said = Array.from({ length: 60 }, (_, at) => [
      { role: 'user', content: `Where does ship ${at} lie?` },
      { role: 'assistant', content: `Ship ${at}: ${'berth crane ledger '.repeat(100)}` },
    ]).flat()
    const { input } = await fitRequest(talks, { model: 'gpt-5', input: [...said, ASK] })
    expect(input?.length).toBeLessThan(said.length)
    expect(input?.at(-1)).toEqual(ASK)
  })

  test('without messages, or that go on from what OpenAI has kept, are refused by name', async () => {
    const refused = (option: string, words: RegExp) => ({ option, message: expect.stringMatching(words) })
    await expect(fitted({ model: 'gpt-5' })).rejects.toMatchObject(
      refused('messages', /fitRequest was given/),
    )
    for (const name of ['previous_response_id', 'conversation'])
      await expect(fitted({ model: 'gpt-5', input: 'Hello', [name]: 'r1' })).rejects.toMatchObject(
        refused(name, new RegExp(`\`${name}\` lets OpenAI keep`)),
      )
    const none = { model: 'gpt-5', input: 'Hello', previous_response_id: null }
    expect(await fitRequest(context(), none)).toEqual(none)
  })
})
