import { isObject, type JsonObject, stringOf } from './json'

/**
 * What a block of a message is, whatever the API calls it: the one place that knows the names. Read are pi and OpenClaw
 * with the aliases they accept, Anthropic Messages, OpenAI Chat Completions and Responses, and the AI SDK.
 *
 * `server`: a tool that the provider runs itself, its call or its result; it has no other result. `other`: anything
 * that is not known, and so can only be kept or left out as a whole.
 */
export type BlockKind = 'text' | 'thinking' | 'call' | 'result' | 'image' | 'file' | 'server' | 'other'

const KINDS: ReadonlyMap<string, BlockKind> = new Map<string, BlockKind>([
  ...named('text', ['text', 'input_text', 'output_text', 'summary_text', 'reasoning_text', 'refusal']),
  ...named('thinking', ['thinking', 'redacted_thinking', 'reasoning', 'redacted-reasoning']),
  ...named('call', [
    'toolCall',
    'toolUse',
    'functionCall',
    'tool_use',
    'tool_call',
    'function_call',
    'tool-call',
  ]),
  ...named('result', [
    'toolResult',
    'tool_result',
    'tool-result',
    'function_call_output',
    'functionResponse',
  ]),
  ...named('image', ['image', 'image_url', 'input_image', 'image-data', 'image-url']),
  ...named('file', [
    'file',
    'document',
    'input_file',
    'input_audio',
    'audio',
    'media',
    'file-data',
    'file-url',
  ]),
  ...named('server', ['server_tool_use', 'mcp_tool_use', 'mcp_tool_result']),
])

function named(kind: BlockKind, types: readonly string[]): [string, BlockKind][] {
  return types.map((type) => [type, kind])
}

/** What a block is; a bare text counts as a block of text. */
export function blockKind(block: unknown): BlockKind {
  if (typeof block === 'string') return 'text'
  if (!isObject(block) || typeof block.type !== 'string') return 'other'
  const { type } = block
  return KINDS.get(type) ?? rareKind(block, type)
}

/** Kinds that follow from more than the name. */
function rareKind(block: JsonObject, type: string): BlockKind {
  // Calls of Chat Completions, which are beside the content.
  if ((type === 'function' || type === 'custom') && isObject(block[type])) return 'call'
  // Responses items: what the caller must answer has a `call_id`, what the provider ran has none.
  if (type.endsWith('_call_output')) return 'result'
  if (type.endsWith('_call')) return typeof block.call_id === 'string' ? 'call' : 'server'
  // Anthropic's own tools: web_search_tool_result, code_execution_tool_result …
  if (type.endsWith('_tool_result')) return 'server'
  // A Responses message within a run of items.
  if (type === 'message' && Array.isArray(block.content)) return 'text'
  return 'other'
}

/** The text of a block of text. A Responses message among items is its texts, one a line. */
export function textOfBlock(block: unknown): string {
  if (typeof block === 'string') return block
  if (!isObject(block)) return ''
  if (Array.isArray(block.content))
    return block.content
      .filter((part) => blockKind(part) === 'text')
      .map(textOfBlock)
      .join('\n')
  return stringOf(block.text) ?? stringOf(block.refusal) ?? ''
}

/** What a model thought, as far as it can be read: encrypted thinking gives its bytes, by which it is sized. */
export function thinkingOfBlock(block: JsonObject): string {
  const plain =
    stringOf(block.thinking) ??
    stringOf(block.text) ??
    stringOf(block.data) ??
    stringOf(block.encrypted_content)
  if (plain !== undefined) return plain
  const parts = [block.summary, block.content].flatMap((list) => (Array.isArray(list) ? list : []))
  return parts.map(textOfBlock).join('\n')
}

/** Whether thinking was withheld by the provider. */
export function isRedacted(block: JsonObject): boolean {
  return block.redacted === true || block.type === 'redacted_thinking' || block.type === 'redacted-reasoning'
}

/** Where a call keeps name and arguments: in the block, or as Chat Completions do, one level down. */
function callBody(block: JsonObject): JsonObject {
  const { type } = block
  const inner = type === 'function' || type === 'custom' ? block[type] : undefined
  return isObject(inner) ? inner : block
}

