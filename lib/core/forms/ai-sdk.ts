import type { BlockTable, FormRules } from './form-rules'
import { contentMisfit, foreignField, misfit, missingText, roleMisfit } from './misfit'

/** Parts of a ModelMessage; the last is of version 4. */
const MODEL_PARTS = {
  text: 'text',
  reasoning: 'thinking',
  'reasoning-file': 'file',
  image: 'image',
  file: 'file',
  custom: 'other',
  'tool-call': 'call',
  'tool-result': 'result',
  'tool-approval-request': 'call',
  'tool-approval-response': 'result',
  'redacted-reasoning': 'thinking',
} as const satisfies BlockTable

const MODEL_ROLES = ['system', 'user', 'assistant', 'tool'] as const

const ROLES: ReadonlySet<unknown> = new Set(MODEL_ROLES)
const FOREIGN = ['type', 'tool_calls', 'function_call', 'tool_call_id', 'toolCallId', 'parts']

const modelMessageMisfit: FormRules['misfit'] = (message) => {
  const { role, content } = message
  const wrong = roleMisfit(message, ROLES) ?? foreignField(message, FOREIGN, 'the AI SDK')
  if (wrong !== null) return wrong
  if (role === 'tool' && !Array.isArray(content)) return misfit('content', content, 'a list of results')
  return contentMisfit(content, MODEL_PARTS, (part, type) => {
    if (type === 'tool-call' || type === 'tool-result') return missingText(part, ['toolCallId', 'toolName'])
    if (type.startsWith('tool-approval-')) return missingText(part, ['approvalId'])
    // Other forms have blocks of the same type, with other fields.
    if (type === 'image') return part.image == null ? misfit('image', part.image, 'data or an address') : null
    if (type === 'file') return part.data == null ? misfit('data', part.data, 'data or an address') : null
    return null
  })
}

/** A ModelMessage of the Vercel AI SDK, of version 5 on; a CoreMessage of version 4 has the same parts. */
export const MODEL_FORM = {
  roles: MODEL_ROLES,
  blocks: MODEL_PARTS,
  misfit: modelMessageMisfit,
} as const satisfies FormRules
