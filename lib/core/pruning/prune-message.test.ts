import { describe, expect, it } from 'vitest'
import { sourceMessage } from '../summary/source-message'
import type { JsonObject } from '../transcript/json'
import { partsOf, pruneMessage, pruneSource } from './prune-message'
import { IMAGE_MARKER } from './pruner-chars'

const facts = { entryId: 'm1', tokens: 7, at: 1000 }
const read = (message: JsonObject) => pruneMessage(message, facts)
const image = { type: 'image', data: 'AA==', mimeType: 'image/png' }
const call = (name: string, input: unknown, more: JsonObject = {}) => ({
  ...{ type: 'toolCall', id: 'c1', name, arguments: input },
  ...more,
})
const calling = (...content: JsonObject[]) => read({ role: 'assistant', content })
const result = (content: unknown, more: JsonObject = {}) =>
  read({ role: 'toolResult', toolCallId: 'c1', toolName: 'read', content, ...more })

describe('a message as pruning reads it', () => {
  it('of the user: who it is from, how large it is, and nothing of a tool', () => {
    expect(
      read({ role: 'user', content: 'quay', toolCallId: 'c1', toolName: 'read', isError: true }),
    ).toEqual({
      ...{ entryId: 'm1', tokens: 7, at: 1000, role: 'user', important: false, calls: [], toolName: '' },
      ...{ failed: false, chars: 4, parts: [], images: 0, plain: true },
    })
    expect(pruneMessage({ role: 'user', content: 'x' }, { ...facts, important: true }).important).toBe(true)
    expect(read({ role: 'user', content: [image, call('read', {})] })).toMatchObject({ images: 0, calls: [] })
  })

  it('a result: its texts, a marker for each image, and whether they weigh what they have', () => {
    expect(
      result([{ type: 'text', text: 'one' }, image, { type: 'text', text: 'two' }, { type: 'file' }]),
    ).toEqual({
      ...{ entryId: 'm1', tokens: 7, at: 1000, role: 'toolResult', important: false, calls: [] },
      ...{ resultFor: 'c1', toolName: 'read', failed: false, chars: 3 + 8000 + 3, images: 1, plain: true },
      parts: ['one', IMAGE_MARKER, 'two'],
    })
    expect(result('岸')).toMatchObject({ parts: ['岸'], images: 0, plain: false, chars: 4 })
    expect(
      result([
        { type: 'text', text: 'a' },
        { type: 'text', text: '岸' },
      ]).plain,
    ).toBe(false)
    expect(result(undefined)).toMatchObject({ parts: [], images: 0, chars: 0 })
    expect(partsOf('x')).toEqual(['x'])
    expect(partsOf({ text: 'x' })).toEqual([])
  })

  it('a result that says neither its call nor its tool says neither here', () => {
    const bare = read({ role: 'toolResult', content: 'x' })
    expect(bare).not.toHaveProperty('resultFor')
    expect(bare.toolName).toBe('')
  })

  it('a failure, by the runtime’s mark or by the exit code of a command', () => {
    expect(result('x', { isError: true }).failed).toBe(true)
    expect(result('x', { details: { exitCode: 1 } }).failed).toBe(true)
    expect(result('x', { details: { exitCode: 0 } }).failed).toBe(false)
  })

  it('J8 output of a command that the operator ran is no result of a tool', () => {
    expect(read({ role: 'bashExecution', command: 'ls', output: 'x', exitCode: 1 })).toMatchObject({
      ...{ role: 'other', calls: [], toolName: '', failed: false, parts: [], chars: 256 },
    })
    expect(read({ role: 'bashExecution', command: 'ls', output: 'x', excludeFromContext: true }).role).toBe(
      'other',
    )
  })

  it('a summary and a note of another kind', () => {
    expect(read({ role: 'compactionSummary', summary: 'so far' }).role).toBe('summary')
    expect(read({ role: 'custom', content: 'note' }).role).toBe('other')
  })
})

