import { describe, expect, it } from 'vitest'
import { countMessage, countPart } from './count-message'
import {
  callsBeside,
  callsOf,
  isAnswerItem,
  isReference,
  joinParts,
  resultSaid,
  splitMessages,
  withBeside,
} from './message-parts'
import type { ContentMessage } from './thinking'

const text = (said: string) => ({ type: 'text', text: said })
const itemCall = (id: string) => ({ type: 'function_call', call_id: id, name: 'read', arguments: '{}' })
const itemResult = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'said' })
const first = (message: ContentMessage) => splitMessages([message])[0]

describe('C8 an item of Responses that belongs to an answer', () => {
  const says = { type: 'message', role: 'assistant', content: [] }
  it.each([
    [itemCall('a'), true],
    [{ type: 'reasoning', summary: [] }, true],
    [says, true],
    [{ id: 'rs_1' }, true],
    [itemResult('a'), false],
    [{ ...says, role: 'user' }, false],
    // Facts of transcripts have type and role as well, and no content; other types with a role are no answer.
    [{ ...says, content: 'text' }, false],
    [{ ...says, type: 'additional_tools' }, false],
    [{ role: 'assistant', content: 'See.' }, false],
    [{ id: 'rs_1', content: 'See.' }, false],
    [undefined, false],
  ] as [ContentMessage | undefined, boolean][])('%j: %s', (message, expected) => {
    expect(isAnswerItem(message)).toBe(expected)
  })

  it.each([
    [{ type: 'item_reference', id: 'fc_1' }, true],
    [{ id: 'fc_1' }, true],
    [{ id: 'fc_1', type: null }, true],
    [{ id: 'fc_1', role: 'user' }, false],
    [{ id: 7 }, false],
    [{ id: 'fc_1', content: '' }, false],
    [{ id: 'fc_1', type: 'reasoning' }, false],
    [undefined, false],
  ] as [ContentMessage | undefined, boolean][])(
    'in the place of one that is kept, %j: %s',
    (item, expected) => {
      expect(isReference(item)).toBe(expected)
    },
  )

  it('that is kept elsewhere has the calls that the results right behind it answer', () => {
    const reference = { type: 'item_reference', id: 'fc_1' }
    const ids = (...items: ContentMessage[]) => splitMessages(items)[0]?.calls?.map(({ id }) => id)
    expect(ids(reference, itemResult('a'))).toEqual(['a'])
    // Of the same object in another list as well.
    expect(ids(reference, itemResult('b'))).toEqual(['b'])
    // As many as there are references, and none that another item of the answer makes.
    expect(ids(reference, itemResult('a'), itemResult('b'))).toEqual(['a'])
    expect(ids(reference, itemCall('a'), itemResult('a'), itemResult('b'))).toEqual(['a', 'b'])
    expect(ids(reference, { role: 'user', content: 'Which?' }, itemResult('a'))).toEqual([])
    expect(ids(reference)).toEqual([])
    expect(ids(itemCall('a'), itemResult('b'))).toEqual(['a'])
    const two = [{ id: 'fc_2' }, { id: 'fc_3' }]
    expect(ids(...two, itemResult('a'), itemResult('b'), itemResult('c'))).toEqual(['a', 'b'])
    // What has a role, what is no result and a result that names no call end them, or add none.
    const output = { ...itemResult('a'), role: 'tool' } as ContentMessage
    expect(ids(reference, output)).toEqual([])
    expect(ids(reference, { call_id: 'a', content: 'said' })).toEqual([])
    expect(ids({ ...reference }, { type: 'function_call_output', output: 'said' })).toEqual([])
    // Ids that are read alike one behind the other are others.
    expect(ids(...two, itemResult('ab'), itemResult('c'))).toEqual(['ab', 'c'])
    expect(ids(...two, itemResult('a'), itemResult('bc'))).toEqual(['a', 'bc'])
  })
})

