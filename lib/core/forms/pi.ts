import type { BlockTable, FormRules } from './form-rules'
import { contentMisfit, foreignField, misfit, missingText, roleMisfit } from './misfit'

/** Blocks of pi and OpenClaw; `toolUse` and `functionCall` are names that OpenClaw takes for the first call. */
const PI_BLOCKS = {
  text: 'text',
  thinking: 'thinking',
  image: 'image',
  toolCall: 'call',
  toolUse: 'call',
  functionCall: 'call',
} as const satisfies BlockTable

const PI_ROLES = [
  'user',
  'assistant',
  'toolResult',
  'bashExecution',
  'custom',
  'branchSummary',
  'compactionSummary',
  // Instructions that some agents keep in front.
  'system',
  'developer',
] as const

const ROLES: ReadonlySet<unknown> = new Set(PI_ROLES)
const FOREIGN = ['type', 'tool_calls', 'function_call', 'parts']

const piMisfit: FormRules['misfit'] = (message) => {
  const wrong = roleMisfit(message, ROLES) ?? foreignField(message, FOREIGN, 'pi')
  if (wrong !== null) return wrong
  const { role, content } = message
  if (role === 'bashExecution') return missingText(message, ['command'])
  if (role === 'branchSummary' || role === 'compactionSummary') return missingText(message, ['summary'])
  return contentMisfit(content, PI_BLOCKS, (block, type) => {
    if (type === 'toolCall' || type === 'toolUse' || type === 'functionCall')
      return missingText(block, ['name'])
    if (type === 'image') return missingText(block, ['data', 'mimeType'])
    // Anthropic's own has this field; pi calls it `thinkingSignature`.
    if (type === 'thinking' && block.signature !== undefined)
      return misfit('signature', block.signature, 'thinkingSignature instead')
    return null
  })
}

/** A message of pi or OpenClaw. */
export const PI_FORM = {
  roles: PI_ROLES,
  blocks: PI_BLOCKS,
  misfit: piMisfit,
} as const satisfies FormRules
