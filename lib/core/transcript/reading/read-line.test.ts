import { describe, expect, it } from 'vitest'
import { charsOverFour } from '../../tokens/estimate'
import { readLine } from './read-line'

const PLACE = { seq: 3, line: 4, offset: 100, bytes: 50 }
const read = (value: unknown) =>
  readLine(typeof value === 'string' ? value : JSON.stringify(value), PLACE, charsOverFour)
const message = (m: object, over: object = {}) =>
  read({
    type: 'message',
    id: 'a',
    parentId: 'b',
    timestamp: '2026-11-01T08:00:00.000Z',
    message: m,
    ...over,
  }).fact

describe('readLine', () => {
  it('X1 keeps a line that is not JSON, with its number and the reason', () => {
    const { fact } = read('{"type":"mess')
    expect(fact).toMatchObject({ type: 'unreadable', seq: 3, line: 4, offset: 100, bytes: 50, id: null })
    expect(fact.problem).toMatch(/JSON/)
    expect(fact.problem).not.toMatch(/JSON object/)
  })

  it.each([
    ['null', 'null'],
    ['42', 'a number'],
    ['[1,2]', 'an array'],
    ['"x"', 'a string'],
  ])('X1 keeps %s as unreadable', (text, what) => {
    expect(read(text).fact).toMatchObject({ type: 'unreadable', problem: `not a JSON object but ${what}` })
  })

  it('X1 keeps an unknown type, never to be sent', () => {
    expect(read({ type: 'context_edit', id: 'x', parentId: 'a' }).fact).toMatchObject({
      type: 'unknown',
      rawType: 'context_edit',
      id: 'x',
      parentId: 'a',
    })
  })

  it('names entries of version 1 by their place', () => {
    expect(read({ type: 'message', message: { role: 'user', content: 'hi' } }).fact.id).toBe('#3')
  })

  it('reads the header, with version 1 when none is written', () => {
    expect(read({ type: 'session', id: 's', cwd: '/w', provider: 'p', modelId: 'm' }).fact).toMatchObject({
      type: 'session',
      header: { version: 1, sessionId: 's', cwd: '/w' },
      provider: 'p',
      model: 'm',
    })
    expect(read({ type: 'session', version: 3 }).fact.problem).toMatch(/no session id/)
  })

  it('B2 counts every kind of block in its category', () => {
    const fact = message({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'x'.repeat(40) },
        { type: 'text', text: 'x'.repeat(80) },
        { type: 'toolCall', id: 't1', name: 'exec', arguments: { command: 'ls' } },
      ],
    })
    expect(fact.units).toEqual({ thinking: 10, assistant: 20, 'tool-call': 6 })
    expect(fact.calls).toEqual([{ id: 't1', name: 'exec' }])
  })

  it.each(['toolUse', 'functionCall', 'tool_use', 'tool_call', 'function_call'])(
    'reads the call alias %s',
    (type) => {
      const fact = message({ role: 'assistant', content: [{ type, id: 't', name: 'n', input: {} }] })
      expect(fact.calls).toEqual([{ id: 't', name: 'n' }])
    },
  )

  it.each(['toolCallId', 'toolUseId', 'tool_call_id', 'tool_use_id', 'callId', 'call_id'])(
    'reads the result id under %s',
    (field) => {
      expect(message({ role: 'toolResult', [field]: 'c9', content: 'out' }).resultFor).toBe('c9')
    },
  )

  it('reads string and object content', () => {
    expect(message({ role: 'user', content: 'x'.repeat(8) }).units).toEqual({ user: 2 })
    expect(message({ role: 'toolResult', toolCallId: 'c', content: { a: 1 } }).units).toEqual({
      'tool-result': 2,
    })
  })

  it('B10 leaves details out of every count', () => {
    const plain = message({ role: 'toolResult', toolCallId: 'c', content: 'out' })
    const heavy = message({
      role: 'toolResult',
      toolCallId: 'c',
      content: 'out',
      details: { x: 'y'.repeat(1e6) },
    })
    expect(heavy.units).toEqual(plain.units)
  })

  it('takes zero usage as unknown, and a zero cost as no price', () => {
    const zero = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: { total: 0 } }
    expect(message({ role: 'assistant', content: [], usage: zero }).usage).toBeNull()
    expect(message({ role: 'assistant', content: [], usage: { ...zero, input: 5 } }).usage).toEqual({
      input: 5,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      costUsd: null,
    })
  })

  it('knows rows that no model was asked for, and the silent reply', () => {
    for (const model of ['delivery-mirror', 'gateway-injected']) {
      expect(message({ role: 'assistant', content: 'x', provider: 'openclaw', model }).transcriptOnly).toBe(
        true,
      )
    }
    expect(
      message({ role: 'assistant', content: 'x', provider: 'openclaw', model: 'gpt' }).transcriptOnly,
    ).toBeUndefined()
    expect(message({ role: 'assistant', content: [{ type: 'text', text: 'NO_REPLY' }] }).silent).toBe(true)
  })

  it('measures shell commands and their output as tool results', () => {
    const fact = message({
      role: 'bashExecution',
      command: 'ls',
      output: 'abc',
      exitCode: 2,
      excludeFromContext: true,
    })
    expect(fact).toMatchObject({ toolName: 'bash', excluded: true, isError: true })
    expect(fact.units?.['tool-result']).toBeGreaterThan(0)
  })

  it('renames the hook role of version 2 and tells recalled context from other injections', () => {
    expect(message({ role: 'hookMessage', customType: 'memory-recall', content: 'abcd' })).toMatchObject({
      role: 'custom',
      units: { recalled: 1 },
    })
    expect(
      read({ type: 'custom_message', customType: 'openclaw.runtime-context', content: 'abcd' }).fact.units,
    ).toEqual({
      other: 1,
    })
  })

  it('reads compactions of both generations', () => {
    expect(
      read({ type: 'compaction', summary: 'abcd', firstKeptEntryId: 'k', tokensBefore: 9, fromHook: true })
        .fact,
    ).toMatchObject({
      role: 'compactionSummary',
      firstKeptEntryId: 'k',
      tokensBefore: 9,
      fromHook: true,
      units: { summary: 1 },
    })
    const ours = { type: 'compaction', summary: 'abcd', firstKeptEntryId: 'k', details: { by: 'plimsoll' } }
    expect(read(ours).fact.ours).toBe(true)
    expect(read({ ...ours, details: { by: 'another' } }).fact.ours).toBeUndefined()
    const unsized = read({ type: 'compaction', summary: 'abcd', firstKeptEntryId: 'k', tokensBefore: 0 })
    expect(unsized.fact.tokensBefore).toBeUndefined()
    expect(read({ type: 'compaction', summary: 'abcd', firstKeptEntryIndex: 7 }).fact.firstKeptIndex).toBe(7)
  })

  it('makes previews of one bounded line and bounds the text for search', () => {
    const { fact, searchText } = read({
      type: 'message',
      message: { role: 'user', content: `a\n\t b ${'c'.repeat(9000)}` },
    })
    expect(fact.preview).toMatch(/^a b c+\.\.\.$/)
    expect(fact.preview?.length).toBeLessThanOrEqual(160)
    expect(searchText.length).toBeLessThanOrEqual(2048)
  })

  it('survives nonsense in every field', () => {
    const junk = [null, 0, true, [], {}, 'x', { a: { b: [] } }]
    for (const value of junk) {
      for (const type of [
        'message',
        'compaction',
        'custom_message',
        'session',
        'leaf',
        'label',
        'branch_summary',
      ]) {
        const all = {
          type,
          id: value,
          parentId: value,
          timestamp: value,
          message: value,
          summary: value,
          content: value,
        }
        expect(() => read(all)).not.toThrow()
        expect(() =>
          read({ type, message: { role: value, content: value, usage: value, stopReason: value } }),
        ).not.toThrow()
        expect(() =>
          read({ type, message: { role: 'assistant', content: [value, { type: value }] } }),
        ).not.toThrow()
      }
    }
  })
})
