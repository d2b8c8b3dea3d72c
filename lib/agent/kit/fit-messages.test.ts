import { expect, test, vi } from 'vitest'
import { AiMessage, HumanMessage } from '../../testing/builders/langchain-messages'
import type { AgentContext } from './agent-context'
import { fitMessages } from './fit-messages'

function fitting(system = '') {
  const given: (readonly object[])[] = []
  const fit = async (messages: readonly object[]) => {
    given.push(messages)
    return { messages: [...messages], system }
  }
  const report = vi.fn()
  return { toSend: fitMessages({ fit, report } as object as AgentContext), given, report }
}

const usage = { input_tokens: 5, output_tokens: 1 }
const plain = { role: 'system', content: 'You keep the log.' }
const TALK = [new HumanMessage({ content: 'a' }), new AiMessage({ content: 'b', usage_metadata: usage })]

test('V2 messages of LangChain are read, those among them that are none as they are, and the same objects come back', async () => {
  const { toSend, given } = fitting()
  for (const messages of [[plain], TALK, [plain, ...TALK], [...TALK, plain]]) {
    const back = await toSend(messages)
    expect(back).toHaveLength(messages.length)
    expect(back.every((message, at) => message === messages[at])).toBe(true)
    expect(given.at(-1)).toEqual(
      messages.map((message) =>
        message === plain ? plain : expect.objectContaining({ role: expect.any(String) }),
      ),
    )
  }
})

test('V2 what an answer of LangChain took is reported once, and nothing where there is none', async () => {
  const { toSend, report } = fitting()
  await toSend([TALK[0] as InstanceType<typeof HumanMessage>])
  await toSend([plain])
  expect(report).not.toHaveBeenCalled()
  await toSend(TALK)
  await toSend([...TALK, new HumanMessage({ content: 'c' })])
  expect(report.mock.calls).toEqual([[usage]])
})

test('V2 what was made for messages of another form comes back as it was made', async () => {
  const made = { role: 'user', content: 'In short.' }
  const fit = async () => ({ messages: [made], system: '' })
  const toSend = fitMessages({ fit, report: () => undefined } as object as AgentContext)
  expect((await toSend([plain]))[0]).toBe(made)
  expect(await toSend(TALK)).toEqual([expect.any(HumanMessage)])
})

test('V2 what belongs in front is there, in the form of the others', async () => {
  const { toSend } = fitting('Own.')
  expect(await toSend(TALK)).toEqual([{ role: 'system', content: 'Own.' }, ...TALK])
  expect(await toSend([plain])).toEqual([{ role: 'system', content: 'Own.' }, plain])
})
