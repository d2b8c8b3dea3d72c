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
import { binaryChars, fileTextOf, mediaOf } from './media-block'

/** What a part of an AI SDK UIMessage has besides its type. */
const UI = { state: 'input-available', toolCallId: 'a' }

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
    [{ type: 'messages', content: [] }, 'other'],
    [{ type: 'tool_search_call', call_id: 'a', execution: 'server' }, 'server'],
    [{ type: 'tool_search_output', call_id: 'a' }, 'result'],
    [{ type: 'tool_search_output', call_id: 'a', execution: 'server' }, 'server'],
    [{ type: 'tool_search_output' }, 'server'],
    [{ type: 'data-weather' }, 'aside'],
    [{ type: 'more-data-' }, 'other'],
    [{ type: 'file', mediaType: 'image/png' }, 'image'],
    [{ type: 'file', mediaType: 'a/image' }, 'file'],
    [{ type: 'file', mediaType: 5 }, 'file'],
    [{ type: 'text', mediaType: 'image/png' }, 'text'],
    [{ ...UI, type: 'tool-read' }, 'call'],
    [{ ...UI, type: 'dynamic-tool' }, 'call'],
    [{ ...UI, type: 'tool-read', providerExecuted: true }, 'server'],
    [{ ...UI, type: 'tool-read', providerExecuted: 'yes' }, 'call'],
    [{ ...UI, type: 'tool-result' }, 'call'],
    [{ ...UI, type: 'tool-read', state: 5 }, 'other'],
    [{ ...UI, type: 'tool-read', toolCallId: 5 }, 'other'],
    [{ ...UI, type: 'my-tool-' }, 'other'],
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
    [{ type: 'program', id: 'a', call_id: 'b' }, 'b'],
    [{ type: 'my_program', id: 'a', call_id: 'b' }, 'a'],
    [{ type: 'programme', id: 'a', call_id: 'b' }, 'a'],
    [{ type: 'my_call_x', id: 'a', call_id: 'b' }, 'a'],
    [{ type: 'tool-approval-request', approvalId: 'p', toolCallId: 'd' }, 'p'],
    [{ type: 'tool-approval-request', toolCallId: 'd' }, undefined],
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
    [{ type: 'apply_patch_call' }, 'apply_patch'],
    [{ type: 'function_call' }, ''],
    [{ type: 'toolCall' }, ''],
    [{ ...UI, type: 'tool-read' }, 'read'],
    [{ ...UI, type: 'dynamic-tool', toolName: 'read' }, 'read'],
    [{ ...UI, type: 'dynamic-tool' }, ''],
    [{ ...UI, type: 'dynamic-tool', toolName: 5 }, ''],
    [{ type: 'dynamic-tool' }, ''],
    [{ type: 'tool-read' }, ''],
    [{ type: 'input', input: { name: 'read' } }, ''],
    [{ type: 5 }, ''],
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
    const names = [
      ...['toolCallId', 'toolUseId', 'tool_call_id', 'tool_use_id', 'callId', 'call_id'],
      ...['approvalId', 'approval_request_id'],
    ]
    const all = Object.fromEntries(names.map((name) => [name, name]))
    for (const name of names) {
      expect(resultIdOf(all)).toBe(name)
      all[name] = ''
    }
    expect(resultIdOf(all)).toBeUndefined()
    expect(resultIdOf({ type: 'local_shell_call_output', id: 'a' })).toBe('a')
    expect(resultIdOf({ type: 'shell_call_output', id: 'a' })).toBeUndefined()
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
    [{ type: 'tool-result', output: { type: 'content', value: ['a'] } }, ['a']],
    [{ type: 'tool-result', output: { type: 'json', value: ['a'] } }, '["a"]'],
    [
      { type: 'computer_call_output', output: { type: 'computer_screenshot' } },
      [{ type: 'computer_screenshot' }],
    ],
    [{ type: 'computer_call_output', output: 'a' }, 'a'],
    [{ type: 'x', output: { type: 'computer_screenshot' } }, { type: 'computer_screenshot' }],
    [{ ...UI, output: 'a' }, 'a'],
    [{ ...UI, type: 'tool-read', output: 'a', content: 'b' }, undefined],
    [{ ...UI, type: 'tool-read', state: 'output-available', output: 'a' }, 'a'],
    [{ ...UI, type: 'tool-read', state: 'output-available', output: ['a'] }, '["a"]'],
    [{ ...UI, type: 'tool-read', state: 'output-error', errorText: 'no', output: 'a' }, 'no'],
    [{ ...UI, type: 'tool-read', state: 'output-error' }, ''],
    [{ ...UI, type: 'tool-read', state: 'output-denied', approval: { reason: 'no' } }, 'no'],
    [{ ...UI, type: 'tool-read', state: 'output-denied', approval: {} }, ''],
    [{ ...UI, type: 'tool-read', state: 'output-denied' }, ''],
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
    [{ ...UI, type: 'tool-read', state: 'output-error' }, true],
    [{ ...UI, type: 'tool-read', state: 'output-denied' }, true],
    [{ ...UI, type: 'tool-read', state: 'output-available' }, false],
    [{ ...UI, type: 'toolResult', state: 'output-error' }, false],
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
    [{ file: { file_data: 'AA', mediaType: 'a/b' } }, 'a/b', 'AA'],
    [{ input_audio: { data: 'AA' } }, 'image/unknown', 'AA'],
    [{ data: { type: 'data', data: 'AA' } }, 'image/unknown', 'AA'],
    [{ data: { data: 'AA' } }, 'image/unknown', ''],
    [{ source: { image: 'AA' } }, 'image/unknown', 'AA'],
    [{ image_url: 'data:image/png;base64,AA' }, 'image/png', 'AA'],
    [{ image_url: { url: 'data:image/png;charset=x;base64,AA' } }, 'image/unknown', ''],
    [{ image: 'data:image/png;base64,AA' }, 'image/png', 'AA'],
    [{ data: 'data:a/b;base64,' }, 'a/b', ''],
    [{ data: 'x data:a/b;base64,AA' }, 'image/unknown', 'x data:a/b;base64,AA'],
    [{ url: { url: 'data:a/b;base64,A\nB' } }, 'a/b', 'A\nB'],
    [{ image: 'http://quay.example/a.png' }, 'image/unknown', ''],
    [{ data: 'https://quay.example/a.png', mimeType: 'image/png' }, 'image/png', ''],
    [{ data: 'x https://quay.example' }, 'image/unknown', 'x https://quay.example'],
    [{}, 'image/unknown', ''],
  ])('%j is of type %s, with the bytes %j', (block, mimeType, base64) => {
    expect(mediaOf(block)).toEqual({ mimeType, base64 })
  })

  it.each<[JsonObject, unknown]>([
    [{ source: { type: 'text', data: 'a', text: 'b' } }, 'a'],
    [{ source: { type: 'text', text: 'b' } }, 'b'],
    [{ source: { type: 'text' } }, null],
    [{ source: { type: 'content', content: ['c'] } }, ['c']],
    [{ source: { type: 'content' } }, null],
    [{ source: { type: 'base64', data: 'AA', content: 'c' } }, null],
    [{ file: { type: 'text', text: 'b' } }, 'b'],
    [{ data: { type: 'text', text: 'b' } }, 'b'],
    [{ data: { text: 'b' }, type: 'text', text: 'c' }, 'c'],
  ])('a model gets of %j the text %j', (block, text) => {
    expect(fileTextOf(block)).toEqual(text)
  })

  it.each<[string, JsonObject, number | null]>([
    ['in the block', { data: new Uint8Array(4) }, 8],
    ['as a buffer', { data: new ArrayBuffer(3) }, 4],
    ['as an image', { image: new Uint8Array(6) }, 8],
    ['one level down', { data: { type: 'data', data: new Uint8Array(1) } }, 4],
    ['none', { data: 'AAAA', image: { byteLength: 9 } }, null],
  ])('bytes that are held as such are counted as base64: %s', (_name, block, chars) => {
    expect(binaryChars(block)).toBe(chars)
  })
})
