import { expect, test } from 'vitest'
import { countMessage } from '../core/history/count-message'
import { extentOf } from '../core/history/message-extent'
import type { ContentMessage } from '../core/history/thinking'
import { agentInParts, Conversation, conversationInParts, instructionsOf } from './conversation'

const say = (role: string, content: unknown): ContentMessage => ({ role, content })
const [SYSTEM, ASK, ANSWER] = [
  say('system', 'Be brief.'),
  say('user', 'Which berth?'),
  say('assistant', 'Berth 4.'),
]
const CALLS = say('assistant', [
  { type: 'text', text: 'I look.' },
  { type: 'tool_use', id: 'a', name: 'read', input: {} },
])
const RESULTS = say('user', [
  { type: 'tool_result', tool_use_id: 'a', content: 'x' },
  { type: 'text', text: 'And now?' },
])

test('a conversation in memory is a separate list, to which turns are added', () => {
  const given = [ASK]
  const talk = new Conversation(given)
  talk.add(ANSWER, ASK)
  expect(talk.getContext()).toEqual([ASK, ANSWER, ASK])
  expect(given).toEqual([ASK])
  talk.setContext([ANSWER])
  expect(talk.getContext()).toEqual([ANSWER])
  expect(new Conversation().getContext()).toEqual([])
})

test('instructions are those in front, of either role', () => {
  expect(instructionsOf([SYSTEM, say('developer', 'x'), ASK, SYSTEM])).toHaveLength(2)
  expect(instructionsOf([SYSTEM])).toEqual([SYSTEM])
  expect(instructionsOf([ASK, SYSTEM])).toEqual([])
})

test('a form without blocks has its messages whole, instructions as any other, in a separate list', async () => {
  const messages = [SYSTEM, ASK, RESULTS]
  const whole = await inParts(messages, { hasBlocks: false }).talk.held()
  expect(whole.instructions).toEqual([])
  expect(whole.parts()).toEqual(messages)
  expect(whole.parts()).not.toBe(messages)
  const held = await inParts(messages).talk.held()
  expect(held.instructions).toEqual([SYSTEM])
  expect(held.messages).toEqual([ASK, RESULTS])
  expect(held.parts().map(({ role }) => role)).toEqual(['user', 'toolResult', 'user'])
})

/** An agent's conversation, read and written in parts. */
function inParts(
  messages: readonly ContentMessage[],
  { hasBlocks = true, moment }: { readonly hasBlocks?: boolean; readonly moment?: () => unknown } = {},
) {
  const held = { messages, noted: [] as (readonly ContentMessage[])[] }
  const counted: ContentMessage[] = []
  const sizes = new Map<ContentMessage, number>()
  const agent = {
    getContext: () => held.messages,
    setContext: (next: readonly ContentMessage[]) => {
      held.messages = next
    },
  }
  const talk = conversationInParts<ContentMessage>(
    agent,
    { hasBlocks },
    {
      sizeOf: (message) => {
        counted.push(message)
        return countMessage(message)
      },
      noteSize: (part, tokens) => sizes.set(part, tokens),
      noteInstructions: (seen) => held.noted.push(seen),
      ...(moment === undefined ? {} : { moment }),
    },
  )
  return { held, talk, counted, sizes }
}

test('a message is counted once until it grows, and a part that is all of it is as large', async () => {
  const block = { type: 'text', text: 'I look.' }
  const growing = say('assistant', [block])
  let moment = 1
  const { held, talk, counted, sizes } = inParts([SYSTEM, ASK, CALLS, RESULTS, growing], {
    moment: () => moment,
  })
  const first = await talk.held()
  const all = [ASK, CALLS, RESULTS, growing].reduce((sum, message) => sum + countMessage(message), 0)
  expect(first.tokensFrom(0)).toBe(all)
  expect(first.tokensFrom(3)).toBe(countMessage(growing))
  expect(counted).toHaveLength(4)
  const parts = first.parts()
  // Two parts of one message are counted by themselves.
  expect(parts.map((part) => sizes.get(part))).toEqual([
    countMessage(ASK),
    countMessage(CALLS),
    undefined,
    undefined,
    countMessage(growing),
  ])
  held.messages = [...held.messages, ANSWER]
  block.text = 'I look at berth four, and then at berth five.'
  moment = 2
  const second = await talk.held()
  expect(second.tokensFrom(3)).toBe(countMessage(growing) + countMessage(ANSWER))
  expect(counted.slice(4)).toEqual([growing, ANSWER])
})

