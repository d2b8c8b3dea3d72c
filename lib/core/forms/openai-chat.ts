import { isObject, type JsonObject } from '../transcript/json'
import type { BlockTable, FormRules, Misfit } from './form-rules'
import { blocksMisfit, contentMisfit, foreignField, misfit, missingText, roleMisfit } from './misfit'

/** Parts of a content. */
const CHAT_PARTS = {
  text: 'text',
  refusal: 'text',
  image_url: 'image',
  input_audio: 'file',
  file: 'file',
} as const satisfies BlockTable

/** Calls, which are beside the content in `tool_calls`. */
const CHAT_CALLS = { function: 'call', custom: 'call' } as const satisfies BlockTable

const CHAT_ROLES = ['developer', 'system', 'user', 'assistant', 'tool', 'function'] as const

const ROLES: ReadonlySet<unknown> = new Set(CHAT_ROLES)
const FOREIGN = ['type', 'parts', 'toolCallId']

const chatMisfit: FormRules['misfit'] = (message) => {
  const { role, content } = message
  const wrong = roleMisfit(message, ROLES) ?? foreignField(message, FOREIGN, 'OpenAI Chat Completions')
  if (wrong !== null) return wrong
  if (role === 'tool' && typeof message.tool_call_id !== 'string')
    return misfit('tool_call_id', message.tool_call_id, 'the id of the call that this answers')
  if (role === 'function' && typeof message.name !== 'string') return misfit('name', message.name, 'a text')
  if (role !== 'assistant')
    return (
      foreignField(message, ['tool_calls', 'function_call'], `role "${String(role)}"`) ?? contentOf(content)
    )
  return callsMisfit(message) ?? (content == null ? null : contentOf(content))
}

function contentOf(content: unknown): Misfit | null {
  return contentMisfit(content, CHAT_PARTS, (part, type) => {
    if (type === 'image_url' || type === 'file' || type === 'input_audio')
      return isObject(part[type]) ? null : misfit(type, part[type], 'an object')
    return null
  })
}

function callsMisfit({ content, tool_calls: calls, function_call: old, ...rest }: JsonObject): Misfit | null {
  if (old !== undefined && old !== null)
    return isObject(old) ? missingText(old, ['name']) : misfit('function_call', old, 'an object')
  if (calls === undefined || calls === null) {
    const isBare = content == null && !isObject(rest.audio) && typeof rest.refusal !== 'string'
    return isBare ? misfit('content', content, 'a text or parts, where there are no tool_calls') : null
  }
  if (!Array.isArray(calls)) return misfit('tool_calls', calls, 'a list of calls')
  return blocksMisfit(calls, 'tool_calls', CHAT_CALLS, (call, type) => {
    const body = call[type]
    if (!isObject(body)) return misfit(type, body, 'an object with a name')
    const wrong = missingText(body, ['name'])
    return (
      missingText(call, ['id']) ?? (wrong === null ? null : { ...wrong, field: `${type}.${wrong.field}` })
    )
  })
}

/** A message for OpenAI Chat Completions and whatever else speaks its format. */
export const CHAT_FORM = {
  roles: CHAT_ROLES,
  blocks: { ...CHAT_PARTS, ...CHAT_CALLS },
  misfit: chatMisfit,
} as const satisfies FormRules
