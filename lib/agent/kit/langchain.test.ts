import { describe, expect, test } from 'vitest'
import {
  AiMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '../../testing/builders/langchain-messages'
import { isLangChain, LangChainMessages } from './langchain'

/** Says of which type it is. */
class OtherMessage extends HumanMessage {
  override getType() {
    return this.of as string
  }
}

const read = (message: object) => new LangChainMessages().read(message)
/** The fields of what was made, and its class. */
const shapeOf = (message: object) => [message.constructor, JSON.parse(JSON.stringify(message))]

describe('V2 messages of LangChain as they are read', () => {
  test.each<[string, object, object]>([
    [
      'a question, and nothing where it says nothing',
      new HumanMessage({ content: 'Hello' }),
      { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
    ],
    ['an empty one', new HumanMessage({ content: '' }), { role: 'user', content: [] }],
    ['one that has no content', new HumanMessage({ content: null }), { role: 'user', content: [] }],
    [
      'one of a kind that is not known',
      new OtherMessage({ of: 'robot', content: 'x', tool_calls: [{ id: 'c1', name: 'read', args: {} }] }),
      { role: 'user', content: [{ type: 'text', text: 'x' }] },
    ],
    [
      'instructions in pieces',
      new SystemMessage({ content: ['a', { text: 'b' }, { type: 'image' }, 7] }),
      { role: 'system', content: 'a\nb' },
    ],
    [
      'those of a developer',
      new OtherMessage({ of: 'developer', content: 'a' }),
      { role: 'system', content: 'a' },
    ],
    [
      'an answer with what it thought, whose calls are said once',
      new AiMessage({
        content: [
          'So: ',
          { type: 'text', text: 'I look.' },
          { text: 'without a type' },
          { type: 'thinking', thinking: 'Hm.' },
          { type: 'reasoning', reasoning: 'Well.' },
          ...['tool_use', 'tool_call', 'input_json_delta', 'functionCall'].map((type) => ({
            type,
            text: 'again',
          })),
          { type: 'odd', about: 1 },
          null,
        ],
        tool_calls: [{ id: 'c1', name: 'read', args: { ship: 'a' } }, { name: 7 }, 'no call'],
      }),
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'So: ' },
          { type: 'text', text: 'I look.' },
          { type: 'text', text: 'without a type' },
          { type: 'reasoning', text: 'Hm.' },
          { type: 'reasoning', text: 'Well.' },
          { type: 'text', text: '{"type":"odd","about":1}' },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: { ship: 'a' } },
          { type: 'tool-call', toolCallId: '', toolName: '', input: {} },
        ],
      },
    ],
    [
      'an answer without calls',
      new AiMessage({ content: 'Berth 4.' }),
      { role: 'assistant', content: [{ type: 'text', text: 'Berth 4.' }] },
    ],
    [
      'a result',
      new ToolMessage({ content: 'Berth 4.', tool_call_id: 'c1', name: 'read' }),
      {
        role: 'tool',
        content: [
          {
            ...{ type: 'tool-result', toolCallId: 'c1', toolName: 'read' },
            output: { type: 'text', value: 'Berth 4.' },
          },
        ],
      },
    ],
    [
      'a result that failed, without a name, with a picture',
      new ToolMessage({
        ...{ status: 'error', tool_call_id: 'c1' },
        content: [
          { type: 'text', text: 'No such berth.' },
          { type: 'image', data: 'QUJD', mimeType: 'image/png' },
        ],
      }),
      {
        role: 'tool',
        content: [
          {
            ...{ type: 'tool-result', toolCallId: 'c1', toolName: 'tool' },
            output: { type: 'error-text', value: 'No such berth.' },
          },
          { type: 'image', image: 'QUJD', mediaType: 'image/png' },
        ],
      },
    ],
    [
      'the result of a function, as they were once',
      new OtherMessage({ of: 'function', content: 'x', name: 'read' }),
      {
        role: 'tool',
        content: [
          {
            ...{ type: 'tool-result', toolCallId: '', toolName: 'read' },
            output: { type: 'text', value: 'x' },
          },
        ],
      },
    ],
  ])('%s', (_what, message, seen) => {
    expect(read(message)).toEqual(seen)
  })

  test.each<[object, object]>([
    [
      { type: 'image', source: { data: 'QQ==', media_type: 'image/gif' } },
      { type: 'image', image: 'QQ==', mediaType: 'image/gif' },
    ],
    [
      { type: 'image_url', image_url: { url: 'http://a/b.png' } },
      { type: 'image', image: 'http://a/b.png' },
    ],
    [
      { type: 'image_url', image_url: 'http://a/b.png' },
      { type: 'image', image: 'http://a/b.png' },
    ],
    [
      { type: 'image', url: 'http://a/c.png', mime_type: 'image/png' },
      { type: 'image', image: 'http://a/c.png', mediaType: 'image/png' },
    ],
    [
      { type: 'image', source: { url: 'http://a/d.png' } },
      { type: 'image', image: 'http://a/d.png' },
    ],
    [
      { type: 'file', data: 'QQ==' },
      { type: 'file', data: 'QQ==', mediaType: 'application/octet-stream' },
    ],
    [
      { type: 'audio', data: 'QQ==', mimeType: 'audio/wav' },
      { type: 'file', data: 'QQ==', mediaType: 'audio/wav' },
    ],
    [
      { type: 'video', data: 'QQ==' },
      { type: 'file', data: 'QQ==', mediaType: 'application/octet-stream' },
    ],
    [
      { type: 'document', data: 'QQ==' },
      { type: 'file', data: 'QQ==', mediaType: 'application/octet-stream' },
    ],
    [{ type: 'image' }, { type: 'text', text: '{"type":"image"}' }],
    [
      { type: 'odd', text: 'x' },
      { type: 'text', text: '{"type":"odd","text":"x"}' },
    ],
    [
      { type: 'text', text: 7 },
      { type: 'text', text: '{"type":"text","text":7}' },
    ],
    [
      { type: 'odd', data: 'QQ==' },
      { type: 'text', text: '{"type":"odd","data":"QQ=="}' },
    ],
  ])('a block %j', (block, part) => {
    expect(read(new HumanMessage({ content: [block] }))).toStrictEqual({ role: 'user', content: [part] })
  })

  test('each is read once, and what is no message of LangChain is left', () => {
    const all = new LangChainMessages()
    const message = new HumanMessage({ content: 'Hello' })
    expect(all.read(message)).toBe(all.read(message))
    const plain = { role: 'user', content: 'Hello' }
    expect(all.read(plain)).toBe(plain)
    expect([
      isLangChain(plain),
      isLangChain({ getType: () => 'human' }),
      isLangChain({ ...plain, getType: 'human' }),
    ]).toEqual([false, false, false])
    expect(isLangChain(message)).toBe(true)
  })

  test('the usage of the newest answer is taken once', () => {
    const all = new LangChainMessages()
    const usage = { input_tokens: 5, output_tokens: 1 }
    const messages = [
      new HumanMessage({ content: 'a' }),
      new AiMessage({ content: 'b', usage_metadata: usage }),
    ]
    expect(all.newUsage([])).toBeNull()
    const asked = [...messages, new HumanMessage({ content: 'c', usage_metadata: { input_tokens: 1 } })]
    expect(new LangChainMessages().newUsage(asked), 'of the answer').toBe(usage)
    expect(new LangChainMessages().newUsage([{ role: 'ai', content: 'b', usage_metadata: usage }])).toBeNull()
    expect(all.newUsage(messages)).toBe(usage)
    expect(all.newUsage([...messages, new HumanMessage({ content: 'c' })])).toBeNull()
    expect(all.newUsage([...messages, new AiMessage({ content: 'd' })])).toBeNull()
    const later = { input_tokens: 6, output_tokens: 1 }
    expect(all.newUsage([...messages, new AiMessage({ content: 'e', usage_metadata: later })])).toBe(later)
  })
})