describe('a call as pruning reads it', () => {
  const only = (name: string, input: unknown) => calling(call(name, input)).calls[0]
  const touches = (name: string, input: unknown) =>
    (only(name, input)?.touches ?? []).map(
      ({ path, how, range }) => `${how} ${path}${range === '' ? '' : ` ${range}`}`,
    )

  it('has the characters of its arguments, and of what is left of them once long texts are cleared', () => {
    const input = { path: 'a.ts', content: 'x'.repeat(121) }
    const cleared = '{"path":"a.ts","content":"[Old tool input cleared]"}'
    expect(only('write', input)).toMatchObject({
      ...{ id: 'c1', name: 'write', chars: JSON.stringify(input).length, clearedChars: cleared.length },
    })
    expect(only('write', { path: 'a.ts' })).toMatchObject({ chars: 15, clearedChars: 15 })
    // As the runtime keeps them: JSON text counts as the JSON of a text.
    expect(only('write', '{"path":"a.ts"}')?.chars).toBe(JSON.stringify('{"path":"a.ts"}').length)
    expect(calling({ type: 'toolCall', id: 'c1', name: 'write' }).calls[0]).toMatchObject({
      chars: 2,
      touches: [],
    })
    expect(read({ role: 'assistant', content: 'quay' }).calls).toEqual([])
    expect(calling({ type: 'text', text: 'quay' }, call('a', {}), call('b', {})).calls).toHaveLength(2)
  })

  it('says the same for the same words, whatever the order of its arguments and the case of its name', () => {
    const key = (name: string, input: unknown) => only(name, input)?.key
    expect(key('Read', { a: 1, b: { d: 2, c: [3, { f: 4, e: 5 }] } })).toBe(
      key('read', { b: { c: [3, { e: 5, f: 4 }], d: 2 }, a: 1 }),
    )
    const different = [
      key('read', { a: 1 }),
      key('read', { a: 2 }),
      key('read', { b: 1 }),
      key('read', { a: '1' }),
      key('read', { a: null }),
      key('read', { a: [1] }),
      key('read', { a: [1, 2] }),
      key('read', { a: [2, 1] }),
      key('read', { a: [12] }),
      key('read', { a: { a: 1 } }),
      key('read', { a: [] }),
      key('read', { a: {} }),
      key('read', {}),
      key('write', { a: 1 }),
    ]
    expect(new Set(different).size).toBe(different.length)
  })

  it('takes what JSON cannot say for null, as JSON does in lists', () => {
    const key = (value: unknown) => only('read', { lines: [value] })?.key
    expect(key(undefined)).toBe(key(null))
    expect(key(undefined)).not.toBe(key(0))
  })

  it('says the same for long words only where all of them are the same', () => {
    const key = (text: string) => only('write', { content: text })?.key ?? ''
    const long = 'x'.repeat(2000)
    expect(key(long)).toBe(key(long))
    expect(key(long).length).toBeLessThan(300)
    const changed = [0, 100, 300, 1000, 1999].map((at) => `${long.slice(0, at)}y${long.slice(at + 1)}`)
    const keys = [long, ...changed, `${long}x`, `${long.slice(2)}yx`].map(key)
    expect(new Set(keys).size).toBe(keys.length)
    // The longest that is kept as it is: the name, a blank and the arguments are 400 characters.
    const edge = 'x'.repeat(400 - 'write {"content":""}'.length)
    expect(key(edge)).toBe(`write {"content":"${edge}"}`)
    expect(key(`${edge}x`)).not.toContain(edge)
  })

  it('tells arguments that are nested sixty deep apart by their depth alone', () => {
    const key = (depth: number, value: string) => {
      let input: unknown = value
      for (let i = 0; i < depth; i++) input = { a: input }
      return only('write', input)?.key
    }
    expect(key(59, 'x')).not.toBe(key(59, 'y'))
    expect(key(60, 'x')).toBe(key(60, 'y'))
    expect(key(60, 'x')).not.toBe(key(59, 'x'))
    const inLists = (depth: number, value: string) => {
      let list: unknown = value
      for (let i = 1; i < depth; i++) list = [list]
      return only('read', { a: list })?.key
    }
    expect(inLists(59, 'x')).not.toBe(inLists(59, 'y'))
    expect(inLists(60, 'x')).toBe(inLists(60, 'y'))
  })

  it('says nothing of words that were cleared before', () => {
    expect(only('write', { content: '[Old tool input cleared]' })?.key).toBe('')
  })

  it('touches files, and says which part of one it read', () => {
    expect(touches('read', { path: 'a.ts' })).toEqual(['read a.ts'])
    expect(touches('read', { path: '././/./a.ts' })).toEqual(['read a.ts'])
    expect(touches('read', { path: '../a.ts' })).toEqual(['read ../a.ts'])
    expect(touches('read', { path: 'a.ts', limit: 5, offset: 0 })).toEqual(['read a.ts offset=0 limit=5'])
    expect(touches('view', { path: 'a.ts', view_range: [1, 9] })).toEqual(['read a.ts view_range=[1,9]'])
    expect(touches('read', { path: 'a.ts', offset: null, other: 1 })).toEqual(['read a.ts'])
    // Of what is written, a part is nothing by itself.
    expect(touches('edit', { path: 'a.ts', start_line: 3 })).toEqual(['edit a.ts'])
    expect(touches('write', { path: 'a.ts', offset: 3 })).toEqual(['create a.ts'])
    expect(touches('delete', { path: 'a.ts' })).toEqual(['delete a.ts'])
  })

  it.each([
    ...['offset', 'limit', 'view_range', 'viewRange', 'range', 'lines', 'head', 'tail', 'start_line'],
    ...['end_line', 'startLine', 'endLine', 'start', 'end', 'page', 'pages'],
  ])('%s tells which part of a file was read', (field) => {
    expect(touches('read', { path: 'a.ts', [field]: 3 })).toEqual([`read a.ts ${field}=3`])
  })

  it('of a command only what it removes is certain', () => {
    expect(touches('bash', { command: 'rm a.ts' })).toEqual(['delete a.ts'])
    expect(touches('bash', { command: 'echo x > a.ts' })).toEqual([])
  })
})

