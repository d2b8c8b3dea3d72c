import { describe, expect, it } from 'vitest'
import {
  blockKind,
  callIdOf,
  callInputOf,
  callNameOf,
  hasResultFailed,
  isRedacted,
  resultContentOf,
  resultIdOf,
  textOfBlock,
  thinkingOfBlock,
  withCallInput,
} from './blocks'
import type { JsonObject } from './json'
import { mediaOf } from './media-block'

describe('B2 what a block is', () => {
  it.each<[unknown, string]>([
    ['words', 'text'],
    [{ type: 'function', function: { name: 'x' } }, 'call'],
    [{ type: 'custom', custom: { name: 'x' } }, 'call'],
    [{ type: 'function', custom: { name: 'x' } }, 'other'],
    [{ type: 'function', function: 'x' }, 'other'],
    [{ type: 'other', other: { name: 'x' } }, 'other'],
    [{ type: 'shell_call_output', call_id: 'a' }, 'result'],
    [{ type: 'shell_call', call_id: 'a' }, 'call'],
    [{ type: 'shell_call', call_id: 5 }, 'server'],
    [{ type: 'web_search_call', id: 'a' }, 'server'],
    [{ type: 'bash_code_execution_tool_result' }, 'server'],
    [{ type: 'message', content: [] }, 'text'],
    [{ type: 'message', content: 'words' }, 'other'],
    [{ type: 5 }, 'other'],
    [['words'], 'other'],
    [undefined, 'other'],
  ])('%j is of the kind %s', (block, kind) => {
    expect(blockKind(block)).toBe(kind)
  })
})

describe('B2 texts and thinking', () => {
  it.each<[unknown, string]>([
    ['words', 'words'],
    [{ type: 'text', text: 'a' }, 'a'],
    [{ type: 'refusal', refusal: 'no' }, 'no'],
    [{ type: 'text', text: 5 }, ''],
    [
      { type: 'message', content: [{ type: 'text', text: 'a' }, { type: 'reasoning', text: 'b' }, 'c'] },
      'a\nc',
    ],
    [null, ''],
  ])('the text of %j is %j', (block, text) => {
    expect(textOfBlock(block)).toBe(text)
  })

  it.each<[JsonObject, string]>([
    [{ thinking: 'a', text: 'b' }, 'a'],
    [{ thinking: '', text: 'b', data: 'c' }, 'b'],
    [{ data: 'c', encrypted_content: 'd' }, 'c'],
    [{ encrypted_content: 'd', summary: [{ type: 'summary_text', text: 'e' }] }, 'e'],
    [{ encrypted_content: 'd', summary: [] }, 'd'],
    [
      {
        summary: [{ type: 'summary_text', text: 'e' }],
        content: [{ type: 'reasoning_text', text: 'f' }, 'g'],
      },
      'e\nf\ng',
    ],
    [{ summary: 'e', content: 5 }, ''],
  ])('the thinking of %j is %j', (block, text) => {
    expect(thinkingOfBlock(block)).toBe(text)
  })

  it('is withheld where the provider says so, in any of three ways', () => {
    const blocks: JsonObject[] = [
      ...[
        { type: 'redacted_thinking' },
        { type: 'redacted-reasoning' },
        { type: 'thinking', redacted: true },
      ],
      ...[{ type: 'thinking', redacted: 'yes' }, { type: 'thinking' }],
    ]
    expect(blocks.map(isRedacted)).toEqual([true, true, true, false, false])
  })
})