describe('V2 messages of LangChain as they are sent', () => {
  const result = new ToolMessage({
    id: 'm1',
    content: 'long '.repeat(9),
    tool_call_id: 'c1',
    name: 'read',
    status: 'error',
    additional: 1,
  })
  const given = [
    new SystemMessage({ content: 'You keep the log.' }),
    new HumanMessage({ content: 'a' }),
    result,
  ]
  const all = new LangChainMessages()

  test('what nothing was done to is the same object', () => {
    for (const message of given) expect(all.made(all.read(message), given)).toBe(message)
  })

  test('a text that was put in is one of the user’s class, or one that LangChain reads', () => {
    const summary = {
      role: 'user',
      content: [
        { type: 'text', text: 'In' },
        { type: 'text', text: 'short' },
      ],
    }
    expect(shapeOf(all.made(summary, given))).toEqual([HumanMessage, { content: 'In\nshort' }])
    expect(all.made(summary, [])).toEqual({ role: 'human', content: 'In\nshort' })
    expect(shapeOf(all.systemLike(given, 'Be brief.'))).toEqual([SystemMessage, { content: 'Be brief.' }])
    expect(all.systemLike([], 'Be brief.')).toEqual({ role: 'system', content: 'Be brief.' })
  })

  test('an answer that was made of a text has it', () => {
    const made = all.made({ role: 'assistant', content: 'In short.' }, [])
    expect(made).toEqual({ role: 'ai', content: 'In short.' })
  })

  test('an answer of which all calls are gone is no other answer whose calls have no id', () => {
    const nameless = new AiMessage({ content: 'I look.', tool_calls: [{ name: 'read' }] })
    const made = all.made({ role: 'assistant', content: [{ type: 'text', text: 'In short.' }] }, [nameless])
    expect(shapeOf(made)).toEqual([AiMessage, { content: 'In short.' }])
  })

  test('an answer whose call stays is found among answers with odd calls, and what it thought is not what it says', () => {
    const odd = new AiMessage({ content: 'a', tool_calls: [null, { id: 'c0', name: 'read' }] })
    const call = { id: 'c1', name: 'read', args: {} }
    const own = new AiMessage({ content: 'b', tool_calls: [null, call, { id: 'c2' }] })
    const content = [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'I look.' },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: {} },
    ]
    const made = all.made({ role: 'assistant', content }, [odd, own])
    // Fields that it does not have are not given to its class.
    expect(Object.keys(made).sort()).toEqual(['content', 'tool_calls'])
    expect(shapeOf(made)).toEqual([AiMessage, { content: 'I look.', tool_calls: [call] }])
  })

  test('a result that was made shorter keeps its id, name and state, and one that was made is of its class', () => {
    const short = (toolCallId: string, output: unknown) => ({
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId, toolName: 'read', output }],
    })
    const cleared = { content: 'cleared', tool_call_id: 'c1', name: 'read' }
    expect(shapeOf(all.made(short('c1', { type: 'text', value: 'cleared' }), given))).toEqual([
      ToolMessage,
      { id: 'm1', status: 'error', ...cleared },
    ])
    expect(shapeOf(all.made(short('c2', { type: 'json', value: { a: 1 } }), given))).toEqual([
      ToolMessage,
      { content: '{"a":1}', tool_call_id: 'c2', name: 'read' },
    ])
    expect(all.made(short('c2', 'gone'), [])).toEqual({
      role: 'tool',
      ...cleared,
      content: 'gone',
      tool_call_id: 'c2',
    })
  })
})
