import { describe, expect, it } from 'vitest'
import { FormError } from './form-error'
import { FORM_NAMES, type FormName } from './form-name'
import { formOf } from './form-of'

const ask = { role: 'user', content: 'Which berth is free?' }
const said = { role: 'assistant', content: [{ type: 'text', text: 'Berth 4.' }] }

/** A call and its result as each form has them. */
const LOOPS: { readonly [F in Exclude<FormName, 'plain'>]: readonly unknown[] } = {
  anthropic: [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Look.', signature: 'c2ln' },
        { type: 'tool_use', id: 'c1', name: 'read', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'c1', content: 'free', cache_control: { type: 'ephemeral' } },
        { type: 'text', text: 'And?' },
      ],
    },
  ],
  'openai-chat': [
    {
      role: 'assistant',
      content: null,
      refusal: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'free' },
  ],
  'openai-responses': [
    { type: 'reasoning', id: 'rs_1', summary: [] },
    { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'read', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c1', output: 'free' },
    { type: 'message', id: 'm', role: 'assistant', status: 'completed', content: [] },
    { id: 'msg_2' },
  ],
  'ai-sdk': [
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: {} }],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'c1',
          toolName: 'read',
          output: { type: 'text', value: 'free' },
        },
      ],
    },
  ],
  'ai-sdk-ui': [
    {
      id: 'm2',
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        { type: 'tool-read', toolCallId: 'c1', state: 'output-available', input: {}, output: 'free' },
        {
          type: 'dynamic-tool',
          toolName: 'x',
          toolCallId: 'c2',
          state: 'output-error',
          input: {},
          errorText: '',
        },
        { type: 'data-berth', data: 4 },
      ],
    },
  ],
  pi: [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Look.', thinkingSignature: 'c2ln' },
        { type: 'toolCall', id: 'c1', name: 'read', arguments: {} },
      ],
    },
    { role: 'toolResult', toolCallId: 'c1', toolName: 'read', content: [{ type: 'text', text: 'free' }] },
  ],
}

const LOOP_FORMS = Object.keys(LOOPS) as (keyof typeof LOOPS)[]