describe('B2 calls', () => {
  it.each<[JsonObject, string | undefined]>([
    [{ type: 'toolCall', id: 'a', call_id: 'b' }, 'a'],
    [{ type: 'toolCall', call_id: 'b' }, 'b'],
    [{ type: 'function_call', id: 'a', call_id: 'b' }, 'b'],
    [{ type: 'function_call', id: 'a' }, 'a'],
    [{ type: 'toolCall', callId: 'c', toolCallId: 'd', toolUseId: 'e' }, 'c'],
    [{ type: 'toolCall', toolCallId: 'd', toolUseId: 'e' }, 'd'],
    [{ type: 'toolCall', toolUseId: 'e' }, 'e'],
    [{ id: 'a', call_id: 'b' }, 'a'],
    [{ type: 'toolCall', id: '', callId: 5 }, undefined],
  ])('%j answers to the id %s', (block, id) => {
    expect(callIdOf(block)).toBe(id)
  })

  it.each<[JsonObject, string]>([
    [{ type: 'toolCall', name: 'read', toolName: 'x' }, 'read'],
    [{ type: 'tool-call', toolName: 'read' }, 'read'],
    [{ type: 'custom', custom: { name: 'read' }, name: 'x' }, 'read'],
    [{ type: 'function', function: { arguments: '' }, toolName: 'read' }, 'read'],
    [{ type: 'shell_call' }, 'shell'],
    [{ type: 'function_call' }, ''],
    [{ type: 'toolCall' }, ''],
    [{}, ''],
  ])('%j calls the tool %j', (block, name) => {
    expect(callNameOf(block)).toBe(name)
  })

  it.each<[JsonObject, unknown]>([
    [{ type: 'x', arguments: 1, input: 2 }, 1],
    [{ type: 'x', arguments: null, input: 2, args: 3 }, 2],
    [{ type: 'x', args: 3, action: 4 }, 3],
    [{ type: 'x', action: 4, operation: 5 }, 4],
    [{ type: 'x', operation: '' }, ''],
    [{ type: 'custom', custom: { input: 'in' }, input: 'out' }, 'in'],
    [{ type: 'x' }, undefined],
  ])('the arguments of %j are %j', (block, input) => {
    expect(callInputOf(block)).toBe(input)
  })

  it.each<[JsonObject, JsonObject]>([
    [
      { type: 'x', name: 'a' },
      { type: 'x', name: 'a', input: 9 },
    ],
    [
      { type: 'x', arguments: null, args: 1 },
      { type: 'x', arguments: null, args: 9 },
    ],
    [
      { type: 'custom', id: 'c', custom: { input: 1 } },
      { type: 'custom', id: 'c', custom: { input: 9 } },
    ],
  ])('%j with other arguments is %j', (block, changed) => {
    const before = structuredClone(block)
    expect(withCallInput(block, 9)).toEqual(changed)
    expect(block).toEqual(before)
  })
})

describe('B2 results', () => {
  it('name their call under the first name that has one', () => {
    const names = ['toolCallId', 'toolUseId', 'tool_call_id', 'tool_use_id', 'callId', 'call_id']
    const all = Object.fromEntries(names.map((name) => [name, name]))
    for (const name of names) {
      expect(resultIdOf(all)).toBe(name)
      all[name] = ''
    }
    expect(resultIdOf(all)).toBeUndefined()
  })

  it.each<[JsonObject, unknown]>([
    [{ type: 'tool-result', output: { type: 'text', value: 'a' }, content: 'b' }, 'a'],
    [{ type: 'tool-result', output: { value: null } }, 'null'],
    [{ type: 'tool-result', output: 'a', content: 'b' }, 'b'],
    [{ type: 'tool-result', output: { type: 'text' } }, { type: 'text' }],
    [{ type: 'toolResult', output: { value: 'a' } }, { value: 'a' }],
    [{ type: 'toolResult', output: 'a', result: 'b' }, 'a'],
    [{ type: 'functionResponse', result: 'b', response: 'c' }, 'b'],
    [{ type: 'functionResponse', response: 'c' }, 'c'],
  ])('%j says %j', (block, content) => {
    expect(resultContentOf(block)).toEqual(content)
  })

  it.each<[JsonObject, boolean]>([
    [{ isError: true }, true],
    [{ is_error: true }, true],
    [{ isError: 'true' }, false],
    [{ output: { type: 'error-json' } }, true],
    [{ output: { type: 'text-error-' } }, false],
    [{ output: { type: 5 } }, false],
    [{ output: 'error-' }, false],
  ])('%j failed: %s', (block, failed) => {
    expect(hasResultFailed(block)).toBe(failed)
  })
})

describe('B2 images and files', () => {
  it.each<[JsonObject, string, string]>([
    [{ data: 'AA', mimeType: 'image/png', media_type: 'x' }, 'image/png', 'AA'],
    [{ image: 'AA', mediaType: 'image/gif' }, 'image/gif', 'AA'],
    [{ file_data: 'AA' }, 'image/unknown', 'AA'],
    [{ source: { data: 'AA', media_type: 'image/webp' } }, 'image/webp', 'AA'],
    [{ source: 'x', data: 'AA' }, 'image/unknown', 'AA'],
    [{ image_url: 'data:image/png;base64,AA' }, 'image/png', 'AA'],
    [{ image_url: { url: 'data:image/png;charset=x;base64,AA' } }, 'image/unknown', ''],
    [{ image: 'data:image/png;base64,AA' }, 'image/png', 'AA'],
    [{ data: 'data:a/b;base64,' }, 'a/b', ''],
    [{ url: { url: 'data:a/b;base64,A\nB' } }, 'a/b', 'A\nB'],
    [{ image: 'http://quay.example/a.png' }, 'image/unknown', ''],
    [{ data: 'https://quay.example/a.png', mimeType: 'image/png' }, 'image/png', ''],
    [{ data: 'x https://quay.example' }, 'image/unknown', 'x https://quay.example'],
    [{}, 'image/unknown', ''],
  ])('%j is of type %s, with the bytes %j', (block, mimeType, base64) => {
    expect(mediaOf(block)).toEqual({ mimeType, base64 })
  })
})