test('what nothing was done to is put back as the agent’s own, instructions in front', async () => {
  const messages = [SYSTEM, ASK, CALLS, RESULTS, ANSWER]
  const { held, talk } = inParts(messages)
  const parts = await talk.getContext()
  expect(parts).not.toContain(SYSTEM)
  await talk.setContext(parts)
  expect(held.messages.every((message, i) => message === messages[i])).toBe(true)
  expect(held.messages).toHaveLength(5)
  expect(held.noted.every(([first]) => first === SYSTEM)).toBe(true)
  await talk.setContext(parts.slice(1))
  expect(held.messages.slice(0, 2)).toEqual([SYSTEM, CALLS])
})

test('who asks again gets the same list, until a message is another one, or has grown at another moment', async () => {
  const block = { type: 'text', text: 'I look.' }
  const growing = say('assistant', [block])
  let moment = 1
  const { held, talk } = inParts([ASK, growing], { moment: () => moment })
  const first = await talk.getContext()
  expect(await talk.getContext()).toBe(first)
  held.messages = [...held.messages]
  expect(await talk.getContext(), 'another list of the same').toBe(first)
  moment = 2
  expect(await talk.getContext(), 'nothing has grown').toBe(first)
  block.text = 'I look at berth four.'
  expect(await talk.getContext(), 'the same moment').toBe(first)
  moment = 3
  const grown = await talk.getContext()
  expect(grown).not.toBe(first)
  expect(grown[0]).toBe(first[0])
  held.messages = [ASK, growing, ANSWER]
  expect(await talk.getContext()).toHaveLength(3)
})

test('what it holds is the sum of its messages, also of a conversation that has gone on since', async () => {
  const extents = (...messages: ContentMessage[]) =>
    messages.reduce((sum, message) => sum + extentOf(message), 0)
  const { held, talk } = inParts([SYSTEM, CALLS, ASK])
  const first = await talk.held()
  expect(first.extent()).toBe(extents(CALLS, ASK))
  held.messages = [ANSWER, RESULTS, CALLS]
  const second = await talk.held()
  expect(second.tokensFrom(1)).toBe(countMessage(RESULTS) + countMessage(CALLS))
  expect(first.extent()).toBe(extents(CALLS, ASK))
  expect(second.extent()).toBe(extents(ANSWER, RESULTS, CALLS))
})

test('what it holds is what it held when that was asked first, also where a message has grown since', async () => {
  for (const first of ['extent', 'tokensFrom'] as const) {
    const block = { type: 'text', text: 'I look.' }
    const { talk } = inParts([SYSTEM, say('assistant', [block])], { moment: () => 1 })
    const look = await talk.held()
    look[first](0)
    const held = extentOf(say('assistant', [{ ...block }]))
    block.text = 'I look at berth four.'
    expect(look.extent()).toBe(held)
  }
})

test('what comes as turns go on is taken apart when it is counted; a conversation that is loaded is not', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => say('user', `Berth ${i}?`))
  const { held, talk, sizes } = inParts([SYSTEM, ...many(65)])
  const first = await talk.held()
  first.tokensFrom(0)
  expect(sizes.size).toBe(0)
  held.messages = [...held.messages, ANSWER]
  const second = await talk.held()
  second.tokensFrom(0)
  expect([...sizes]).toEqual([[ANSWER, countMessage(ANSWER)]])
  const parts = second.parts()
  expect(parts.map((part) => sizes.get(part))).toEqual(
    held.messages.slice(1).map((message) => countMessage(message)),
  )
  const few = inParts(many(64))
  ;(await few.talk.held()).tokensFrom(0)
  expect(few.sizes.size).toBe(64)
  few.held.messages = few.held.messages.with(3, ANSWER)
  ;(await few.talk.held()).tokensFrom(0)
  expect(few.sizes.get(ANSWER), 'also in the middle').toBe(countMessage(ANSWER))
  const whole = inParts(many(2), { hasBlocks: false })
  ;(await whole.talk.held()).tokensFrom(0)
  expect(whole.sizes.size).toBe(0)
})

test('items that are one answer are one part, which is as large as all of them', async () => {
  const items = [
    { type: 'reasoning', id: 'r', summary: [] },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Berth 4.' }] },
  ] as unknown as ContentMessage[]
  const { talk, sizes } = inParts([ASK, ...items])
  const held = await talk.held()
  held.tokensFrom(0)
  const parts = held.parts()
  expect(parts).toHaveLength(2)
  expect(parts.map((part) => sizes.get(part))).toEqual([countMessage(ASK), undefined])
})

test('parts are the same when they are counted later, also behind another conversation that was counted', async () => {
  let moment = 1
  const { held, talk } = inParts([ASK, CALLS], { moment: () => moment })
  ;(await talk.held()).tokensFrom(0)
  const block = { type: 'text', text: 'I look.' }
  const growing = say('user', [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }, block])
  held.messages = [CALLS, growing]
  const first = (await talk.held()).parts()
  moment = 2
  const counted = await talk.held()
  counted.tokensFrom(0)
  block.text = 'I look at berth four.'
  expect(counted.parts(), 'as they were when they were counted').toBe(first)
  moment = 3
  const grown = (await talk.held()).parts()
  expect(grown).not.toBe(first)
  expect(grown[0]).toBe(first[0])
})

