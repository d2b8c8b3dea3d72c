import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { histories } from '../../testing/forms/steps'
import { writtenIn } from '../../testing/forms/write-form'
import { FORM_NAMES } from '../forms/form-name'
import { estimateUnits } from '../tokens/estimate'
import { contentUnits, readContent } from '../transcript/reading/read-content'
import { countMessage, countPart } from './count-message'
import { joinParts, splitMessages } from './message-parts'
import type { ContentMessage } from './thinking'

describe.each(FORM_NAMES)('B2 messages of the form %s', (form) => {
  it('are counted as they are, and come to the same as their parts', () => {
    fc.assert(
      fc.property(histories({ words: 9, turns: 5 }), (steps) => {
        for (const message of writtenIn(form, steps)) {
          const parts = splitMessages([message])
          const ofParts = parts.reduce((sum, part) => sum + countMessage(part), 0)
          expect(countMessage(message)).toBe(ofParts)
        }
      }),
    )
  })

  it('hold in their blocks what all categories of these come to', () => {
    fc.assert(
      fc.property(histories({ words: 9, turns: 3 }), (steps) => {
        for (const { content } of writtenIn(form, steps)) {
          const { units } = readContent(content, 'other', { estimate: estimateUnits, longTexts: null }, 0)
          const all = Object.values(units).reduce((sum, some) => sum + some, 0)
          expect(contentUnits(content, estimateUnits)).toBe(all)
        }
      }),
    )
  })
})

/** Characters of a message besides its frame. */
const charsOf = (message: object) => countMessage(message as ContentMessage, (text) => text.length) - 4

describe('B2 what is counted of a message', () => {
  const call = { id: 'c', type: 'function', function: { name: 'read', arguments: '{"a":1}' } }
  const tools = [{ type: 'function', name: 'read' }]

  it.each<[string, object, number]>([
    ['its text, without a role as well', { content: 'abc' }, 3],
    ['nothing where there is nothing', { role: 'user', content: [] }, 0],
    ['a text besides its type', { type: 'message', role: 'user', content: 'abc' }, 3],
    [
      'each text of an item that has a role',
      {
        ...{ type: 'message', role: 'assistant' },
        content: ['ab', 'cd'].map((text) => ({ type: 'output_text', text })),
      },
      4,
    ],
    [
      'the texts of an item without a role, one a line',
      { type: 'message', content: ['ab', 'cd'].map((text) => ({ type: 'output_text', text })) },
      5,
    ],
    [
      'the content of a result that has a role',
      { role: 'tool', type: 'tool-result', content: 'abc', output: { type: 'text', value: 'longer' } },
      3,
    ],
    [
      'each result with a frame, and all that is said besides with one more',
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'abc' }, 'de', 'f'] },
      3 + 4 + 3,
    ],
    ['command and output of a shell run', { role: 'bashExecution', command: 'ls', output: 'a.md' }, 6],
    ['a refusal', { role: 'assistant', content: null, refusal: 'No.' }, 3],
    ['a refusal and what was said before it', { role: 'assistant', content: 'Hm.', refusal: 'No' }, 5],
    ['a summary', { role: 'compactionSummary', summary: 'four' }, 4],
    ['a summary that an answer keeps', { role: 'assistant', summary: 'four' }, 4],
    ['a summary where the content is null', { type: 'x', role: 'user', content: null, summary: 'four' }, 4],
  ])('is %s', (_, message, chars) => {
    expect(charsOf(message)).toBe(chars)
  })

  it('are the calls beside its content, whatever the side of the model is called', () => {
    const answer = { role: 'assistant', content: 'See.', tool_calls: [call] }
    expect(charsOf(answer)).toBe(4 + charsOf({ role: 'assistant', content: [call] }))
    expect(charsOf({ ...answer, role: 'model' })).toBe(charsOf(answer))
  })

  it('is a whole item where what it says is under other names', () => {
    const item = { type: 'additional_tools', role: 'developer', tools }
    expect(charsOf(item)).toBe(contentUnits([item], (text) => text.length))
    expect(charsOf(item)).toBeGreaterThan(JSON.stringify(tools).length)
  })
})

describe('B2 a part is counted as the messages that are made of it', () => {
  const sizes = (messages: object[]) => {
    const parts = splitMessages(messages as ContentMessage[])
    const joined = (part: ContentMessage) =>
      joinParts([part]).reduce((sum, message) => sum + countMessage(message), 0)
    return parts.map((part) => [countPart(part, estimateUnits), joined(part)] as const)
  }
  const block = (n: number) => ({ type: 'tool_result', tool_use_id: `c${n}`, content: `said ${n}` })
  const step = {
    type: 'tool-read',
    toolCallId: 'c',
    state: 'output-available',
    input: { a: 'b' },
    output: 'x',
  }

  it.each<[string, object[]]>([
    ['a message alone', [{ role: 'user', content: 'Which berth?' }]],
    ['a result alone', [{ role: 'user', content: [block(1)] }]],
    ['one of several results', [{ role: 'user', content: [block(1), block(2)] }]],
    ['a step of a UIMessage, and its result', [{ role: 'assistant', parts: [step] }]],
    [
      'items that are one answer',
      [
        { type: 'reasoning', summary: [] },
        { type: 'function_call', call_id: 'c', name: 'read', arguments: '{}' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'See.' }] },
      ],
    ],
  ])('%s', (_, messages) => {
    const found = sizes(messages)
    expect(found.length).toBeGreaterThan(0)
    for (const [size, expected] of found) expect(size).toBe(expected)
  })
})