describe('C8 messages that were taken apart before', () => {
  it('give the same parts, also runs that begin alike and end elsewhere', () => {
    const [one, two] = [itemCall('a'), itemCall('b')]
    const short = splitMessages<ContentMessage>([one])[0]
    const long = splitMessages<ContentMessage>([one, two])[0]
    expect(long?.calls).toEqual([{ id: 'a' }, { id: 'b' }])
    expect(splitMessages<ContentMessage>([one])[0]).toBe(short)
    expect(splitMessages<ContentMessage>([one, two])[0]).toBe(long)
    // Another item of the same size behind the first is another run.
    expect(splitMessages<ContentMessage>([one, itemCall('c')])[0]?.calls).toEqual([{ id: 'a' }, { id: 'c' }])
    const items = joinParts(splitMessages<ContentMessage>([one, two]))
    expect([items[0] === one, items[1] === two, items.length]).toEqual([true, true, 2])
  })

  it('are known still when a run that begins alike is taken apart anew', () => {
    const [one, two] = [itemCall('a'), itemCall('b')]
    splitMessages<ContentMessage>([one], [1])
    const long = splitMessages<ContentMessage>([one, two], [1, 1])[0]
    splitMessages<ContentMessage>([one], [2])
    expect(splitMessages<ContentMessage>([one, two], [1, 1])[0]).toBe(long)
  })

  it('are taken apart anew when they have grown in place', () => {
    const content: unknown[] = [{ type: 'tool_use', id: 'a', name: 'read', input: {} }]
    const answer = { role: 'assistant', content }
    const before = first(answer)
    expect(before?.calls).toEqual([{ id: 'a' }])
    content.push({ type: 'tool_use', id: 'b', name: 'read', input: {} })
    const after = first(answer)
    expect(after).not.toBe(before)
    expect(after?.calls).toEqual([{ id: 'a' }, { id: 'b' }])
    expect(first(answer)).toBe(after)
  })

  it('are taken apart anew when an item behind the first has grown', () => {
    const summary: unknown[] = []
    const items = [itemCall('a'), { type: 'reasoning', summary }] as ContentMessage[]
    const before = splitMessages(items)[0]
    summary.push(text('The quay is long.'))
    expect(splitMessages(items)[0]).not.toBe(before)
  })

  it('stay as they are where they are parts already, also when they have grown', () => {
    const content: unknown[] = [{ type: 'tool_use', id: 'a', name: 'read', input: {} }]
    const part = first({ role: 'assistant', content }) as ContentMessage
    expect(first(part)).toBe(part)
    content.push(text('See.'))
    expect(first(part)).toBe(part)
  })

  it('are a new object when they have grown and serve as they are, so that nothing is believed of the old', () => {
    const answer = { role: 'assistant', content: 'See' }
    expect(first(answer)).toBe(answer)
    answer.content += ' the quay.'
    const grown = first(answer)
    expect(grown).not.toBe(answer)
    expect(grown).toMatchObject({ role: 'assistant', content: 'See the quay.' })
    expect(joinParts(splitMessages([answer]))[0]).toBe(answer)
  })

  it('are the same list when none needs it, and parts are not taken apart twice', () => {
    const plain = [{ role: 'user', content: 'Which?' }]
    expect(splitMessages(plain)).toBe(plain)
    expect(joinParts(plain)).toBe(plain)
    const results = { role: 'tool', tool_call_id: 'a', content: 'said' }
    const parts = splitMessages<ContentMessage>([...plain, results, ...plain])
    expect(parts).toHaveLength(3)
    expect(splitMessages(parts)).toBe(parts)
    expect(splitMessages([])).toEqual([])
  })
})

describe('C8 parts that are put together again', () => {
  const block = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: id })
  const results = (...ids: string[]): ContentMessage => ({ role: 'user', content: ids.map(block) })

  it('are one message only where they were one', () => {
    const parts = splitMessages([results('a', 'b'), results('c', 'd')])
    const ends = [parts[0], parts[3]].flatMap((part) => part ?? [])
    expect(joinParts(ends)).toEqual([results('a'), results('d')])
  })

  it('a result of another message behind a UIMessage is not taken for one of this message', () => {
    const messages: ContentMessage[] = [
      { role: 'assistant', parts: [text('See.')] } as ContentMessage,
      { role: 'tool', tool_call_id: 'a', content: 'said' },
    ]
    const joined = joinParts(splitMessages(messages))
    expect(joined.map((message, at) => message === messages[at])).toEqual([true, true])
  })

  it('one by one come to the same as together', () => {
    const messages: ContentMessage[] = [
      { role: 'user', content: 'Which?' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'read', input: {} }] },
      results('a'),
    ]
    const parts = splitMessages(messages)
    const alone = parts.flatMap((part) => joinParts([part]))
    expect(joinParts(parts)).toEqual(alone)
    expect(alone.map((message, at) => message === messages[at])).toEqual([true, true, true])
  })
})

