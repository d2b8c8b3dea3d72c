import { isObject, type JsonObject, stringOf } from '../../transcript/json'
import type { TranslatedEntry } from '../../transcript/reading/translated'
import { fileBlock } from './prompts'
import { usageOf } from './usage'

/** Parts of an answer that hold nothing of the conversation. */
const ASIDE: ReadonlySet<string> = new Set([
  'step-start',
  'step-finish',
  'snapshot',
  'patch',
  'retry',
  'agent',
])

/** The text in the place of the output of a tool that the client has cleared, and for one that never came. */
const CLEARED = '[Old tool result content cleared]'
const INTERRUPTED = '[Tool execution was interrupted]'

/**
 * Entries of an answer: a call for each step, each with what its tools answered. Nearly always a message is one step.
 */
export function answerEntries(info: JsonObject, parts: readonly JsonObject[]): TranslatedEntry[] {
  const steps = stepsOf(parts)
  const entries = steps.flatMap((step, i) => {
    const usage = step.finish === null ? (steps.length === 1 ? info : null) : step.finish
    return stepEntries(info, step, usage, i)
  })
  return [...entries, ...parts.flatMap(unknownPart)]
}

type Step = { readonly parts: readonly JsonObject[]; readonly finish: JsonObject | null }

/** Parts up to each `step-finish`, which says what the step used. */
function stepsOf(parts: readonly JsonObject[]): Step[] {
  const steps: Step[] = []
  let open: JsonObject[] = []
  for (const part of parts) {
    if (part.type === 'step-finish') {
      steps.push({ parts: open, finish: part })
      open = []
    } else open.push(part)
  }
  if (steps.length === 0 || open.some(isContent)) steps.push({ parts: open, finish: null })
  return steps
}

function stepEntries(
  info: JsonObject,
  { parts, finish }: Step,
  used: JsonObject | null,
  index: number,
): TranslatedEntry[] {
  const message = {
    role: 'assistant',
    content: parts.flatMap(blockOf),
    provider: info.providerID,
    model: info.modelID,
    usage: usageOf(used),
    responseId: stringOf(info.id) === undefined ? undefined : `${info.id}/${index}`,
    ...ending(info, finish, parts),
  }
  return [{ type: 'message', message }, ...parts.filter(isTool).map(resultEntry)]
}

function isContent({ type }: JsonObject): boolean {
  return type === 'text' || type === 'reasoning' || type === 'tool'
}

function isTool({ type }: JsonObject): boolean {
  return type === 'tool'
}

function blockOf(part: JsonObject): JsonObject[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: stringOf(part.text) ?? '' }]
    case 'reasoning':
      return [{ type: 'thinking', thinking: stringOf(part.text) ?? '' }]
    case 'tool':
      return [{ type: 'toolCall', id: part.callID, name: part.tool, arguments: stateOf(part).input ?? {} }]
    default:
      return []
  }
}

function stateOf({ state }: JsonObject): JsonObject {
  return isObject(state) ? state : {}
}

/** What a tool answered, as the next request has it. */
function resultEntry(part: JsonObject): TranslatedEntry {
  const state = stateOf(part)
  const result = { role: 'toolResult', toolCallId: part.callID, toolName: part.tool }
  if (state.status === 'completed')
    return { type: 'message', message: { ...result, content: outputOf(state) } }
  const metadata = isObject(state.metadata) ? state.metadata : {}
  const partial = metadata.interrupted === true ? stringOf(metadata.output) : undefined
  const error = state.status === 'error' ? (stringOf(state.error) ?? '') : INTERRUPTED
  return {
    type: 'message',
    message: { ...result, content: partial ?? error, isError: partial === undefined },
  }
}

function outputOf(state: JsonObject): unknown {
  if (isObject(state.time) && typeof state.time.compacted === 'number') return CLEARED
  const text = stringOf(state.output) ?? ''
  const files = Array.isArray(state.attachments) ? state.attachments.filter(isObject) : []
  return files.length === 0
    ? text
    : [{ type: 'text', text }, ...files.map(({ url, mime }) => fileBlock(url, mime))]
}

const STOP_REASONS: ReadonlyMap<string, string> = new Map([
  ['stop', 'stop'],
  ['tool-calls', 'toolUse'],
  ['length', 'length'],
  ['content-filter', 'refusal'],
])

/** How an answer ended. One that failed is not sent again; one that was stopped is, as far as it came. */
function ending(info: JsonObject, finish: JsonObject | null, parts: readonly JsonObject[]): JsonObject {
  const error = isObject(info.error) ? info.error : null
  if (error === null) return { stopReason: STOP_REASONS.get(stringOf(finish?.reason ?? info.finish) ?? '') }
  const data = isObject(error.data) ? error.data : {}
  const errorMessage = stringOf(data.message) ?? stringOf(error.name) ?? 'error'
  const isKept =
    error.name === 'MessageAbortedError' && parts.some(({ type }) => type === 'text' || type === 'tool')
  return { errorMessage, ...(!isKept && { stopReason: 'error' }) }
}

/** A kind of part that is not known is kept, and counted. */
function unknownPart(part: JsonObject): TranslatedEntry[] {
  const type = stringOf(part.type) ?? '(none)'
  return isContent(part) || ASIDE.has(type) || type === 'file'
    ? []
    : [{ type: `part ${type}`, appendMode: 'side' }]
}
