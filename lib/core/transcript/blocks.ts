import { isObject, type JsonObject, jsonText, stringOf } from './json'

/**
 * What a block of a message is, whatever the API calls it: the one place that knows the names. Read are pi and OpenClaw
 * with the aliases they accept, Anthropic Messages, OpenAI Chat Completions and Responses, and the AI SDK. Which form
 * has which names is in `core/forms`.
 *
 * `server`: a tool that the provider runs itself, its call or its result; it has no other result. `aside`: kept for the
 * application, never sent to a model. `other`: anything else, which can only be kept or left out as a whole.
 */
export type BlockKind =
  | 'text'
  | 'thinking'
  | 'call'
  | 'result'
  | 'image'
  | 'file'
  | 'server'
  | 'aside'
  | 'other'

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
    // What the user or the application must answer counts as a call, so that neither half is ever left alone.
    'tool-approval-request',
    'mcp_approval_request',
    'program',
  ]),
  ...named('result', [
    'toolResult',
    'tool_result',
    'tool-result',
    'function_call_output',
    'functionResponse',
    'tool-approval-response',
    'mcp_approval_response',
    'program_output',
  ]),
  ...named('image', ['image', 'image_url', 'input_image', 'image-data', 'image-url', 'computer_screenshot']),
  ...named('file', [
    'file',
    'document',
    'input_file',
    'input_audio',
    'audio',
    'media',
    'file-data',
    'file-url',
    'reasoning-file',
  ]),
  ...named('server', ['server_tool_use', 'mcp_tool_use', 'mcp_tool_result']),
  ...named('aside', ['step-start', 'source-url', 'source-document']),
])

function named(kind: BlockKind, types: readonly string[]): [string, BlockKind][] {
  return types.map((type) => [type, kind])
}

/** What a block is; a bare text counts as a block of text. */
export function blockKind(block: unknown): BlockKind {
  if (typeof block === 'string') return 'text'
  if (!isObject(block) || typeof block.type !== 'string') return 'other'
  const { type } = block
  // An AI SDK tool may have any name, `call` as well.
  if (isUiTool(block)) return block.providerExecuted === true ? 'server' : 'call'
  const kind = KINDS.get(type)
  return (kind === 'file' && isPicture(block) ? 'image' : kind) ?? rareKind(block, type)
}

/** A part of an AI SDK UIMessage that holds a call and, once there is one, its result. */
export function isUiTool(block: JsonObject): boolean {
  const { type, state, toolCallId } = block
  if (typeof state !== 'string' || typeof toolCallId !== 'string' || typeof type !== 'string') return false
  return type === 'dynamic-tool' || type.startsWith('tool-')
}

/** The AI SDK sends pictures as files of that type. */
function isPicture({ mediaType }: JsonObject): boolean {
  return typeof mediaType === 'string' && mediaType.startsWith('image')
}

/** Kinds that follow from more than the name. */
function rareKind(block: JsonObject, type: string): BlockKind {
  // Calls of Chat Completions, which are beside the content.
  if ((type === 'function' || type === 'custom') && isObject(block[type])) return 'call'
  // Responses items: what the caller must answer has a `call_id`, what the provider ran has none.
  if (type.endsWith('_call_output')) return 'result'
  const isOurs = typeof block.call_id === 'string' && block.execution !== 'server'
  if (type.endsWith('_call')) return isOurs ? 'call' : 'server'
  if (type === 'tool_search_output') return isOurs ? 'result' : 'server'
  // Anthropic's own tools: web_search_tool_result, code_execution_tool_result …
  if (type.endsWith('_tool_result')) return 'server'
  if (type.startsWith('data-')) return 'aside'
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

/** What a model thought, as far as it can be read; of encrypted thinking its summary, else its bytes. */
export function thinkingOfBlock(block: JsonObject): string {
  const plain = stringOf(block.thinking) ?? stringOf(block.text) ?? stringOf(block.data)
  if (plain !== undefined) return plain
  const parts = [block.summary, block.content].flatMap((list) => (Array.isArray(list) ? list : []))
  return parts.map(textOfBlock).join('\n') || (stringOf(block.encrypted_content) ?? '')
}

/** Encrypted thinking, which is what is sent again whatever summary is beside it; null: there is none. */
export function encryptedThinking(block: JsonObject): string | null {
  return stringOf(block.encrypted_content) || null
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
  if (block.type === 'tool-approval-request') return stringOf(block.approvalId)
  const own = stringOf(block.id)
  const asked = stringOf(block.call_id)
  // An item of Responses has its own id besides, which no result names.
  const isItem = typeof block.type === 'string' && /_call$|^program$/.test(block.type)
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
  if (typeof type !== 'string') return ''
  // The type of a dynamic tool names none.
  if (isUiTool(block)) return type === 'dynamic-tool' ? '' : type.slice('tool-'.length)
  return type.endsWith('_call') && !KINDS.has(type) ? type.slice(0, -'_call'.length) : ''
}

/** Fields under which arguments are, in the order in which they are searched for. */
const INPUT_FIELDS = ['arguments', 'input', 'args', 'action', 'operation'] as const

/** Arguments of a call as they were written: an object, or a text; undefined when there are none. */
export function callInputOf(block: JsonObject): unknown {
  const body = callBody(block)
  for (let at = 0; at < INPUT_FIELDS.length; at++) {
    const input = body[INPUT_FIELDS[at] as string]
    if (input !== undefined && input !== null) return input
  }
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
const RESULT_IDS = [
  'toolCallId',
  'toolUseId',
  'tool_call_id',
  'tool_use_id',
  'callId',
  'call_id',
  'approvalId',
  'approval_request_id',
] as const

/** The call that a result answers, of a message or of a block; undefined when it does not say. */
export function resultIdOf(holder: JsonObject): string | undefined {
  for (let at = 0; at < RESULT_IDS.length; at++) {
    const id = stringOf(holder[RESULT_IDS[at] as string])
    if (id !== undefined) return id
  }
  // The SDK's type of this one item has no other id.
  return holder.type === 'local_shell_call_output' ? stringOf(holder.id) : undefined
}

/** What a block of a result says: a text, blocks, or data. */
export function resultContentOf(block: JsonObject): unknown {
  const { output } = block
  if (isUiTool(block)) return uiOutput(block)
  // The AI SDK says of each output what it is; what is not made of blocks is sent as JSON.
  if (block.type === 'tool-result' && isObject(output) && 'value' in output)
    return output.type === 'content' || typeof output.value === 'string'
      ? output.value
      : jsonText(output.value)
  // What a screen shows is one block.
  if (block.type === 'computer_call_output' && isObject(output)) return [output]
  return block.content ?? output ?? block.result ?? block.response
}

/** What a tool of a UIMessage has said, as a model gets it; undefined while it has not. */
function uiOutput({ state, output, errorText, approval }: JsonObject): string | undefined {
  if (state === 'output-error') return stringOf(errorText) ?? ''
  if (state === 'output-denied') return (isObject(approval) ? stringOf(approval.reason) : undefined) ?? ''
  if (state !== 'output-available') return undefined
  return typeof output === 'string' ? output : jsonText(output)
}

/** Whether a result, as message or as block, says that its call failed. */
export function hasResultFailed(holder: JsonObject): boolean {
  const { output } = holder
  if (holder.state === 'output-error' || holder.state === 'output-denied') return isUiTool(holder)
  if (isObject(output) && typeof output.type === 'string' && output.type.startsWith('error-')) return true
  return holder.isError === true || holder.is_error === true
}
