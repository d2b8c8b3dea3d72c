import { isObject, type JsonObject } from '../transcript/json'
import type { BlockTable, FormRules, Misfit } from './form-rules'
import { misfit, missingText, otherForm, roleMisfit } from './misfit'

/** Parts of a UIMessage whose type is one name. */
const UI_PARTS = {
  text: 'text',
  reasoning: 'thinking',
  'reasoning-file': 'file',
  file: 'file',
  custom: 'other',
  'source-url': 'aside',
  'source-document': 'aside',
  'steering-message': 'other',
  'step-start': 'aside',
  'dynamic-tool': 'call',
} as const satisfies BlockTable

/** States of a part that holds a call and, once there is one, its result. */
const UI_TOOL_STATES = {
  'input-streaming': 'open',
  'input-available': 'open',
  'approval-requested': 'open',
  'approval-responded': 'open',
  'output-available': 'answered',
  'output-error': 'answered',
  'output-denied': 'answered',
} as const

const UI_ROLES = ['system', 'user', 'assistant'] as const

const ROLES: ReadonlySet<unknown> = new Set(UI_ROLES)

const uiMessageMisfit: FormRules['misfit'] = (message) => {
  const { parts } = message
  if (!Array.isArray(parts)) return otherForm('parts', parts, 'a list of parts')
  const wrong = roleMisfit(message, ROLES) ?? missingText(message, ['id'])
  if (wrong !== null) return wrong
  for (let at = 0; at < parts.length; at += 1) {
    const found = partMisfit(parts[at])
    if (found !== null)
      return { ...found, field: found.field === '' ? `parts[${at}]` : `parts[${at}].${found.field}` }
  }
  return null
}

function partMisfit(part: unknown): Misfit | null {
  if (!isObject(part)) return misfit('', part, 'a part: an object with a type')
  const { type } = part
  if (typeof type === 'string' && type.startsWith('data-')) return null
  if (typeof type === 'string' && (type.startsWith('tool-') || type === 'dynamic-tool'))
    return toolMisfit(part)
  if (typeof type === 'string' && Object.hasOwn(UI_PARTS, type)) return null
  return misfit('type', type, [...Object.keys(UI_PARTS), 'tool-NAME', 'data-NAME'])
}

function toolMisfit(part: JsonObject): Misfit | null {
  const { state } = part
  if (typeof state !== 'string' || !Object.hasOwn(UI_TOOL_STATES, state))
    return misfit('state', state, Object.keys(UI_TOOL_STATES))
  return missingText(part, part.type === 'dynamic-tool' ? ['toolCallId', 'toolName'] : ['toolCallId'])
}

/** A UIMessage of the Vercel AI SDK, of version 5 on. */
export const UI_FORM = {
  roles: UI_ROLES,
  blocks: UI_PARTS,
  states: UI_TOOL_STATES,
  misfit: uiMessageMisfit,
} as const satisfies FormRules
