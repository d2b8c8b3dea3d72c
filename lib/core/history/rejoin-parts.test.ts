import { describe, expect, it } from 'vitest'
import { withoutDetails } from './details'
import { joinParts, splitMessages } from './message-parts'
import { originalsOf } from './part-origin'
import type { ContentMessage } from './thinking'

const text = (said: string) => ({ type: 'text', text: said })
const chatCall = (id: string) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } })
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: `said ${id}` })

/** The message of which the one part of an answer now has another content. */
function withContent(message: ContentMessage, content: unknown): unknown {
  return joinParts(splitMessages([message]).map((part) => ({ ...part, content })))
}

describe('C8 an answer of Chat Completions of which something was taken out', () => {
  const answer = { role: 'assistant', content: 'See.', tool_calls: [chatCall('a'), chatCall('b')] }

  it('has its calls beside its content again', () => {
    expect(withContent(answer, [text('See.'), chatCall('b')])).toEqual([
      { role: 'assistant', content: 'See.', tool_calls: [chatCall('b')] },
    ])
  })

  it('has no list of calls when none is left, and its texts in one', () => {
    expect(withContent(answer, [text('one'), text('two')])).toEqual([
      { role: 'assistant', content: 'one\ntwo' },
    ])
  })

  it.each([
    ['See.', ''],
    [null, null],
    [undefined, null],
  ])('had the content %j and has %j when only calls are left', (content, left) => {
    expect(withContent({ ...answer, content }, [chatCall('a')])).toEqual([
      { role: 'assistant', content: left, tool_calls: [chatCall('a')] },
    ])
  })

  it('keeps blocks as blocks: those it had, and what is no text', () => {
    const blocks = { ...answer, content: [text('See.')] }
    expect(withContent(blocks, [text('See.'), chatCall('a')])).toEqual([
      { role: 'assistant', content: [text('See.')], tool_calls: [chatCall('a')] },
    ])
    const picture = { type: 'image_url', image_url: { url: 'data:' } }
    expect(withContent(answer, [text('See.'), picture])).toEqual([
      { role: 'assistant', content: [text('See.'), picture] },
    ])
    expect(withContent(answer, [{ type: 'text', text: 7 }])).toEqual([
      { role: 'assistant', content: [{ type: 'text', text: 7 }] },
    ])
  })

  it('that says a text instead keeps its calls', () => {
    expect(withContent(answer, '[gone]')).toEqual([{ ...answer, content: '[gone]' }])
  })
})

describe('C8 items of Responses of which something was taken out', () => {
  const call = { type: 'function_call', call_id: 'a', name: 'read', arguments: '{}' }
  const says = {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'See.', annotations: [] }],
  }

  it.each([[[says, call]], [[call]]])('are items: a text in their place is a message', (items) => {
    const [part] = splitMessages<ContentMessage>(items)
    const changed = (content: unknown) => joinParts([{ ...part, content }])
    expect(changed('See.')).toEqual([says])
    expect(changed([call, text('See.'), 'no block', 7])).toEqual([call, says])
  })
})

describe('C8 a message of several results', () => {
  const message = { role: 'user', content: [result('a'), text('Go on.'), result('b'), text('Now.')] }
  const parts = splitMessages<ContentMessage>([message])

  it('is taken apart: each result, and behind them what else it says', () => {
    expect(parts).toMatchObject([
      { role: 'toolResult', resultFor: 'a', content: 'said a' },
      { role: 'toolResult', resultFor: 'b', content: 'said b' },
      { role: 'user', content: [text('Go on.'), text('Now.')] },
    ])
    expect(parts).toHaveLength(3)
  })

  it('has each result where it was when one says something else, or is gone', () => {
    const cleared = parts.map((part) => (part.resultFor === 'b' ? { ...part, content: '[cleared]' } : part))
    expect(joinParts(cleared)).toEqual([
      {
        role: 'user',
        content: [result('a'), text('Go on.'), { ...result('b'), content: '[cleared]' }, text('Now.')],
      },
    ])
    expect(joinParts(parts.slice(1))).toEqual([
      { role: 'user', content: [text('Go on.'), result('b'), text('Now.')] },
    ])
  })

  it.each([
    ['Stop.', [text('Stop.')]],
    [
      [text('Stop.'), text('Wait.')],
      [text('Stop.'), text('Wait.')],
    ],
  ])('has what it says instead, %j, where that began', (content, blocks) => {
    const changed = parts.map((part) => (part.role === 'user' ? { ...part, content } : part))
    expect(joinParts(changed)).toEqual([{ role: 'user', content: [result('a'), ...blocks, result('b')] }])
  })

  it('is as many messages as are needed for another order', () => {
    const [first, second] = parts
    if (first === undefined || second === undefined) throw new Error('two results')
    expect(joinParts([second, first])).toEqual([
      { role: 'user', content: [result('b')] },
      { role: 'user', content: [result('a')] },
    ])
    expect(joinParts([first, first])).toEqual([
      { role: 'user', content: [result('a')] },
      { role: 'user', content: [result('a')] },
    ])
  })

  it('is no part of the message before it', () => {
    const other = { role: 'user', content: [result('c'), result('d')] }
    const joined = joinParts(splitMessages<ContentMessage>([message, other]))
    expect(joined).toHaveLength(2)
    expect(joined[0]).toBe(message)
    expect(joined[1]).toBe(other)
  })

  it('is named once by its parts, in their order, beside what serves as it is', () => {
    const plain = { role: 'user', content: 'Which?' }
    expect(originalsOf(parts.slice(0, 1))).toEqual([message])
    expect(originalsOf([plain])).toEqual([plain])
    expect(originalsOf([])).toEqual([])
    const found = originalsOf<ContentMessage>([plain, ...parts])
    expect(found).toHaveLength(2)
    expect(found[0]).toBe(plain)
    expect(found[1]).toBe(message)
  })
})

it('M15 details of a result go, and nothing else; without them it is the same object', () => {
  const message = { role: 'toolResult', content: 'said' }
  expect(withoutDetails(message)).toBe(message)
  const kept = { ...message, details: { secret: 'x' } }
  expect(withoutDetails(kept)).toEqual(message)
  expect(kept).toHaveProperty('details')
})
