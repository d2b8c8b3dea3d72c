import { isBlank, listOf, type Rules } from './rules'

const ROLES = new Set<unknown>(['user', 'assistant', 'toolResult', 'system'])

/** lib/docs/message-forms.md#pi */
export const piRules: Rules = (messages) => {
  const refused: string[] = []
  let open = new Set<unknown>()
  messages.forEach((message, at) => {
    const { role, content } = message
    if (!ROLES.has(role)) refused.push(`${at}: role ${String(role)}`)
    if (role === 'toolResult') {
      if (!open.delete(message.toolCallId))
        refused.push(`pairs ${at}: ${String(message.toolCallId)} answers no call`)
      if (!Array.isArray(content)) refused.push(`${at}: a result whose content is no list`)
      return
    }
    if (open.size > 0) refused.push(`pairs ${at}: ${[...open].join()} has no result`)
    const calls = listOf(content).filter(({ type }) => type === 'toolCall')
    open = new Set(calls.map(({ id }) => id))
    if (role === 'assistant' && !(Array.isArray(content) && content.length > 0)) refused.push(`${at}: empty`)
  })
  if (open.size > 0) refused.push(`pairs: ${[...open].join()} has no result`)
  return refused
}

/** Roles and texts as chat templates of local models take them: in turn, the user first. */
export const plainRules: Rules = (messages) =>
  messages.flatMap(({ role, content }, at) => [
    ...(role === 'user' || role === 'assistant' ? [] : [`${at}: role ${String(role)}`]),
    ...(isBlank(content) ? [`${at}: empty`] : []),
    ...(messages[at - 1]?.role === role ? [`${at}: two of ${String(role)} in a row`] : []),
    ...(at === 0 && role !== 'user' ? ['0: not of the user'] : []),
  ])
