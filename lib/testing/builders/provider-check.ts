import type { ContentMessage } from '../../core/history/thinking'
import type { BuiltForm } from './conversations'

type Fields = { readonly [field: string]: unknown }

/**
 * What an API would refuse of the messages of a request, by its own rules as its documentation has them. Written apart from
 * the product's reading of blocks, so that neither covers for the other.
 */
export function refusedBy(form: BuiltForm, messages: readonly ContentMessage[]): string[] {
  const list = messages.map((message): Fields => ({ ...message }))
  return form === 'responses' ? refusedItems(list) : refusedTurns(form, list)
}

function blocks(content: unknown): Fields[] {
  return Array.isArray(content) ? content.map((block: unknown) => ({ ...(block as Fields) })) : []
}

/** Calls of a message, under the one name that the API has for them. */
function callIds(form: BuiltForm, message: Fields): unknown[] {
  const content = blocks(message.content)
  const of = (type: string, id: string) =>
    content.filter((block) => block.type === type).map((block) => block[id])
  switch (form) {
    case 'pi':
      return of('toolCall', 'id')
    case 'alias':
      return of('functionCall', 'id')
    case 'anthropic':
      return of('tool_use', 'id')
    case 'ai-sdk':
      return of('tool-call', 'toolCallId')
    default:
      return blocks(message.tool_calls).map(({ id }) => id)
  }
}

/** Calls that a message answers; null for one that is no message of results. */
function answeredIds(form: BuiltForm, message: Fields): unknown[] | null {
  const content = blocks(message.content)
  if (form === 'anthropic') {
    const results = content.filter((block) => block.type === 'tool_result')
    return results.length === 0 ? null : results.map((block) => block.tool_use_id)
  }
  if (form === 'ai-sdk') return message.role === 'tool' ? content.map((block) => block.toolCallId) : null
  if (form === 'chat') return message.role === 'tool' ? [message.tool_call_id] : null
  return message.role === 'toolResult' ? [message.toolCallId ?? message.tool_call_id] : null
}

function refusedTurns(form: BuiltForm, messages: readonly Fields[]): string[] {
  const refused: string[] = []
  let open: Set<unknown> = new Set()
  let before: unknown
  messages.forEach((message, at) => {
    const answered = answeredIds(form, message)
    if (answered === null && open.size > 0) refused.push(`${at}: ${[...open].join()} unanswered`)
    for (const id of answered ?? [])
      if (!open.delete(id)) refused.push(`${at}: ${String(id)} answers no call`)
    if (form === 'anthropic' && answered !== null) {
      if (open.size > 0) refused.push(`${at}: ${[...open].join()} not answered in the next message`)
      const kinds = blocks(message.content).map(({ type }) => type === 'tool_result')
      if (kinds.lastIndexOf(true) > answered.length - 1) refused.push(`${at}: results do not come first`)
    }
    if (answered === null || form === 'anthropic') open = new Set(callIds(form, message))
    const side = answered !== null && form !== 'anthropic' ? 'result' : message.role
    if (side === before && side !== 'result') refused.push(`${at}: two messages of ${String(side)} in a row`)
    if (at === 0 && side !== 'user') refused.push(`begins with ${String(side)}`)
    if (message.role === 'assistant' && isEmpty(message)) refused.push(`${at}: empty`)
    before = side
  })
  return refused
}

function isEmpty({ content, tool_calls }: Fields): boolean {
  if (Array.isArray(tool_calls)) return tool_calls.length === 0 && content === undefined
  return content === undefined || (Array.isArray(content) && content.length === 0)
}

function refusedItems(items: readonly Fields[]): string[] {
  const refused: string[] = []
  const open = new Set<unknown>()
  items.forEach((item, at) => {
    if (item.type === 'function_call') open.add(item.call_id)
    if (item.type === 'function_call_output' && !open.delete(item.call_id))
      refused.push(`${at}: ${String(item.call_id)} answers no call`)
    const next = items[at + 1]
    const follows = next?.type === 'message' || next?.type === 'function_call'
    if (item.type === 'reasoning' && !follows) refused.push(`${at}: reasoning without what it led to`)
    if (item.role === 'user' && open.size > 0) refused.push(`${at}: ${[...open].join()} unanswered`)
    if (item.role === 'user' && next?.role === 'user') refused.push(`${at}: two messages of user in a row`)
  })
  return refused
}