describe('the same of a live message, of which only what summaries read is known', () => {
  const live = (message: JsonObject) => {
    const source = sourceMessage({ type: 'message', message }, { entryId: 'm1', line: 1 })
    if (source === null) throw new Error('no message')
    return pruneSource(source, facts)
  }

  it('a result is its text', () => {
    const found = live({
      ...{ role: 'toolResult', toolCallId: 'c1', toolName: 'read', isError: true },
      content: [{ type: 'text', text: '岸a' }, image],
    })
    expect(found).toEqual({
      ...{ entryId: 'm1', tokens: 7, at: 1000, role: 'toolResult', important: false, calls: [] },
      ...{
        resultFor: 'c1',
        toolName: 'read',
        failed: true,
        chars: 5,
        parts: ['岸a'],
        images: 1,
        plain: false,
      },
    })
    expect(live({ role: 'toolResult', content: 'x' })).toMatchObject({
      toolName: '',
      failed: false,
      plain: true,
    })
    expect(live({ role: 'toolResult', content: 'x' })).not.toHaveProperty('resultFor')
  })

  it('an answer is its text and the arguments of its calls', () => {
    const found = live({
      role: 'assistant',
      content: [{ type: 'text', text: 'quay' }, call('read', { path: 'a' })],
    })
    expect(found).toMatchObject({ role: 'assistant', chars: 4 + '{"path":"a"}'.length, parts: [], images: 0 })
    expect(found.calls).toEqual(calling(call('read', { path: 'a' })).calls)
  })

  it('what is no answer makes no calls, and no other message has failed', () => {
    const shell = live({ role: 'user', content: [{ type: 'text', text: 'go' }, call('read', {}), image] })
    expect(shell).toMatchObject({ role: 'user', calls: [], chars: 2, failed: false, images: 0, parts: [] })
    const source = { entryId: 'm1', line: 1, role: 'user' as const, text: 'go', calls: [], images: 0 }
    expect(pruneSource(source, { ...facts, important: true }).important).toBe(true)
  })
})
