import { expect, it } from 'vitest'
import { blockKind } from '../transcript/blocks'
import { MODEL_FORM } from './ai-sdk'
import { UI_FORM } from './ai-sdk-ui'
import { ANTHROPIC_FORM } from './anthropic'
import type { FormRules } from './form-rules'
import { CHAT_FORM } from './openai-chat'
import { RESPONSES_FORM } from './openai-responses'
import { PI_FORM } from './pi'

/** Fields by which blocks of one type are what they are. */
const FIELDS: { readonly [type: string]: object } = {
  function: { function: { name: 'read' } },
  'dynamic-tool': { toolCallId: 'c1', toolName: 'read', state: 'input-available' },
  message: { content: [] },
}

const rows = (
  [MODEL_FORM, UI_FORM, ANTHROPIC_FORM, CHAT_FORM, RESPONSES_FORM, PI_FORM] as FormRules[]
).flatMap(({ blocks }) => Object.entries(blocks))

it.each(rows)('A8 a block of the type %s is read as %s', (type, kind) => {
  const isChat = type === 'custom' && kind === 'call'
  const call = kind === 'call' && type.endsWith('_call') ? { call_id: 'c1' } : {}
  const block = { type, ...FIELDS[type], ...call, ...(isChat ? { custom: { name: 'note' } } : {}) }
  expect(blockKind(block)).toBe(kind)
})

it('A8 tools of a UIMessage are calls, whatever they are called, and the provider’s are its own', () => {
  for (const type of ['tool-read', 'tool-call', 'tool-result', 'dynamic-tool']) {
    const tool = { type, toolCallId: 'c1', toolName: 'read', state: 'output-available' }
    expect(blockKind(tool)).toBe('call')
    expect(blockKind({ ...tool, providerExecuted: true })).toBe('server')
  }
  expect(blockKind({ type: 'data-berth', data: 4 })).toBe('aside')
})
