import type { BlockTable, FormRules } from './form-rules'
import { contentMisfit, foreignField, roleMisfit } from './misfit'

const PLAIN_BLOCKS = { text: 'text' } as const satisfies BlockTable
const PLAIN_ROLES = ['system', 'developer', 'user', 'assistant'] as const

const ROLES: ReadonlySet<unknown> = new Set(PLAIN_ROLES)
const FOREIGN = ['type', 'tool_calls', 'function_call', 'tool_call_id', 'toolCallId', 'parts']

const plainMisfit: FormRules['misfit'] = (message) =>
  roleMisfit(message, ROLES) ??
  foreignField(message, FOREIGN, 'plain texts') ??
  contentMisfit(message.content, PLAIN_BLOCKS)

/** A message that says nothing of its form: a role, and a text or blocks of text. */
export const PLAIN_FORM = {
  roles: PLAIN_ROLES,
  blocks: PLAIN_BLOCKS,
  misfit: plainMisfit,
} as const satisfies FormRules
