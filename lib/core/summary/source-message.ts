import {
  blockKind,
  callIdOf,
  callInputOf,
  callNameOf,
  resultContentOf,
  resultIdOf,
  textOfBlock,
} from '../transcript/blocks'
import { isObject, type JsonObject, jsonText, numberOf, stringOf } from '../transcript/json'

/** A tool call with what it was asked to do. */
export type SourceCall = { readonly id: string; readonly name: string; readonly input: JsonObject }

/**
 * A message as summaries read it. Thinking and the `details` of tool results are not in it: neither may ever reach a
 * summary.
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
  /** Blocks of which no text can be made: files, tools of the provider, and whatever is not known; absent for none. */
  readonly others?: number
}

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
      const resultFor = resultIdOf(message)
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

type Content = Pick<SourceMessage, 'text' | 'calls' | 'images' | 'others'>

function contentOf(content: unknown): Content {
  if (typeof content === 'string') return { text: content, calls: [], images: 0 }
  if (!Array.isArray(content))
    return { text: isObject(content) ? jsonText(content) : '', calls: [], images: 0 }
  const texts: string[] = []
  const calls: SourceCall[] = []
  let images = 0
  let others = 0
  for (const block of content) {
    const kind = blockKind(block)
    if (kind === 'text') texts.push(textOfBlock(block))
    else if (!isObject(block) || kind === 'thinking' || kind === 'aside') continue
    else if (kind === 'image') images += 1
    else if (kind === 'call') calls.push(callOf(block))
    else if (kind === 'result') {
      const within = contentOf(resultContentOf(block))
      texts.push(within.text)
      images += within.images
      others += within.others ?? 0
    } else others += 1
  }
  return { text: texts.join('\n'), calls, images, ...(others === 0 ? {} : { others }) }
}

/** A call with its arguments as an object. */
export function callOf(block: JsonObject): SourceCall {
  const input = callInputOf(block)
  return {
    id: callIdOf(block) ?? '',
    name: callNameOf(block),
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
