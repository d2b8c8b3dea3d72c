import { isObject, type JsonObject, jsonText, stringOf } from '../../core/transcript/json'

/** A message of LangChain, as far as it is read here. */
type LangChainMessage = {
  readonly content?: unknown
  readonly id?: unknown
  readonly name?: unknown
  readonly tool_calls?: unknown
  readonly tool_call_id?: unknown
  readonly status?: unknown
  readonly usage_metadata?: unknown
  getType(): string
}

/** Whether it is an object of a message class of LangChain. */
export function isLangChain(message: object): boolean {
  return typeof (message as { readonly getType?: unknown }).getType === 'function' && 'content' in message
}

/** A message as the AI SDK has them, which is how those of LangChain are read. */
type Read = { readonly role: string; readonly content: unknown }

/** Reads messages of LangChain, each once, and finds them again. */
export class LangChainMessages {
  private readonly views = new WeakMap<object, object>()
  private readonly origins = new WeakMap<object, object>()
  /** The newest answer whose usage was taken. */
  private counted: object | null = null

  read(message: object): object {
    const known = this.views.get(message)
    if (known !== undefined) return known
    // Some put a message in front that has only a role and a text: it is its own view.
    const view = isLangChain(message) ? viewOf(message as LangChainMessage) : message
    this.views.set(message, view)
    this.origins.set(view, message)
    return view
  }

  /** What the newest answer says that its request took, once; null where it says nothing. */
  newUsage(messages: readonly object[]): unknown {
    const answer = messages.findLast((message) => isLangChain(message) && typeOf(message) === 'ai')
    if (answer === undefined || answer === this.counted) return null
    this.counted = answer
    const { usage_metadata: usage } = answer as LangChainMessage
    return isObject(usage) ? usage : null
  }

  /**
   * The message of LangChain behind one that is sent: the same object, or where something was done to it, one of the same
   * class.
   */
  made(message: object, given: readonly object[]): object {
    const origin = this.origins.get(message)
    if (origin !== undefined) return origin
    const { role, content } = message as Read
    if (role === 'assistant') return answerLike(message as Read, given)
    if (role !== 'tool') return like(given, 'human', { content: textIn(content) })
    const result = Array.isArray(content) ? content.find(isObject) : undefined
    const id = stringOf(result?.toolCallId)
    const before = given.find((one) => (one as LangChainMessage).tool_call_id === id)
    const fields = { content: outputText(result?.output), tool_call_id: id, name: stringOf(result?.toolName) }
    return before === undefined ? like(given, 'tool', fields) : copyOf(before, fields)
  }

  systemLike(given: readonly object[], text: string): object {
    return like(given, 'system', { content: text })
  }
}

function typeOf(message: object): string {
  return (message as LangChainMessage).getType()
}

const ROLES: { readonly [type: string]: string } = {
  human: 'user',
  ai: 'assistant',
  tool: 'tool',
  function: 'tool',
  system: 'system',
  developer: 'system',
}

function viewOf(message: LangChainMessage): Read {
  const role = ROLES[message.getType()] ?? 'user'
  const { content } = message
  if (role === 'system') return { role, content: textIn(content) }
  if (role === 'tool') {
    const type = message.status === 'error' ? 'error-text' : 'text'
    const output = { type, value: textIn(content) }
    const [toolCallId, toolName] = [stringOf(message.tool_call_id) ?? '', stringOf(message.name) ?? 'tool']
    return { role, content: [{ type: 'tool-result', toolCallId, toolName, output }, ...mediaOf(content)] }
  }
  const parts = typeof content === 'string' ? textPart(content) : blocksOf(content).flatMap(partOf)
  if (role === 'user') return { role, content: parts }
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isObject) : []
  return { role, content: [...parts, ...calls.map(callPart)] }
}

function callPart({ id, name, args }: JsonObject): object {
  return {
    type: 'tool-call',
    toolCallId: stringOf(id) ?? '',
    toolName: stringOf(name) ?? '',
    input: args ?? {},
  }
}

