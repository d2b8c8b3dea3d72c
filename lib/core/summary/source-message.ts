import { isObject, type JsonObject, jsonText, numberOf, stringOf } from '../transcript/json'

/** A tool call with what it was asked to do. */
export type SourceCall = { readonly id: string; readonly name: string; readonly input: JsonObject }

/**
 * A message as summaries read it. Thinking and the `details` of tool results are not in it: neither may ever reach a
 * summary (M15).
 */
export type SourceMessage = {
  readonly entryId: string
  readonly line: number
  readonly role: 'user' | 'assistant' | 'toolResult' | 'summary' | 'other'
  readonly text: string
  readonly calls: readonly SourceCall[]
  /** Tool results: the call they answer, and their tool. */
  readonly resultFor?: string
  readonly toolName?: string
  readonly isError?: true
  /** Exit code of a command, where the runtime noted one. */
  readonly exitCode?: number
  readonly images: number
}

/** Types of blocks that are tool calls, as runtimes spell them. */
export const CALL_TYPES: ReadonlySet<string> = new Set([
  'toolCall',
  'toolUse',
  'functionCall',
  'tool_use',
  'tool_call',
  'function_call',
])
const RESULT_ID_FIELDS = ['toolCallId', 'toolUseId', 'tool_call_id', 'tool_use_id', 'callId', 'call_id']

/** Reads a parsed transcript entry; null when nothing of it reaches a model. */
export function sourceMessage(
  entry: JsonObject,
  place: { readonly entryId: string; readonly line: number },
): SourceMessage | null {
  const { type } = entry
  if (type === 'compaction' || type === 'branch_summary')
    return { ...place, role: 'summary', text: stringOf(entry.summary) ?? '', calls: [], images: 0 }
  if (type === 'custom_message') return { ...place, role: 'other', ...contentOf(entry.content) }
  if (type !== 'message' || !isObject(entry.message)) return null
  return messageOf(entry.message, place)
}

function messageOf(
  message: JsonObject,
  place: { readonly entryId: string; readonly line: number },
): SourceMessage | null {
  switch (message.role) {
    case 'user':
      return { ...place, role: 'user', ...contentOf(message.content) }
    case 'assistant':
      return { ...place, role: 'assistant', ...contentOf(message.content) }
    case 'toolResult': {
      const resultFor = RESULT_ID_FIELDS.map((field) => stringOf(message[field])).find(Boolean)
      const exitCode = isObject(message.details) ? numberOf(message.details.exitCode) : undefined
      return {
        ...place,
        role: 'toolResult',
        ...contentOf(message.content),
        ...(resultFor === undefined ? {} : { resultFor }),
        ...(stringOf(message.toolName) === undefined ? {} : { toolName: stringOf(message.toolName) }),
        ...(message.isError === true ? { isError: true as const } : {}),
        ...(exitCode === undefined ? {} : { exitCode }),
      }
    }
    case 'bashExecution': {
      if (message.excludeFromContext === true) return null
      const exitCode = numberOf(message.exitCode)
      return {
        ...place,
        role: 'toolResult',
        text: stringOf(message.output) ?? '',
        calls: [{ id: '', name: 'bash', input: { command: stringOf(message.command) ?? '' } }],
        toolName: 'bash',
        ...(exitCode === undefined ? {} : { exitCode }),
        ...(exitCode !== undefined && exitCode !== 0 ? { isError: true as const } : {}),
        images: 0,
      }
    }
    case 'compactionSummary':
    case 'branchSummary':
      return { ...place, role: 'summary', ...contentOf(message.summary ?? message.content) }
    default:
      return { ...place, role: 'other', ...contentOf(message.content) }
  }
}

function contentOf(content: unknown): Pick<SourceMessage, 'text' | 'calls' | 'images'> {
  if (typeof content === 'string') return { text: content, calls: [], images: 0 }
  if (!Array.isArray(content))
    return { text: isObject(content) ? jsonText(content) : '', calls: [], images: 0 }
  const texts: string[] = []
  const calls: SourceCall[] = []
  let images = 0
  for (const block of content) {
    if (typeof block === 'string') texts.push(block)
    else if (!isObject(block)) continue
    else if (block.type === 'text') texts.push(stringOf(block.text) ?? '')
    else if (block.type === 'image') images += 1
    else if (typeof block.type === 'string' && CALL_TYPES.has(block.type)) calls.push(callOf(block))
  }
  return { text: texts.join('\n'), calls, images }
}

/** A call with its arguments as an object. */
export function callOf(block: JsonObject): SourceCall {
  const input = block.arguments ?? block.input
  return {
    id: stringOf(block.id) ?? stringOf(block.call_id) ?? stringOf(block.callId) ?? '',
    name: stringOf(block.name) ?? '',
    input: isObject(input) ? input : typeof input === 'string' ? parsedInput(input) : {},
  }
}

/** Some runtimes keep arguments as JSON text, or as the text of a free-form tool. */
function parsedInput(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {
    // A free-form tool: its argument is the text itself.
  }
  return { input: text }
}
