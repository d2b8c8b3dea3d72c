import { describe, expect, it } from 'vitest'
import { clipBlocks, entryBlocks, entryImage, sliceText } from './entry-blocks'

function message(message: object): string {
  return JSON.stringify({ type: 'message', id: 'a', parentId: null, message })
}

describe('X5 the parts of an entry', () => {
  it('shows text, thinking, calls and images of an assistant message', () => {
    const line = message({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', thinkingSignature: 's' },
        { type: 'text', text: 'ok' },
        { type: 'toolCall', id: 't1', name: 'exec', arguments: { command: 'ls' } },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      ],
    })
    expect(entryBlocks(line)).toEqual([
      { kind: 'thinking', text: 'hm', redacted: false },
      { kind: 'text', text: 'ok' },
      { kind: 'call', name: 'exec', id: 't1', text: 'command: ls' },
      { kind: 'image', mimeType: 'image/png', bytes: 3 },
    ])
    expect(entryImage(line, 3)).toEqual({ mimeType: 'image/png', base64: 'AAAA' })
    expect(entryImage(line, 1)).toBeNull()
  })

  it('shows calls and results of every API as such', () => {
    const content = [
      { type: 'function', id: 'c1', function: { name: 'read', arguments: '{}' } },
      { type: 'tool-call', toolCallId: 'c2', toolName: 'read', input: {} },
      { type: 'tool_result', tool_use_id: 'c1', content: 'a' },
      { type: 'redacted_thinking', data: 'x' },
    ]
    expect(entryBlocks(message({ role: 'assistant', content }))).toMatchObject([
      { kind: 'call', name: 'read', id: 'c1' },
      { kind: 'call', name: 'read', id: 'c2' },
      { kind: 'output', text: 'a' },
      { kind: 'thinking', text: '', redacted: true },
    ])
  })

  it('shows results as output, and shell runs as a call with its output', () => {
    expect(entryBlocks(message({ role: 'toolResult', content: 'a' }))).toEqual([
      { kind: 'output', text: 'a' },
    ])
    expect(entryBlocks(message({ role: 'bashExecution', command: 'ls', output: 'x' }))).toEqual([
      { kind: 'call', name: 'bash', id: null, text: 'ls' },
      { kind: 'output', text: 'x' },
    ])
  })

  it('writes arguments for reading, without quotes and escapes', () => {
    const call = {
      type: 'toolCall',
      name: 'edit',
      arguments: { path: 'a.ts', oldText: 'x\n\ty', count: 2, opts: { a: 1 } },
    }
    expect(entryBlocks(message({ role: 'assistant', content: [call] }))).toMatchObject([
      { text: 'path: a.ts\noldText:\nx\n\ty\ncount: 2\nopts: {\n  "a": 1\n}' },
    ])
  })

  it('shows summaries, unknown entries and lines that are not JSON', () => {
    expect(entryBlocks(JSON.stringify({ type: 'compaction', summary: 'so far' }))).toEqual([
      { kind: 'text', text: 'so far' },
    ])
    expect(entryBlocks('{"type":"novel","x":1}')).toMatchObject([{ kind: 'data', name: 'novel' }])
    expect(entryBlocks('{"type":"mess')).toEqual([{ kind: 'text', text: '{"type":"mess' }])
    expect(entryBlocks('42')).toEqual([{ kind: 'text', text: '42' }])
  })

  it('keeps markup as text', () => {
    const evil = '<img src=x onerror=alert(1)>'
    expect(entryBlocks(message({ role: 'user', content: evil }))).toEqual([{ kind: 'text', text: evil }])
  })

  it('never throws on odd shapes', () => {
    for (const odd of [null, 1, 'x', [null, 1, 'x', { type: 7 }, {}], { a: 1 }]) {
      expect(() => entryBlocks(message({ role: 'user', content: odd }))).not.toThrow()
    }
    expect(entryBlocks(JSON.stringify({ type: 'message', message: 5 }))).toMatchObject([{ kind: 'data' }])
  })

  it('cuts long texts and says how long they are', () => {
    const blocks = clipBlocks([{ kind: 'output', text: 'x'.repeat(10_000_000) }], 100)
    expect(blocks[0]).toMatchObject({ chars: 10_000_000 })
    expect(JSON.stringify(blocks).length).toBeLessThan(200)
  })

  it('never tears a character apart, and pieces put together are the whole', () => {
    const whole = 'a😀b😀😀c'
    for (let size = 2; size < 6; size++) {
      let joined = ''
      while (joined.length < whole.length) {
        const piece = sliceText(whole, joined.length, size)
        expect(() => encodeURIComponent(piece)).not.toThrow()
        joined += piece
      }
      expect(joined).toBe(whole)
    }
  })
})