function blocksOf(content: unknown): readonly unknown[] {
  return Array.isArray(content) ? content : []
}

function textPart(text: string): object[] {
  return text === '' ? [] : [{ type: 'text', text }]
}

/** Blocks that say again what `tool_calls` says. */
const CALLS: ReadonlySet<unknown> = new Set(['tool_use', 'tool_call', 'input_json_delta', 'functionCall'])

/** A block of a content, of any provider's integration; what is not known is counted by its text. */
function partOf(block: unknown): object[] {
  if (typeof block === 'string') return textPart(block)
  if (!isObject(block) || CALLS.has(block.type)) return []
  const { type } = block
  if (typeof block.text === 'string' && (type === 'text' || type === undefined)) return textPart(block.text)
  const thought = block.thinking ?? block.reasoning
  if (typeof thought === 'string') return [{ type: 'reasoning', text: thought }]
  const media = mediaPart(block)
  return media === null ? textPart(jsonText(block)) : [media]
}

function mediaOf(content: unknown): object[] {
  return blocksOf(content).flatMap((block) => (isObject(block) ? (mediaPart(block) ?? []) : []))
}

function mediaPart(block: JsonObject): object | null {
  const { type, image_url: link, source, data, url, mimeType, mime_type } = block
  const address = isObject(link) ? link.url : link
  const inner: JsonObject = isObject(source) ? source : {}
  const mediaType = stringOf(mimeType) ?? stringOf(mime_type) ?? stringOf(inner.media_type)
  const bytes = data ?? inner.data ?? address ?? url ?? inner.url
  if (bytes === undefined) return null
  if (type === 'image' || type === 'image_url')
    return { type: 'image', image: bytes, ...(mediaType === undefined ? {} : { mediaType }) }
  const isFile = type === 'file' || type === 'audio' || type === 'video' || type === 'document'
  return isFile ? { type: 'file', data: bytes, mediaType: mediaType ?? 'application/octet-stream' } : null
}

/** The texts of a content. */
function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  return blocksOf(content)
    .flatMap((block) =>
      typeof block === 'string' ? block : isObject(block) && typeof block.text === 'string' ? block.text : [],
    )
    .join('\n')
}

function outputText(output: unknown): string {
  const value = isObject(output) && 'value' in output ? output.value : output
  return typeof value === 'string' ? value : jsonText(value)
}

/** An answer of which calls were taken out, or thinking: known by the calls that are left. */
function answerLike({ content }: Read, given: readonly object[]): object {
  const parts = blocksOf(content).filter(isObject)
  const calls = parts.filter(({ type }) => type === 'tool-call')
  const ids = new Set(calls.map(({ toolCallId }) => toolCallId))
  const text = typeof content === 'string' ? content : textIn(parts.filter(({ type }) => type === 'text'))
  const callsOf = (message: object) => blocksOf((message as LangChainMessage).tool_calls).filter(isObject)
  const before = given.find((message) => callsOf(message).some(({ id }) => ids.has(id)))
  if (before === undefined) return like(given, 'ai', { content: text })
  return copyOf(before, { content: text, tool_calls: callsOf(before).filter(({ id }) => ids.has(id)) })
}

/** A copy with other fields, of the same class, without what said it all once more for one provider. */
function copyOf(message: object, fields: object): object {
  const { id, name, status, tool_call_id } = message as LangChainMessage
  return build(message, { id, name, status, tool_call_id, ...fields })
}

/** A message of a kind, of the class that the caller's own messages have; where there is none, one that LangChain reads. */
function like(given: readonly object[], type: string, fields: object): object {
  const example = given.find((message) => isLangChain(message) && typeOf(message) === type)
  return example === undefined ? { role: type, ...fields } : build(example, fields)
}

function build(example: object, fields: object): object {
  const known = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const Made = example.constructor as new (fields: object) => object
  return new Made(known)
}
