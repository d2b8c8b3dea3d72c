import { describe, expect, it } from 'vitest'
import { joinParts, splitMessages } from './message-parts'
import type { ContentMessage } from './thinking'
import { asUiMessages, uiPartsOf } from './ui-parts'

const text = (said: string) => ({ type: 'text', text: said })
const tool = (id: string, more: object = { state: 'output-available', output: `said ${id}` }) => ({
  type: 'tool-read',
  toolCallId: id,
  input: { path: 'a.md' },
  ...more,
})
const step = { type: 'step-start' }
const answer = {
  id: 'm1',
  role: 'assistant',
  timestamp: 7,
  important: true,
  parts: [step, text('See.'), tool('a'), tool('b'), step, text('Done.')],
}
const split = (...messages: object[]) => splitMessages(messages as ContentMessage[])

describe('A8 a UIMessage, which holds a whole turn', () => {
  it('is an answer for each of its steps, with all its calls, and what its tools said behind it', () => {
    const parts = split(answer)
    expect(parts).toMatchObject([
      { id: 'm1', role: 'assistant', calls: [{ id: 'a' }, { id: 'b' }], timestamp: 7 },
      {
        role: 'toolResult',
        resultFor: 'a',
        toolName: 'read',
        content: 'said a',
        timestamp: 7,
        important: true,
      },
      { role: 'toolResult', resultFor: 'b', content: 'said b' },
      { role: 'assistant', calls: [], content: [step, text('Done.')] },
    ])
    expect(parts).toHaveLength(4)
    // One id for one part.
    expect(parts.map(({ id }) => id)).toEqual(['m1', undefined, undefined, undefined])
    expect(parts[1]).not.toHaveProperty('isError')
    expect(joinParts(parts)[0]).toBe(answer)
  })

  it('is one by its parts, where no calls or results say that it is a fact about a message', () => {
    const parts = [text('See.')]
    expect(uiPartsOf({ parts })).toBe(parts)
    for (const other of [null, 'x', {}, { parts: 'x' }, { parts, calls: [] }, { parts, resultFor: 'a' }])
      expect(uiPartsOf(other)).toBeNull()
  })

  it('of the user is one part; of no parts an answer that says nothing', () => {
    const asked = { id: 'u1', role: 'user', parts: [step, text('Which?')] }
    expect(split(asked)).toMatchObject([{ id: 'u1', role: 'user', content: [step, text('Which?')] }])
    expect(split({ role: 'assistant', parts: [] })).toMatchObject([{ calls: [], content: [] }])
    const bare = split({ role: 'assistant', parts: [tool('a', { state: 'output-available', output: 'x' })] })
    expect('timestamp' in (bare[1] ?? {}) || 'important' in (bare[1] ?? {})).toBe(false)
  })

  it('has no call of a block without an id', () => {
    expect(split({ role: 'assistant', parts: [{ type: 'tool-call', input: {} }] })).toMatchObject([
      { role: 'assistant', calls: [] },
    ])
  })

  it('has no result for a call that is open, and a failed one for what went wrong', () => {
    expect(split({ role: 'assistant', parts: [tool('a', { state: 'input-available' })] })).toHaveLength(1)
    const failed = tool('a', { state: 'output-error', errorText: 'no file' })
    expect(split({ role: 'assistant', parts: [failed] })[1]).toMatchObject({
      isError: true,
      content: 'no file',
    })
  })
})

/** A message of one block. */
const holding = (block: object) => [{ role: 'assistant', parts: [block] }]

/** The message of this block when the result of `a` says something else. */
function saying(block: object, change: object): unknown {
  const parts = split({ role: 'assistant', parts: [block] }).map((part) =>
    part.resultFor === 'a' ? { ...part, ...change } : part,
  )
  return joinParts(parts)
}

