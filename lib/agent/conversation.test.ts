import { expect, test } from 'vitest'
import { countMessage } from '../core/history/count-message'
import type { ContentMessage } from '../core/history/thinking'
import { Conversation, conversationInParts, instructionsOf } from './conversation'

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
