import { type Fields, isAlike, isBlank, listOf, type Rules } from './rules'

const ID = /^[A-Za-z0-9_-]+$/

/** lib/docs/message-forms.md#anthropic-messages */
export const anthropicRules: Rules = (messages, original) => {
  const refused: string[] = []
  const turns = joined(messages)
  if (turns[0]?.role !== 'user') refused.push('0: the first message is not of the user')
  if (turns.at(-1)?.role === 'assistant') refused.push('an answer at the end')
  turns.forEach(({ role, content }, at) => {
    if (role !== 'user' && role !== 'assistant') refused.push(`${at}: role ${String(role)}`)
    if (content.length === 0) refused.push(`${at}: empty`)
    for (const block of content) {
      if (block.type === 'text' && isBlank(block.text)) refused.push(`${at}: empty text`)
      if (block.type === 'thinking' && isBlank(block.signature)) refused.push(`${at}: thinking is not signed`)
    }
    refused.push(...pairsAt(turns, at), ...serverPairs(content, at))
  })
  return [...refused, ...thinkingRefused(turns, original)]
}

type Turn = { readonly role: unknown; readonly content: readonly Fields[] }

/** As the API sees them: neighbours of one role are one message, a text is a block. */
function joined(messages: readonly Fields[]): Turn[] {
  const turns: Turn[] = []
  for (const { role, content } of messages) {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)
    const last = turns.at(-1)
    if (last !== undefined && last.role === role)
      turns[turns.length - 1] = { role, content: [...last.content, ...blocks] }
    else turns.push({ role, content: blocks })
  }
  return turns
}

function pairsAt(turns: readonly Turn[], at: number): string[] {
  const { role, content = [] } = turns[at] ?? {}
  const refused: string[] = []
  if (role === 'assistant') {
    const calls = content.filter(({ type }) => type === 'tool_use').map(({ id }) => String(id))
    for (const id of calls) if (!ID.test(id)) refused.push(`${at}: id ${id}`)
    if (new Set(calls).size < calls.length) refused.push(`pairs ${at}: one id for two calls`)
    const next = turns[at + 1]?.content ?? []
    const first = next.slice(0, calls.length)
    const answered = new Set(
      first.map(({ type, tool_use_id }) => (type === 'tool_result' ? tool_use_id : null)),
    )
    for (const id of calls)
      if (!answered.has(id)) refused.push(`pairs ${at}: ${id} has no result where it belongs`)
    return refused
  }
  const before = turns[at - 1]?.content ?? []
  const asked = new Set(before.filter(({ type }) => type === 'tool_use').map(({ id }) => id))
  for (const { type, tool_use_id } of content)
    if (type === 'tool_result' && !asked.delete(tool_use_id))
      refused.push(`pairs ${at}: ${String(tool_use_id)} answers no call`)
  return refused
}

function serverPairs(content: readonly Fields[], at: number): string[] {
  const asked = content.filter(({ type }) => type === 'server_tool_use').map(({ id }) => id)
  const said = content
    .filter(({ type }) => type === 'web_search_tool_result')
    .map((block) => block.tool_use_id)
  return isAlike(asked, said) ? [] : [`pairs ${at}: a tool of the provider without its half`]
}

const isThinking = ({ type }: Fields) => type === 'thinking' || type === 'redacted_thinking'

/** Thinking is kept as it was, or left out; where the last answer has calls, it is kept. */
function thinkingRefused(turns: readonly Turn[], original: readonly Fields[]): string[] {
  const own = original.flatMap(({ content }) => listOf(content).filter(isThinking))
  const refused = turns.flatMap(({ content }, at) =>
    content
      .filter(isThinking)
      .filter((block) => !own.some((one) => isAlike(one, block)))
      .map(() => `${at}: thinking was changed`),
  )
  const last = turns.findLast(({ role }) => role === 'assistant')?.content ?? []
  const call = last.find(({ type }) => type === 'tool_use')
  const before = original.find(({ content }) =>
    listOf(content).some(({ id }) => id !== undefined && id === call?.id),
  )
  const had = listOf(before?.content)[0]
  if (
    call !== undefined &&
    had !== undefined &&
    isThinking(had) &&
    !last.some((block) => isAlike(block, had))
  )
    refused.push('the thinking that led to the last calls is gone')
  return refused
}