/** What was thrown; fails where nothing was. */
function refusal(messages: readonly unknown[], named?: FormName): FormError {
  try {
    formOf(messages, named)
  } catch (error) {
    if (error instanceof FormError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

describe('A8 the form of a conversation', () => {
  it.each(LOOP_FORMS)('%s is recognised, plain texts around its calls included', (form) => {
    const texts = form === 'ai-sdk-ui' ? [] : [ask]
    expect(formOf([...texts, ...LOOPS[form], ...texts])).toBe(form)
    expect(formOf(LOOPS[form], form)).toBe(form)
  })

  it('is plain where there are only texts, and where there is nothing', () => {
    expect(formOf([])).toBe('plain')
    expect(formOf([{ role: 'system', content: 'Be brief.' }, ask, said])).toBe('plain')
    for (const form of FORM_NAMES) if (form !== 'ai-sdk-ui') expect(formOf([ask], form)).toBe(form)
  })

  it('is the first in the order of the names where several fit wholly', () => {
    expect(formOf([ask, { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm.' }] }])).toBe(
      'anthropic',
    )
    expect(formOf([{ role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] }])).toBe(
      'openai-chat',
    )
  })

  it('tells images and files of one type apart by their fields', () => {
    const user = (block: unknown) => [{ role: 'user', content: [block] }]
    const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' }
    expect(formOf(user({ type: 'image', source }))).toBe('anthropic')
    expect(formOf(user({ type: 'image', data: 'AAAA', mimeType: 'image/png' }))).toBe('pi')
    expect(formOf(user({ type: 'image', image: new Uint8Array(3) }))).toBe('ai-sdk')
    expect(formOf(user({ type: 'file', data: 'AAAA', mediaType: 'text/plain' }))).toBe('ai-sdk')
    expect(formOf(user({ type: 'file', file: { file_id: 'f' } }))).toBe('openai-chat')
    expect(formOf(user({ type: 'input_file', file_id: 'f' }))).toBe('openai-responses')
  })
})

describe('A8 what is refused, with its place', () => {
  it.each(
    LOOP_FORMS.flatMap((one) => LOOP_FORMS.filter((two) => two !== one).map((two) => [one, two] as const)),
  )('messages of %s and of %s in one conversation', (one, two) => {
    const error = refusal([...LOOPS[one], ...LOOPS[two]])
    expect(error.index).toBe(LOOPS[one].length)
    expect(error.message).toMatch(/^messages\[\d\]\S* is .+; expected .+ a conversation has one form/)
    expect(error.message).toContain('messages[0]')
  })

  it('a block that no form has: where it is, what is there and what could be', () => {
    const error = refusal([
      ask,
      { role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'hologram' }] },
    ])
    expect(error).toMatchObject({ code: 'FORM', index: 1, field: 'content[1].type' })
    expect(error.message).toMatch(/^messages\[1\]\.content\[1\]\.type is "hologram"; expected /)
    expect(error.expected).toContain('Anthropic Messages')
  })

  it('a block of one form that lacks what makes it one: the field, and not its type', () => {
    const error = refusal([
      ask,
      { role: 'assistant', content: [{ type: 'tool_use', name: 'read', input: {} }] },
    ])
    expect(error).toMatchObject({ index: 1, field: 'content[0].id' })
    expect(error.message).toMatch(
      /^messages\[1\]\.content\[0\]\.id is missing; expected a text, in Anthropic/,
    )
  })

  it('a block within a result that results do not have', () => {
    const inside = [{ type: 'text', text: 'a' }, { type: 'hologram' }]
    const anthropic = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: inside }] }
    expect(refusal([anthropic])).toMatchObject({ index: 0, field: 'content[0].content[1].type' })
    const output = [{ type: 'input_text', text: 'a' }, { type: 'hologram' }]
    for (const type of ['function_call_output', 'custom_tool_call_output'])
      expect(refusal([ask, { type, call_id: 'c1', output }])).toMatchObject({
        index: 1,
        field: 'output[1].type',
      })
  })

  it('an unknown block names the blocks of the one form that was recognised', () => {
    const error = refusal([...LOOPS['openai-responses'], { type: 'telepathy_call', call_id: 'c9' }])
    expect(error).toMatchObject({ index: 5, field: 'type' })
    expect(error.expected).toContain('function_call_output')
    expect(error.expected).not.toContain('tool_result')
  })

  it.each<[string, unknown, number, string]>([
    ['no message', null, 0, ''],
    ['a text', 'Which berth?', 0, ''],
    ['a role that no form has', { role: 'harbourmaster', content: 'x' }, 0, 'role'],
    ['an entry instead of its message', { type: 'message', message: ask }, 0, 'role'],
    ['no content', { role: 'user' }, 0, 'content'],
    ['a block without a type', { role: 'user', content: [{ text: 'x' }] }, 0, 'content[0].type'],
    ['a bare text among blocks', { role: 'user', content: ['x'] }, 0, 'content[0]'],
    ['a result that names no call', { role: 'tool', content: 'x' }, 0, 'tool_call_id'],
    ['calls that are no list', { role: 'assistant', content: '', tool_calls: {} }, 0, 'tool_calls'],
    [
      'a tool part in a state that there is not',
      { id: 'm', role: 'assistant', parts: [{ type: 'tool-read', toolCallId: 'c', state: 'result' }] },
      0,
      'parts[0].state',
    ],
  ])('%s', (_, message, index, field) => {
    const error = refusal([message])
    expect([error.index, error.field]).toEqual([index, field])
    expect(error.message).toContain('expected')
  })

  it('messages that do not fit the form that was named, with the one that they fit', () => {
    const error = refusal([ask, ...LOOPS['openai-chat']], 'anthropic')
    expect(error).toMatchObject({ index: 1, field: 'tool_calls' })
    expect(error.message).toContain('Anthropic Messages, which was named')
    expect(error.message).toContain('It fits OpenAI Chat Completions')
  })

  it('a name that is none', () => {
    const error = refusal([ask], 'gemini' as FormName)
    expect(error).toMatchObject({ index: null, field: '' })
    expect(error.message).toContain('"gemini" is no form of messages: expected anthropic, openai-chat')
    expect(refusal([], 'constructor' as FormName).index).toBeNull()
  })
})

it('A8 looks at each message of a long conversation a few times, however long it is', () => {
  let reads = 0
  const counted = (message: object) =>
    new Proxy(message, {
      get: (target, field) => {
        reads += 1
        return Reflect.get(target, field)
      },
    })
  const readsOf = (length: number) => {
    const turn = [ask, ...LOOPS['openai-chat'], said]
    const messages = Array.from({ length }, (_, i) => counted(turn[i % turn.length] as object))
    reads = 0
    expect(formOf(messages)).toBe('openai-chat')
    return reads
  }
  const few = readsOf(500)
  expect(few / 500).toBeLessThan(40)
  expect(readsOf(5_000) / few).toBeLessThan(10)
})
