import type { ResponseInputItem } from 'openai/resources/responses/responses'
import { describe, expect, it } from 'vitest'
import { formOf } from '../forms/form-of'
import { countMessage } from './count-message'
import { gapResult } from './message-craft'
import { joinParts, splitMessages } from './message-parts'
import { findUnpaired, isResult, withoutOrphans } from './pairing'
import { settlePairs } from './settle-pairs'
import type { ContentMessage } from './thinking'

/** Calls that the caller answers, and an answer to each. */
const PAIRS: readonly (readonly [ResponseInputItem, ResponseInputItem])[] = [
  [
    { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c1', output: 'long' },
  ],
  [
    { type: 'custom_tool_call', call_id: 'c1', name: 'note', input: 'x' },
    { type: 'custom_tool_call_output', call_id: 'c1', output: [{ type: 'input_text', text: 'long' }] },
  ],
  [
    { type: 'shell_call', call_id: 'c1', action: { commands: ['ls'] } },
    {
      type: 'shell_call_output',
      call_id: 'c1',
      output: [{ stdout: 'long', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
    },
  ],
  [
    {
      type: 'local_shell_call',
      id: 'ls_1',
      call_id: 'c1',
      status: 'completed',
      action: { type: 'exec', command: ['ls'], env: {} },
    },
    { type: 'local_shell_call_output', id: 'c1', output: 'long' },
  ],
  [
    {
      type: 'apply_patch_call',
      call_id: 'c1',
      status: 'completed',
      operation: { type: 'delete_file', path: 'a.md' },
    },
    { type: 'apply_patch_call_output', call_id: 'c1', status: 'completed', output: 'long' },
  ],
  [
    {
      type: 'computer_call',
      id: 'cu_1',
      call_id: 'c1',
      status: 'completed',
      pending_safety_checks: [],
      action: { type: 'screenshot' },
    },
    {
      type: 'computer_call_output',
      call_id: 'c1',
      output: { type: 'computer_screenshot', image_url: 'data:image/png;base64,AAAA' },
    },
  ],
  [
    { type: 'tool_search_call', call_id: 'c1', execution: 'client', arguments: {} },
    { type: 'tool_search_output', call_id: 'c1', execution: 'client', tools: [] },
  ],
  [
    { type: 'mcp_approval_request', id: 'c1', name: 'read', server_label: 's', arguments: '{}' },
    { type: 'mcp_approval_response', approval_request_id: 'c1', approve: true },
  ],
  [
    { type: 'program', id: 'p_1', call_id: 'c1', code: 'read()', fingerprint: 'f' },
    { type: 'program_output', id: 'po_1', call_id: 'c1', result: 'long', status: 'completed' },
  ],
]

/** Those whose answer takes a text in the place of what it said. */
const TEXTS = ['function_call', 'custom_tool_call', 'shell_call', 'local_shell_call', 'apply_patch_call']

it('B2 the picture of a screen is counted as a picture, and tools that were found as what they say', () => {
  const screen = { type: 'computer_screenshot', image_url: `data:image/png;base64,${'A'.repeat(400_000)}` }
  const seen = { type: 'computer_call_output', call_id: 'c1', output: screen } as ContentMessage
  expect(countMessage(seen)).toBeLessThan(1_300)
  const tools = [{ type: 'function', name: 'read', description: 'reads the ledger '.repeat(100) }]
  const found = { type: 'tool_search_output', call_id: 'c1', execution: 'client', tools } as ContentMessage
  expect(countMessage(found)).toBeGreaterThan(250)
})

describe.each(PAIRS.map((pair) => [pair[0].type, ...pair] as const))(
  'A8 the answer to an item of the type %s',
  (type, call, output) => {
    const ask = { role: 'user', content: 'Which?' }
    const items = [ask, call, output] as ContentMessage[]
    const takesText = TEXTS.includes(String(type))

    it('is its result, and goes where its call goes', () => {
      expect(findUnpaired(items)).toEqual({ orphans: [], unanswered: [] })
      expect(splitMessages(items).at(-1)).toMatchObject({ role: 'toolResult', resultFor: 'c1' })
      expect(withoutOrphans([ask, output] as ContentMessage[])).toEqual([ask])
      expect(formOf(items)).toBe('openai-responses')
    })

    it('keeps its type when it says something else, or stays where it cannot', () => {
      for (const content of ['[cleared]', [{ type: 'text', text: '[cleared]' }]]) {
        const parts = splitMessages(items).map((part) => (isResult(part) ? { ...part, content } : part))
        const cleared = joinParts(parts).at(-1)
        expect(Object.keys(cleared ?? {}).sort()).toEqual(Object.keys(output).sort())
        if (!takesText) expect(cleared).toEqual(output)
        else expect(JSON.stringify(cleared)).toContain('[cleared]')
        if (type === 'shell_call')
          expect(cleared?.output).toEqual([
            { stdout: '[cleared]', stderr: '', outcome: { type: 'exit', exit_code: 0 } },
          ])
        if (type === 'local_shell_call' || type === 'apply_patch_call')
          expect(cleared?.output).toBe('[cleared]')
      }
    })

    it('is made in its type where there is none, as far as that says that there is none', () => {
      const { messages } = settlePairs(splitMessages([...items.slice(0, 2), ask]), gapResult)
      const made = joinParts(messages)[2]
      if (takesText) {
        expect(made).toMatchObject({ type: output.type })
        expect(JSON.stringify(made)).toContain('No result was recorded')
        expect(findUnpaired(joinParts(messages)).unanswered).toEqual([])
      } else expect(made).toBe(ask)
      expect(formOf(joinParts(messages))).toBe('openai-responses')
    })
  },
)