describe('A8 a result of a UIMessage that says something else', () => {
  it.each([
    ['gone', { state: 'output-available', output: 'gone' }],
    [
      [text('one'), { type: 'image' }, 'bare', text('two')],
      { state: 'output-available', output: 'one\ntwo' },
    ],
    ['', { state: 'output-available', output: '' }],
    [undefined, { state: 'output-available', output: '' }],
  ])('is the output of its block: %j', (content, output) => {
    expect(saying(tool('a'), { content })).toEqual(holding(tool('a', output)))
  })

  it('stays failed or denied where it was, and fails where the part says so', () => {
    const failed = { state: 'output-error', errorText: 'gone' }
    expect(saying(tool('a', { state: 'output-error', errorText: 'x' }), { content: 'gone' })).toEqual(
      holding(tool('a', failed)),
    )
    expect(
      saying(tool('a', { state: 'output-error', errorText: 'x' }), { content: 'gone', isError: undefined }),
    ).toEqual(holding(tool('a', failed)))
    expect(saying(tool('a'), { content: 'gone', isError: true })).toEqual(holding(tool('a', failed)))
    const denied = tool('a', { state: 'output-denied', approval: { reason: 'no' } })
    expect(saying(denied, { content: 'gone' })).toEqual(holding(denied))
  })

  it('or is taken out leaves its call open; what was made for an open call is what went wrong with it', () => {
    const left = joinParts(split(answer).filter(({ resultFor }) => resultFor !== 'b'))
    expect(left).toEqual([
      {
        ...answer,
        parts: [step, text('See.'), tool('a'), tool('b', { state: 'input-available' }), step, text('Done.')],
      },
    ])
    const open = { role: 'assistant', parts: [text('See.'), tool('a', { state: 'input-available' })] }
    const made = { role: 'toolResult', resultFor: 'a', isError: true, content: 'none' }
    expect(joinParts([...split(open), made])).toEqual([
      { role: 'assistant', parts: [text('See.'), tool('a', { state: 'output-error', errorText: 'none' })] },
    ])
    // Behind another message it is a message alone.
    const asked = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'x' }] }
    expect(joinParts([...split(asked), made])).toEqual([asked, made])
  })

  it('leaves what the provider ran, and calls that hold no result, as they are', () => {
    const ran = tool('s', { state: 'output-available', output: 'x', providerExecuted: true })
    const both = { role: 'assistant', parts: [ran, tool('a')] }
    const said = split(both).map((part) => (part.resultFor === 'a' ? { ...part, content: 'gone' } : part))
    const gone = tool('a', { state: 'output-available', output: 'gone' })
    expect(joinParts(said)).toEqual([{ role: 'assistant', parts: [ran, gone] }])
    const bare = {
      role: 'assistant',
      parts: [{ type: 'tool-call', toolCallId: 'a', input: {} }, text('See.')],
    }
    const made = { role: 'toolResult', resultFor: 'a', isError: true, content: 'none' }
    expect(joinParts([...split(bare), made])).toEqual([bare])
  })

  it('alone, without its call, is a block with nothing to call', () => {
    expect(joinParts(split(answer).slice(1, 2))).toEqual([
      { ...answer, parts: [{ ...tool('a'), input: {} }] },
    ])
  })
})

describe('A8 messages for an agent that keeps UIMessages', () => {
  const asked = { id: 'u1', role: 'user', parts: [text('Which?')] }
  const made = { role: 'user', content: 'Note.' }
  const as = (messages: object[], samples: object[]) =>
    asUiMessages(messages as ContentMessage[], samples as ContentMessage[])

  it('are the same list where none is one, or all are', () => {
    const plain = [made]
    expect(as(plain, [{ role: 'user', content: 'x' }])).toBe(plain)
    const own = [asked, answer]
    expect(as(own, [])).toBe(own)
    expect(as(own, own)).toBe(own)
  })

  it('are made of texts, known by what they say', () => {
    const [note, , again] = as([made, asked, made], [])
    expect(note).toMatchObject({ role: 'user', parts: [text('Note.')] })
    expect(note).not.toHaveProperty('content')
    expect(String(note?.id)).toMatch(/^made-[0-9a-z]{9}$/)
    expect(again?.id).toBe(`${String(note?.id)}-2`)
    // One sample is enough to know the form; an empty text has no part.
    expect(as([{ role: 'user', content: '' }], [{ role: 'user', content: 'x' }, asked])[0]).toMatchObject({
      parts: [],
    })
    expect(as([{ role: 'user' }], [asked])[0]).toMatchObject({ parts: [] })
  })

  it('have each id once: the agent’s own keep theirs, wherever they are', () => {
    const piece = { ...asked, parts: [text('Wh')] }
    const ids = (list: object[], own: object[]) => as(list, own).map(({ id }) => id)
    expect(ids([piece, asked], [asked])).toEqual(['u1-2', 'u1'])
    expect(ids([piece, { ...piece }, { ...piece }], [])).toEqual(['u1', 'u1-2', 'u1-3'])
  })
})
