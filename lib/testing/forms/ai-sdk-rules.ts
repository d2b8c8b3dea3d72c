import { convertToModelMessages, modelMessageSchema, safeValidateUIMessages, type UIMessage } from 'ai'
import { type Fields, listOf, type Rules } from './rules'

/** lib/docs/message-forms.md#ai-sdk */
export const modelMessageRules: Rules = (messages) => {
  const refused: string[] = []
  let open = new Set<unknown>()
  messages.forEach((message, at) => {
    const checked = modelMessageSchema.safeParse(message)
    if (!checked.success) refused.push(`${at}: ${checked.error.issues[0]?.message ?? 'no ModelMessage'}`)
    const { role, content } = message
    if (role === 'tool') {
      for (const part of listOf(content))
        if (part.type === 'tool-result' && !open.delete(part.toolCallId))
          refused.push(`pairs ${at}: ${String(part.toolCallId)} answers no call`)
      if (listOf(content).length === 0) refused.push(`${at}: empty`)
      return
    }
    if (open.size > 0) refused.push(`pairs ${at}: ${[...open].join()} has no result`)
    const calls = listOf(content).filter(
      ({ type, providerExecuted }) => type === 'tool-call' && !providerExecuted,
    )
    open = new Set(calls.map(({ toolCallId }) => toolCallId))
    if (Array.isArray(content) && content.length === 0) refused.push(`${at}: empty`)
    refused.push(...providerPairs(listOf(content), at))
  })
  if (open.size > 0) refused.push(`pairs: ${[...open].join()} has no result`)
  return refused
}

function providerPairs(content: readonly Fields[], at: number): string[] {
  const said = new Set(
    content.filter(({ type }) => type === 'tool-result').map(({ toolCallId }) => toolCallId),
  )
  const asked = content.filter(
    ({ type, providerExecuted }) => type === 'tool-call' && providerExecuted === true,
  )
  const isWhole = asked.length === said.size && asked.every(({ toolCallId }) => said.has(toolCallId))
  return isWhole ? [] : [`pairs ${at}: a tool of the provider without its half`]
}

/** UIMessages as the AI SDK checks them and makes messages for a model of them; then the rules of those. */
export async function uiMessageRules(messages: readonly Fields[]): Promise<string[]> {
  const checked = await safeValidateUIMessages({ messages: [...messages] })
  if (!checked.success) return [checked.error.message.slice(0, 400)]
  const ids = new Set(messages.map(({ id }) => id))
  const twice = ids.size < messages.length ? ['two messages have one id'] : []
  const converted = await convertToModelMessages(messages as unknown as UIMessage[])
  return [
    ...twice,
    ...modelMessageRules(
      converted.map((message) => ({ ...message })),
      [],
    ),
  ]
}
