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
  if (type === 'custom_message') return withContent(place, 'other', entry.content)
  if (type !== 'message' || !isObject(entry.message)) return null
  return messageSource(entry.message, place)
}

/**
 * Reads a message; null when nothing of it reaches a model.
 * @param answered the call that a result answers, where that is known otherwise
 */
export function messageSource(
  message: JsonObject,
  place: { readonly entryId: string; readonly line: number },
  answered?: string,
): SourceMessage | null {
  switch (message.role) {
    case 'user':
    case 'assistant':
      return withContent(place, message.role, message.content)
    case 'toolResult': {
      const source = withContent(place, 'toolResult', message.content)
      const resultFor = answered ?? resultIdOf(message)
      const toolName = stringOf(message.toolName)
      const exitCode = isObject(message.details) ? numberOf(message.details.exitCode) : undefined
      if (resultFor !== undefined) source.resultFor = resultFor
      if (toolName !== undefined) source.toolName = toolName
      if (message.isError === true) source.isError = true
      if (exitCode !== undefined) source.exitCode = exitCode
      return source
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
      return withContent(place, 'summary', message.summary ?? message.content)
    default:
      return withContent(place, 'other', message.content)
  }
}

/** While it is read. */
type ReadMessage = { -readonly [F in keyof SourceMessage]: SourceMessage[F] }

/** A message with what its content says; made in one piece, since a compaction reads thousands. */
function withContent(
  { entryId, line }: { readonly entryId: string; readonly line: number },
  role: SourceMessage['role'],
  content: unknown,
): ReadMessage {
  if (typeof content === 'string') return { entryId, line, role, text: content, calls: NO_CALLS, images: 0 }
  const reader = new ContentReader()
  reader.read(content)
  const { text, calls, images, others } = reader
  return others === 0
    ? { entryId, line, role, text, calls, images }
    : { entryId, line, role, text, calls, images, others }
}

const NO_CALLS: readonly SourceCall[] = []

/** Gathers what is said in blocks, and in the blocks of results among them. */
class ContentReader {
  images = 0
  others = 0
  /** The only text; null: there is none, or there are several. */
  private only: string | null = null
  private several: string[] | null = null
  private made: SourceCall[] | null = null

  /** All that is said, each text on its own line. */
  get text(): string {
    return this.several === null ? (this.only ?? '') : this.several.join('\n')
  }

  get calls(): readonly SourceCall[] {
    return this.made ?? NO_CALLS
  }

  read(content: unknown): void {
    if (typeof content === 'string') this.add(content)
    else if (Array.isArray(content)) for (let at = 0; at < content.length; at++) this.readBlock(content[at])
    else if (isObject(content)) this.add(jsonText(content))
  }

  /** Most messages say one text, or make one call: no list is begun for it. */
  private add(text: string): void {
    if (this.several !== null) this.several.push(text)
    else if (this.only === null) this.only = text
    else this.several = [this.only, text]
  }

  private readBlock(block: unknown): void {
    const kind = blockKind(block)
    if (kind === 'text') this.add(textOfBlock(block))
    else if (!isObject(block) || kind === 'thinking' || kind === 'aside') return
    else if (kind === 'image') this.images += 1
    else if (kind === 'call') this.addCall(callOf(block))
    else if (kind === 'result') this.readResult(block)
    else this.others += 1
  }

  private addCall(call: SourceCall): void {
    if (this.made === null) this.made = [call]
    else this.made.push(call)
  }

  /** Calls inside a result belong to the result. */
  private readResult(block: JsonObject): void {
    const within = new ContentReader()
    within.read(resultContentOf(block))
    this.add(within.text)
    this.images += within.images
    this.others += within.others
  }
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
