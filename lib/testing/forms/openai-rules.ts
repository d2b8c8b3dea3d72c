import { type Fields, isBlank, listOf, type Rules } from './rules'

const ROLES = new Set<unknown>(['system', 'developer', 'user', 'assistant', 'tool', 'function'])

/** lib/docs/message-forms.md#openai-chat-completions */
export const chatRules: Rules = (messages) => {
  const refused: string[] = []
  let open = new Set<unknown>()
  messages.forEach((message, at) => {
    const { role, content, tool_calls: calls } = message
    if (!ROLES.has(role)) refused.push(`${at}: role ${String(role)}`)
    if (role === 'tool') {
      if (!open.delete(message.tool_call_id))
        refused.push(`pairs ${at}: ${String(message.tool_call_id)} answers no call`)
      if (content === null || content === undefined) refused.push(`${at}: a result without content`)
      return
    }
    if (open.size > 0) refused.push(`pairs ${at}: ${[...open].join()} has no result`)
    open = new Set(listOf(calls).map(({ id }) => id))
    if (Array.isArray(calls) && calls.length === 0) refused.push(`${at}: tool_calls is empty`)
    const isBare =
      content === null || content === undefined || (Array.isArray(content) && content.length === 0)
    const mayBeBare = role === 'assistant' && (open.size > 0 || !isBlank(message.refusal))
    if (isBare && !mayBeBare) refused.push(`${at}: no content`)
    for (const part of listOf(content))
      if (part.type === 'text' && typeof part.text !== 'string') refused.push(`${at}: text`)
  })
  if (open.size > 0) refused.push(`pairs: ${[...open].join()} has no result`)
  return refused
}

/** Calls by their type, and what answers each. */
const OUTPUTS: { readonly [type: string]: string } = {
  function_call: 'function_call_output',
  custom_tool_call: 'custom_tool_call_output',
  shell_call: 'shell_call_output',
}
const OUTPUT_TYPES = new Set(Object.values(OUTPUTS))

/** lib/docs/message-forms.md#openai-responses */
export const responsesRules: Rules = (items, original) => {
  const refused: string[] = []
  const open = new Map<unknown, string>()
  const led = ledByReasoning(original)
  const present = new Set(items.flatMap(({ type, id }) => (type === 'reasoning' ? [id] : [])))
  items.forEach((item, at) => {
    const { type, call_id: callId, id } = item
    const output = OUTPUTS[String(type)]
    if (output !== undefined) {
      if (open.has(callId)) refused.push(`pairs ${at}: ${String(callId)} is called twice`)
      open.set(callId, output)
    }
    if (OUTPUT_TYPES.has(String(type))) {
      if (open.get(callId) !== type)
        refused.push(`pairs ${at}: ${String(callId)} answers no call of its type`)
      open.delete(callId)
      refused.push(...outputRefused(item, at))
    }
    if (type === 'reasoning' && !isOutputItem(items[at + 1]))
      refused.push(`${at}: reasoning that led to nothing`)
    const needs = typeof id === 'string' ? led.get(id) : undefined
    if (needs !== undefined && !present.has(needs)) refused.push(`${at}: ${String(id)} without its reasoning`)
    if (type === undefined || type === 'message') refused.push(...messageRefused(item, at))
  })
  for (const id of open.keys()) refused.push(`pairs: ${String(id)} has no output`)
  return refused
}

/** Ids of items that came behind reasoning in the same answer, with the id of the reasoning. */
function ledByReasoning(items: readonly Fields[]): ReadonlyMap<string, unknown> {
  const led = new Map<string, unknown>()
  let reasoning: unknown
  for (const item of items) {
    if (item.type === 'reasoning') reasoning = item.id
    else if (!isOutputItem(item)) reasoning = undefined
    else if (reasoning !== undefined && typeof item.id === 'string') led.set(item.id, reasoning)
  }
  return led
}

/** Whether the model has made the item. */
function isOutputItem(item: Fields | undefined): boolean {
  if (item === undefined) return false
  if (item.type === 'message') return item.role === 'assistant'
  return item.type === 'reasoning' || /_call$/.test(String(item.type))
}

function outputRefused({ type, output }: Fields, at: number): string[] {
  if (type === 'shell_call_output') {
    const isRight = listOf(output).every(
      (one) =>
        typeof one.stdout === 'string' && typeof one.stderr === 'string' && typeof one.outcome === 'object',
    )
    return Array.isArray(output) && isRight ? [] : [`${at}: what a shell said is no list of streams`]
  }
  if (typeof output === 'string') return []
  const isRight = listOf(output).every((part) => /^input_(text|image|file)$/.test(String(part.type)))
  return Array.isArray(output) && isRight ? [] : [`${at}: output`]
}

function messageRefused({ role, content }: Fields, at: number): string[] {
  if (typeof content === 'string') return []
  const allowed = role === 'assistant' ? /^(output_text|refusal)$/ : /^input_(text|image|file)$/
  const wrong = listOf(content).filter(({ type }) => !allowed.test(String(type)))
  return Array.isArray(content) && wrong.length === 0
    ? []
    : [`${at}: ${String(wrong[0]?.type)} for ${String(role)}`]
}