test('a look at a conversation takes nothing of one that was counted since', async () => {
  const { held, talk } = inParts([CALLS, RESULTS], { moment: () => 1 })
  const first = await talk.held()
  first.tokensFrom(0)
  held.messages = [ASK, ANSWER, SYSTEM]
  ;(await talk.held()).tokensFrom(0)
  const parts = [...first.parts()]
  held.messages = [CALLS, RESULTS]
  const again = await talk.held()
  again.tokensFrom(0)
  expect(again.parts().every((part, at) => part === parts[at])).toBe(true)
})

test('a message that takes the place of one as long is counted anew', async () => {
  const { held, talk } = inParts([say('user', 'abcdefghijkl')])
  ;(await talk.held()).tokensFrom(0)
  const other = say('user', '一二三四五六七八九十一二')
  held.messages = [other]
  expect((await talk.held()).tokensFrom(0)).toBe(countMessage(other))
})

test('a conversation that was cut at its end is another one, and an empty one is one as well', async () => {
  const { held, talk } = inParts([ASK, ANSWER], { moment: () => 1 })
  expect(await talk.getContext()).toHaveLength(2)
  held.messages = [ASK]
  expect(await talk.getContext()).toHaveLength(1)
  expect(await inParts([], { moment: () => undefined }).talk.getContext()).toEqual([])
})

test('growth is seen at each moment, and without moments at each look, whoever has counted before', async () => {
  let at = 1
  for (const moment of [() => at, undefined]) {
    const block = { type: 'text', text: 'I look.' }
    const { talk } = inParts([ASK, say('assistant', [block])], moment === undefined ? {} : { moment })
    const first = await talk.held()
    first.tokensFrom(0)
    first.parts()
    block.text = 'I look at berth four, and then at berth five.'
    at += 1
    const second = await talk.held()
    expect(JSON.stringify(second.parts())).toContain('berth five')
    expect(second.tokensFrom(1)).toBe(countMessage(say('assistant', [{ ...block }])))
  }
})

test('instructions are noted when they are seen, and not again as long as nothing has changed', async () => {
  const { held, talk } = inParts([SYSTEM, ASK], { moment: () => 1 })
  for (let look = 0; look < 3; look++) await talk.held()
  expect(held.noted).toEqual([[SYSTEM]])
  const parts = await talk.getContext()
  const other = say('system', 'Be thorough.')
  held.messages = [other, ASK]
  expect(await talk.getContext(), 'what is behind them is the same').toBe(parts)
  expect(held.noted).toEqual([[SYSTEM], [other]])
})

test('sizes of parts need nobody who notes them', async () => {
  const agent = { getContext: () => [ASK, ANSWER], setContext: () => {} }
  const talk = conversationInParts<ContentMessage>(agent, { hasBlocks: true }, { sizeOf: countMessage })
  expect((await talk.held()).tokensFrom(1)).toBe(countMessage(ANSWER))
})

test('messages of the AI SDK’s interface stay such, also when the conversation was empty for a moment', async () => {
  const said = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Which berth?' }] } as ContentMessage
  const { held, talk } = inParts([said])
  await talk.held()
  held.messages = []
  await talk.setContext([ANSWER])
  expect(held.messages).toMatchObject([{ role: 'assistant', parts: [{ type: 'text', text: 'Berth 4.' }] }])
})

test.each([
  [true, ['toolResult', 'user']],
  [false, ['user']],
])('an agent reads and curates in parts, where its form has blocks: %s', async (hasBlocks, roles) => {
  const given: unknown[] = []
  const agent = {
    session: 's',
    form: { hasBlocks } as never,
    clock: { now: () => 0 },
    getContext: () => [RESULTS],
    setContext: () => {},
    getMessages: (count: number) => Array.from({ length: count }, () => RESULTS),
  }
  const curate = async ({ messages }: { readonly messages: readonly ContentMessage[] }) => {
    given.push(...messages)
    return messages
  }
  const reading = { sizeOf: countMessage }
  const own = agentInParts<ContentMessage>({ ...agent, curate }, reading)
  const roleOf = ({ role }: ContentMessage) => role
  expect((await own.getMessages?.(1))?.map(roleOf)).toEqual(roles)
  const messages = await own.getContext()
  const kept = await own.curate?.({ messages, incoming: [], policy: {} as never, window: 9 })
  expect(kept?.map(roleOf)).toEqual(roles)
  expect(given).toEqual([RESULTS])
  expect(agentInParts<ContentMessage>(agent, reading).curate).toBeUndefined()
  const { getMessages: _, ...without } = agent
  expect(agentInParts<ContentMessage>(without, reading).getMessages).toBeUndefined()
})