describe('C8 the calls of a message that need a result', () => {
  const call = (id: string | number, more = {}) => ({ type: 'tool-call', toolCallId: id, ...more })
  it.each([
    [{ role: 'assistant', content: [call('a'), text('See.'), 'bare', null, call(7)] }, ['a']],
    // What the provider ran, and what it answered in the same message.
    [{ role: 'assistant', content: [call('a', { providerExecuted: true }), call('b')] }, ['b']],
    [{ role: 'assistant', content: [call('a'), { type: 'tool-result', toolCallId: 'a' }, call('b')] }, ['b']],
    [{ role: 'assistant', content: [call('a'), { type: 'tool-result' }] }, ['a']],
    [{ role: 'assistant', calls: [{ id: 'own' }], content: [call('a')] }, ['own']],
    [{ role: 'assistant', content: null, function_call: { name: 'read' } }, ['function:read']],
    [{ role: 'assistant', content: null, function_call: {} }, ['function:']],
    [{ role: 'model', content: [{ type: 'functionCall', id: 'a' }] }, ['a']],
    [{ role: 'user', content: [call('a')] }, []],
  ])('%j', (message, ids) => {
    // A copy: of an object that was taken apart before, the parts are known.
    expect(callsOf(structuredClone(message) as ContentMessage).map(({ id }) => id)).toEqual(ids)
  })

  it('are beside the content in Chat Completions, in both of its forms', () => {
    const old = { name: 'read', arguments: '{}' }
    const made = { type: 'function', id: 'function:read', function: old }
    expect(callsBeside({ tool_calls: [1], function_call: old })).toEqual([1, made])
    expect(callsBeside({ tool_calls: 'none', function_call: 'none' })).toEqual([])
    expect(withBeside([text('See.')], [made])).toEqual([text('See.'), made])
    expect(withBeside('See.', [made])).toEqual([text('See.'), made])
    expect(withBeside('', [made])).toEqual([made])
    expect(withBeside(null, [made])).toEqual([made])
  })

  it('make an answer a part of the project’s words, whatever its role is called', () => {
    const said = { role: 'model', content: 'See.' }
    expect(first(said)).toMatchObject({ role: 'assistant', content: 'See.', calls: [] })
    expect(joinParts(splitMessages([said]))[0]).toBe(said)
    expect(first(itemCall('a'))).toMatchObject({ role: 'assistant', calls: [{ id: 'a' }] })
    const own = { role: 'assistant', calls: [{ id: 'a' }], content: [call('a')] }
    expect(first(own)).toBe(own)
    const answer = {
      role: 'assistant',
      content: 'See.',
      tool_calls: [{ id: 'a', type: 'function', function: {} }],
    }
    expect(first(answer)).toMatchObject({
      role: 'assistant',
      calls: [{ id: 'a' }],
      content: [text('See.'), { id: 'a' }],
    })
    expect(first({ role: 'assistant', content: [call('a')] })?.content).toEqual([call('a')])
  })
})

describe('C8 a result as a part', () => {
  it('has the call, the tool, whether it failed, and what is known of the message that it came in', () => {
    const block = { type: 'tool_result', tool_use_id: 'a', name: 'read', is_error: true, content: 'said' }
    const part = first({ role: 'user', timestamp: 7, important: true, content: [block] })
    expect(part).toMatchObject({
      role: 'toolResult',
      resultFor: 'a',
      toolName: 'read',
      isError: true,
      timestamp: 7,
      important: true,
      content: 'said',
    })
    const bare = first({ role: 'user', content: [{ type: 'tool_result', content: 'said' }] })
    expect(Object.keys(bare ?? {})).toEqual(['role', 'content'])
    const named = { type: 'tool-result', toolCallId: 'a', toolName: 'read', name: 'other', result: 'said' }
    expect(first({ role: 'tool', content: [named] })).toMatchObject({ toolName: 'read', content: 'said' })
  })

  it('leaves what else its message says to the user, or to no side', () => {
    const content = [{ type: 'tool_result', tool_use_id: 'a', content: 'said' }, text('Go on.')]
    expect(splitMessages<ContentMessage>([{ role: 'user', content }])[1]).toMatchObject({ role: 'user' })
    expect(splitMessages<ContentMessage>([{ role: 'tool', content }])[1]).toMatchObject({ role: 'custom' })
    expect(splitMessages<ContentMessage>([{ role: 'user', content: content.slice(0, 1) }])).toHaveLength(1)
  })

  it.each([
    [{ role: 'tool', tool_call_id: 'a', content: 'said' }, 'a'],
    [{ role: 'toolResult', toolCallId: 'a', content: 'said' }, 'a'],
    [{ role: 'function', name: 'read', content: 'said' }, 'function:read'],
    [{ role: 'tool', content: 'said' }, undefined],
  ])('of a whole message, %j, answers %s', (given, resultFor) => {
    const message = structuredClone(given)
    const part = first(message)
    expect(part?.role).toBe('toolResult')
    expect(part?.resultFor).toBe(resultFor)
    expect(part === undefined ? false : 'resultFor' in part).toBe(resultFor !== undefined)
    expect(joinParts(splitMessages<ContentMessage>([message]))[0]).toBe(message)
  })

  it('in the project’s words serves as it is', () => {
    const own = { role: 'toolResult', resultFor: 'a', content: 'said' }
    expect(first(own)).toBe(own)
    expect(first({ role: 'toolResult', content: 'said' })).toEqual({ role: 'toolResult', content: 'said' })
  })

  it('says a text, blocks or an object; else JSON, and an item that is its own answer says itself', () => {
    const holder = { role: 'user' }
    expect(resultSaid({ type: 'tool_result', content: 'said' }, holder)).toBe('said')
    expect(resultSaid({ type: 'tool_result', content: [1] }, holder)).toEqual([1])
    expect(resultSaid({ type: 'functionResponse', response: { n: 1 } }, holder)).toEqual({ n: 1 })
    expect(resultSaid({ type: 'tool_result', content: 7 }, holder)).toBe('7')
    const approval = { type: 'mcp_approval_response', approval_request_id: 'a', approve: true }
    expect(resultSaid(approval, approval)).toBe(JSON.stringify(approval))
    expect(resultSaid({ ...approval }, holder)).not.toBe(JSON.stringify(approval))
    const message = { ...approval, role: 'tool' }
    expect(resultSaid(message, message)).not.toBe(JSON.stringify(message))
  })
})

