import { describe, expect, it } from 'vitest'
import { missingOutput, withResultContent } from './result-output'

const TEXTS = [{ type: 'text', text: 'a' }, { type: 'image' }, 'bare', { type: 'text', text: 'b' }]
const said = (output: unknown) => ({ type: 'tool-result', toolCallId: 'c1', output })
const shell = (stdout: string) => [{ stdout, stderr: '', outcome: { type: 'exit', exit_code: 0 } }]

describe('A8 a result that says something else keeps it where its form does', () => {
  it.each([
    // The AI SDK names what an output is; what failed stays failed.
    [said({ type: 'json', value: {} }), 'gone', said({ type: 'text', value: 'gone' })],
    [said({ type: 'error-json', value: {} }), 'gone', said({ type: 'error-text', value: 'gone' })],
    [said({ type: 'text', value: 'x' }), TEXTS, said({ type: 'content', value: TEXTS })],
    [said({ type: 'error-text', value: 'x' }), TEXTS, said({ type: 'content', value: TEXTS })],
    [said({ type: 'text', value: 'x' }), { n: 1 }, said({ type: 'json', value: { n: 1 } })],
    [said({ type: 'error-text', value: 'x' }), { n: 1 }, said({ type: 'error-json', value: { n: 1 } })],
    // Older versions of it have a result without such a name.
    [
      { type: 'tool-result', toolCallId: 'c1', result: 'x' },
      'gone',
      { type: 'tool-result', toolCallId: 'c1', result: 'gone' },
    ],
    // Responses call a text in a list otherwise.
    [
      { type: 'function_call_output', output: 'x' },
      TEXTS,
      {
        type: 'function_call_output',
        output: [
          { type: 'input_text', text: 'a' },
          { type: 'image' },
          'bare',
          { type: 'input_text', text: 'b' },
        ],
      },
    ],
    [{ type: 'function_call_output', output: [] }, 'gone', { type: 'function_call_output', output: 'gone' }],
    [
      { type: 'custom_tool_call_output', output: 'x' },
      'gone',
      { type: 'custom_tool_call_output', output: 'gone' },
    ],
    // Items that take one text get the texts of a list, one a line.
    [{ type: 'shell_call_output', output: [] }, TEXTS, { type: 'shell_call_output', output: shell('a\nb') }],
    [
      { type: 'local_shell_call_output', output: 'x' },
      TEXTS,
      { type: 'local_shell_call_output', output: 'a\nb' },
    ],
    [
      { type: 'local_shell_call_output', output: 'x' },
      [{ type: 'text', text: 7 }],
      { type: 'local_shell_call_output', output: '' },
    ],
    [
      { type: 'local_shell_call_output', output: 'x' },
      { n: 1 },
      { type: 'local_shell_call_output', output: '' },
    ],
    // Anthropic's block may have come without a content; others have it in any type, or in the place of a role.
    [{ type: 'tool_result', id: 1 }, 'gone', { type: 'tool_result', id: 1, content: 'gone' }],
    [{ type: 'toolResult', content: 'x' }, 'gone', { type: 'toolResult', content: 'gone' }],
    [{ role: 'tool', type: 'any' }, 'gone', { role: 'tool', type: 'any', content: 'gone' }],
    [{ id: 1 }, 'gone', { id: 1, content: 'gone' }],
  ])('%j', (block, content, expected) => {
    expect(withResultContent(block, content)).toEqual(expected)
  })

  it('or stays as it is where no text can be in its place', () => {
    const screen = { type: 'computer_call_output', output: { type: 'computer_screenshot' } }
    expect(withResultContent(screen, 'gone')).toBe(screen)
  })
})

describe('C8 the item that says that a call has no result', () => {
  it.each([
    ['function_call', { type: 'function_call_output', call_id: 'c1', output: 'none' }],
    ['custom_tool_call', { type: 'custom_tool_call_output', call_id: 'c1', output: 'none' }],
    [
      'shell_call',
      {
        type: 'shell_call_output',
        call_id: 'c1',
        output: [{ stdout: 'none', stderr: '', outcome: { type: 'exit', exit_code: 1 } }],
      },
    ],
    ['local_shell_call', { type: 'local_shell_call_output', id: 'c1', output: 'none' }],
    [
      'apply_patch_call',
      { type: 'apply_patch_call_output', call_id: 'c1', status: 'failed', output: 'none' },
    ],
    // A screen, an approval: nothing of their type can say it.
    ['computer_call', null],
    ['mcp_approval_request', null],
  ])('%s', (type, item) => {
    expect(missingOutput({ type }, 'c1', 'none')).toEqual(item)
  })
})
