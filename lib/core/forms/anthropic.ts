import { isObject } from '../transcript/json'
import type { BlockCheck, BlockTable, FormRules, Misfit } from './form-rules'
import { blocksMisfit, contentMisfit, foreignField, misfit, missingText, roleMisfit } from './misfit'

/** Blocks of requests and answers, those of betas included. */
const ANTHROPIC_BLOCKS = {
  text: 'text',
  thinking: 'thinking',
  redacted_thinking: 'thinking',
  tool_use: 'call',
  tool_result: 'result',
  image: 'image',
  document: 'file',
  search_result: 'other',
  container_upload: 'other',
  server_tool_use: 'server',
  web_search_tool_result: 'server',
  web_fetch_tool_result: 'server',
  code_execution_tool_result: 'server',
  bash_code_execution_tool_result: 'server',
  text_editor_code_execution_tool_result: 'server',
  tool_search_tool_result: 'server',
  advisor_tool_result: 'server',
  mcp_tool_use: 'server',
  mcp_tool_result: 'server',
  mcp_tool_listing: 'other',
  compaction: 'other',
  fallback: 'other',
  tool_addition: 'other',
  tool_removal: 'other',
} as const satisfies BlockTable

/** What a result consists of where it is a list. */
export const ANTHROPIC_RESULT_BLOCKS = {
  text: 'text',
  image: 'image',
  document: 'file',
  search_result: 'other',
  tool_reference: 'other',
  browser_state: 'other',
} as const satisfies BlockTable

const ANTHROPIC_ROLES = ['user', 'assistant', 'system'] as const

const ROLES: ReadonlySet<unknown> = new Set(ANTHROPIC_ROLES)
const FOREIGN = ['tool_calls', 'function_call', 'tool_call_id', 'toolCallId', 'parts']

const anthropicMisfit: FormRules['misfit'] = (message) => {
  if (message.type !== undefined && message.type !== 'message')
    return misfit('type', message.type, 'no type, or "message"')
  return (
    roleMisfit(message, ROLES) ??
    foreignField(message, FOREIGN, 'Anthropic Messages') ??
    contentMisfit(message.content, ANTHROPIC_BLOCKS, blockMisfit)
  )
}

const CALL_TEXTS = ['id', 'name']
const RESULT_TEXTS = ['tool_use_id']

const blockMisfit: BlockCheck = (block, type) => {
  if (type === 'tool_use') return missingText(block, CALL_TEXTS)
  if (type === 'tool_result') return missingText(block, RESULT_TEXTS) ?? resultMisfit(block.content)
  if (type === 'image' || type === 'document')
    return isObject(block.source) ? null : misfit('source', block.source, 'an object')
  return null
}

function resultMisfit(content: unknown): Misfit | null {
  return Array.isArray(content) ? blocksMisfit(content, 'content', ANTHROPIC_RESULT_BLOCKS) : null
}

/** A message for Anthropic Messages; an answer as the API gave it has a `type` besides, which is `message`. */
export const ANTHROPIC_FORM = {
  roles: ANTHROPIC_ROLES,
  blocks: ANTHROPIC_BLOCKS,
  misfit: anthropicMisfit,
} as const satisfies FormRules