describe('B2 what is counted', () => {
  const long = 'crane '.repeat(400)
  const alone = countMessage({ role: 'user', content: long })
  it.each([
    [{ role: 'bashExecution', command: long, output: '' }],
    [{ role: 'assistant', content: null, refusal: long }],
    [{ role: 'compactionSummary', summary: long }],
    [{ role: 'model', content: 'See.', tool_calls: [{ type: 'function', function: { arguments: long } }] }],
    [{ type: 'function_call', call_id: 'a', name: 'read', arguments: long }],
    [{ type: 'function_call_output', call_id: 'a', output: long }],
    [{ role: 'developer', type: 'additional_tools', tools: [{ description: long }] }],
    [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: long }] }],
    [{ role: 'assistant', parts: [text(long)] }],
  ])('wherever a message has it: %#', (message) => {
    const tokens = countMessage(message as ContentMessage)
    expect(tokens).toBeGreaterThan(alone - 10)
    expect(tokens).toBeLessThan(alone + 60)
  })

  it('of parts is what their messages take, and of one of several what it would take alone', () => {
    const answer = { role: 'assistant', content: long, tool_calls: [] }
    const results = {
      role: 'user',
      content: ['a', 'b'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: long })),
    }
    for (const message of [answer, results] as ContentMessage[]) {
      const parts = splitMessages([message])
      const sum = parts.reduce((tokens, part) => tokens + countPart(part, (said) => said.length), 0)
      expect(sum).toBe(countMessage(message, (said) => said.length))
      expect(sum).toBe(parts.length * (4 + long.length))
    }
    const changed = { ...splitMessages<ContentMessage>([results])[0], content: 'gone' }
    expect(countPart(changed, (said) => said.length)).toBe(8)
  })
})

describe('C8 messages of which it is known how much they hold', () => {
  it('are taken apart anew where that is more than before, and by nothing else', () => {
    const message: ContentMessage = {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'a', name: 'read' }],
    }
    const [before] = splitMessages([message], [10])
    expect(splitMessages([message], [10])[0]).toBe(before)
    expect(splitMessages([message], [11])[0]).not.toBe(before)
  })

  it('count together where they are one answer', () => {
    const items: ContentMessage[] = [itemCall('a'), itemCall('b')] as ContentMessage[]
    const [before] = splitMessages(items, [3, 4])
    expect(splitMessages(items, [4, 3])[0]).toBe(before)
    expect(splitMessages(items, [4, 4])[0]).not.toBe(before)
  })
})

describe('A8 messages that have a role and a type', () => {
  it('serve as they are, whatever item the type is', () => {
    const said = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'See.' }] }
    const result = { type: 'tool_result', role: 'user', content: 'x' }
    for (const message of [said, result]) expect(splitMessages<ContentMessage>([message])[0]).toBe(message)
  })
})

it('A8 parts of a message are the same objects, whatever comes behind it', () => {
  const block = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: id })
  const results = { role: 'user', content: [block('a'), block('b')] }
  const [part] = splitMessages<ContentMessage>([results])
  const grown = { role: 'user', content: 'Go' }
  expect(splitMessages<ContentMessage>([results, grown])[0]).toBe(part)
  grown.content += ' on'
  expect(splitMessages<ContentMessage>([results, grown])[0]).toBe(part)
})