/** The id that the result of a call names; undefined for a call without one. */
export function callIdOf(block: JsonObject): string | undefined {
  const own = stringOf(block.id)
  const asked = stringOf(block.call_id)
  // An item of Responses has its own id besides, which no result names.
  const isItem = typeof block.type === 'string' && block.type.endsWith('_call')
  const first = isItem ? (asked ?? own) : (own ?? asked)
  return first ?? stringOf(block.callId) ?? stringOf(block.toolCallId) ?? stringOf(block.toolUseId)
}

/**
 * The tool that is called; '' where the block does not say. Tools that an API names by the item's type alone keep it.
 */
export function callNameOf(block: JsonObject): string {
  const name = stringOf(callBody(block).name) ?? stringOf(block.toolName)
  if (name !== undefined) return name
  const { type } = block
  return typeof type === 'string' && type.endsWith('_call') && !KINDS.has(type)
    ? type.slice(0, -'_call'.length)
    : ''
}

/** Fields under which arguments are, in the order in which they are searched for. */
const INPUT_FIELDS = ['arguments', 'input', 'args', 'action', 'operation'] as const

/** Arguments of a call as they were written: an object, or a text; undefined when there are none. */
export function callInputOf(block: JsonObject): unknown {
  const body = callBody(block)
  for (const field of INPUT_FIELDS) if (body[field] !== undefined && body[field] !== null) return body[field]
  return undefined
}

/** The same call with other arguments, under whichever name it keeps them. */
export function withCallInput(block: JsonObject, input: unknown): JsonObject {
  const body = callBody(block)
  const field = INPUT_FIELDS.find((name) => body[name] !== undefined && body[name] !== null) ?? 'input'
  const changed: JsonObject = { ...body, [field]: input }
  return body === block ? changed : { ...block, [String(block.type)]: changed }
}

/** Names under which a result says which call it answers. */
const RESULT_IDS = ['toolCallId', 'toolUseId', 'tool_call_id', 'tool_use_id', 'callId', 'call_id'] as const

/** The call that a result answers, of a message or of a block; undefined when it does not say. */
export function resultIdOf(holder: JsonObject): string | undefined {
  for (const field of RESULT_IDS) {
    const id = stringOf(holder[field])
    if (id !== undefined) return id
  }
  return undefined
}

/** What a block of a result says: a text, blocks, or data. */
export function resultContentOf(block: JsonObject): unknown {
  const { output } = block
  // The AI SDK says of each output what it is.
  if (block.type === 'tool-result' && isObject(output) && 'value' in output) return output.value
  return block.content ?? output ?? block.result ?? block.response
}

/** Whether a result, as message or as block, says that its call failed. */
export function hasResultFailed(holder: JsonObject): boolean {
  const { output } = holder
  if (isObject(output) && typeof output.type === 'string' && output.type.startsWith('error-')) return true
  return holder.isError === true || holder.is_error === true
}

/**
 * Where an image or a file keeps its bytes, and of which type they are; '' for the bytes of one that only has an
 * address.
 */
export function mediaOf(block: JsonObject): { readonly mimeType: string; readonly base64: string } {
  const source = isObject(block.source) ? block.source : block
  const url = [block.image_url, block.image, block.data, block.url]
    .map(addressOf)
    .find((one) => one !== undefined)
  const inline = /^data:([^;,]+);base64,(.*)$/s.exec(url ?? '')
  if (inline !== null) return { mimeType: inline[1] ?? '', base64: inline[2] ?? '' }
  const mimeType = stringOf(source.mimeType) ?? stringOf(source.media_type) ?? stringOf(source.mediaType)
  const data = stringOf(source.data) ?? stringOf(source.image) ?? stringOf(source.file_data) ?? ''
  return { mimeType: mimeType ?? 'image/unknown', base64: /^https?:/.test(data) ? '' : data }
}

function addressOf(value: unknown): string | undefined {
  return stringOf(value) ?? (isObject(value) ? stringOf(value.url) : undefined)
}
