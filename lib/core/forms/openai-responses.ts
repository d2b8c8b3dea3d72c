import type { JsonObject } from '../transcript/json'
import type { BlockTable, FormRules, Misfit } from './form-rules'
import { blocksMisfit, contentMisfit, foreignField, misfit, missingText, roleMisfit } from './misfit'

/**
 * Items by their `type`. Items of tools that the caller runs are calls and results where they name a call; those of
 * tools that OpenAI runs are whole.
 */
const RESPONSES_ITEMS = {
  message: 'text',
  reasoning: 'thinking',
  function_call: 'call',
  function_call_output: 'result',
  custom_tool_call: 'call',
  custom_tool_call_output: 'result',
  computer_call: 'call',
  computer_call_output: 'result',
  local_shell_call: 'call',
  local_shell_call_output: 'result',
  shell_call: 'call',
  shell_call_output: 'result',
  apply_patch_call: 'call',
  apply_patch_call_output: 'result',
  tool_search_call: 'server',
  tool_search_output: 'server',
  file_search_call: 'server',
  web_search_call: 'server',
  image_generation_call: 'server',
  code_interpreter_call: 'server',
  mcp_call: 'server',
  mcp_list_tools: 'other',
  mcp_approval_request: 'call',
  mcp_approval_response: 'result',
  program: 'call',
  program_output: 'result',
  additional_tools: 'other',
  configuration_update: 'other',
  compaction: 'other',
  compaction_trigger: 'other',
  item_reference: 'other',
} as const satisfies BlockTable

/** Parts of messages, and of results that are lists. */
const RESPONSES_PARTS = {
  input_text: 'text',
  output_text: 'text',
  refusal: 'text',
  input_image: 'image',
  input_file: 'file',
} as const satisfies BlockTable

const RESPONSES_ROLES = ['user', 'assistant', 'system', 'developer'] as const

const ROLES: ReadonlySet<unknown> = new Set(RESPONSES_ROLES)
const FOREIGN = ['tool_calls', 'function_call', 'tool_call_id', 'toolCallId', 'parts']

const responsesMisfit: FormRules['misfit'] = (item) => {
  const { type } = item
  if (type === undefined || type === null) return item.role === undefined ? bare(item) : messageMisfit(item)
  if (typeof type !== 'string' || !Object.hasOwn(RESPONSES_ITEMS, type))
    return misfit('type', type, Object.keys(RESPONSES_ITEMS))
  if (type === 'message') return messageMisfit(item)
  const kind = RESPONSES_ITEMS[type as keyof typeof RESPONSES_ITEMS]
  if (type === 'function_call_output' || type === 'custom_tool_call_output')
    return missingText(item, ['call_id']) ?? outputMisfit(item.output)
  if (type === 'function_call' || type === 'custom_tool_call') return missingText(item, ['call_id', 'name'])
  // The SDK's type of this one item calls the call's id `id`.
  if (type === 'local_shell_call_output') return idMisfit(item)
  if (type === 'mcp_approval_request') return missingText(item, ['id'])
  if (type === 'mcp_approval_response') return missingText(item, ['approval_request_id'])
  return kind === 'call' || kind === 'result' ? missingText(item, ['call_id']) : null
}

function outputMisfit(output: unknown): Misfit | null {
  return Array.isArray(output) ? blocksMisfit(output, 'output', RESPONSES_PARTS) : null
}

/** A reference to a stored item may be nothing but its id. */
function bare(item: JsonObject): Misfit | null {
  const isReference = typeof item.id === 'string' && Object.keys(item).length <= 2
  return isReference ? null : misfit('type', item.type, 'a type of item, or a role')
}

function idMisfit(item: JsonObject): Misfit | null {
  return typeof item.id === 'string' ? null : missingText(item, ['call_id'])
}

function messageMisfit(item: JsonObject): Misfit | null {
  return (
    roleMisfit(item, ROLES) ??
    foreignField(item, FOREIGN, 'OpenAI Responses') ??
    contentMisfit(item.content, RESPONSES_PARTS)
  )
}

/** An item of OpenAI Responses; messages may leave their type out, and references theirs. */
export const RESPONSES_FORM = {
  roles: RESPONSES_ROLES,
  blocks: { ...RESPONSES_ITEMS, ...RESPONSES_PARTS },
  misfit: responsesMisfit,
} as const satisfies FormRules
