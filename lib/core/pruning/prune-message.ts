import { isFailedResult } from '../summary/failures'
import { isShell, type Touch, touchesOf } from '../summary/file-ledger'
import { callOf, type SourceCall, type SourceMessage, sourceMessage } from '../summary/source-message'
import { blockKind, callInputOf } from '../transcript/blocks'
import { isObject, type JsonObject, jsonText } from '../transcript/json'
import type { Tokens } from '../units/units'
import { shortKey } from '../words/short-key'
import { clearedArguments, isCleared } from './cleared-arguments'
import {
  argumentChars,
  blockText,
  IMAGE_MARKER,
  isImageBlock,
  messageChars,
  weighedChars,
} from './pruner-chars'

/** What a call did to a file; `range` is '' for all of it. */
export type PruneTouch = Touch & { readonly range: string }

/** A call as pruning sees it. */
export type PruneCall = {
  readonly id: string
  readonly name: string
  /** The same for calls of one tool in the same words; '' where that cannot be said any more. */
  readonly key: string
  readonly touches: readonly PruneTouch[]
  /** Characters of its arguments, and of what is left of them once their long texts are cleared. */
  readonly chars: number
  readonly clearedChars: number
}

/** A message as pruning sees it. Read once; plans are made of it again and again. */
export type PruneMessage = {
  readonly entryId: string
  readonly role: 'user' | 'assistant' | 'toolResult' | 'summary' | 'other'
  readonly tokens: Tokens
  /** Milliseconds since the epoch; null when unknown. */
  readonly at: number | null
  readonly important: boolean
  readonly calls: readonly PruneCall[]
  readonly resultFor?: string
  /** Tool of a result; '' when it is not said. */
  readonly toolName: string
  readonly failed: boolean
  /** As OpenClaw's pruner weighs it. */
  readonly chars: number
  /** Texts of a result, a marker for each image; empty for other messages. */
  readonly parts: readonly string[]
  readonly images: number
  /** Its parts weigh as many characters as they have. */
  readonly plain: boolean
}

/** What is known of a message besides its content. */
export type PruneMessageFacts = Pick<PruneMessage, 'entryId' | 'tokens' | 'at'> & {
  /** The runtime's own mark. */
  readonly important?: boolean
}

/** Reads a message as pi and OpenClaw keep it. Shell output of the operator's own is no tool result. */
export function pruneMessage(message: JsonObject, facts: PruneMessageFacts): PruneMessage {
  const source = sourceMessage({ type: 'message', message }, { entryId: facts.entryId, line: 0 })
  const isResult = message.role === 'toolResult'
  const parts = isResult ? partsOf(message.content) : []
  const role = message.role === 'bashExecution' ? 'other' : (source?.role ?? 'other')
  return {
    entryId: facts.entryId,
    role,
    tokens: facts.tokens,
    at: facts.at,
    important: facts.important === true,
    calls: role === 'assistant' ? callsOf(message.content) : [],
    ...(source?.resultFor === undefined ? {} : { resultFor: source.resultFor }),
    toolName: isResult ? (source?.toolName ?? '') : '',
    failed: isResult && source !== null && isFailedResult(source),
    chars: messageChars(message),
    parts,
    images: isResult && Array.isArray(message.content) ? message.content.filter(isImageBlock).length : 0,
    plain: parts.every((part) => weighedChars(part) === part.length),
  }
}

/** Texts of a result in their order, a marker where an image is. */
export function partsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content]
  if (!Array.isArray(content)) return []
  return content.flatMap((block) => blockText(block) ?? (isImageBlock(block) ? IMAGE_MARKER : []))
}

/** The same of a message of which only what summaries read is known, as live agents keep theirs. */
export function pruneSource(source: SourceMessage, facts: PruneMessageFacts): PruneMessage {
  const isResult = source.role === 'toolResult'
  const calls = source.role === 'assistant' ? source.calls.map((call) => pruneCall(call, call.input)) : []
  const chars = weighedChars(source.text)
  return {
    ...facts,
    role: source.role,
    important: facts.important === true,
    calls,
    ...(source.resultFor === undefined ? {} : { resultFor: source.resultFor }),
    toolName: source.toolName ?? '',
    failed: isResult && isFailedResult(source),
    chars: chars + calls.reduce((sum, call) => sum + call.chars, 0),
    parts: isResult ? [source.text] : [],
    images: isResult ? source.images : 0,
    plain: chars === source.text.length,
  }
}

function callsOf(content: unknown): PruneCall[] {
  if (!Array.isArray(content)) return []
  return content.flatMap((block) => (isCallBlock(block) ? pruneCall(callOf(block), callInputOf(block)) : []))
}

export function isCallBlock(block: unknown): block is JsonObject {
  return isObject(block) && blockKind(block) === 'call'
}

/** What pruning sees of a call. @param own its arguments as they were written */
export function pruneCall(call: SourceCall, own: unknown): PruneCall {
  const text = canonical(call.input)
  return {
    id: call.id,
    name: call.name,
    key: isCleared(text) ? '' : shortKey(`${call.name.toLowerCase()} ${text}`),
    touches: pruneTouches(call),
    chars: argumentChars(own),
    clearedChars: argumentChars(clearedArguments(own)),
  }
}

const RANGE_FIELDS = [
  ...['offset', 'limit', 'view_range', 'viewRange', 'range', 'lines', 'head', 'tail'],
  ...['start_line', 'end_line', 'startLine', 'endLine', 'start', 'end', 'page', 'pages'],
]

function pruneTouches(call: SourceCall): PruneTouch[] {
  const range = RANGE_FIELDS.flatMap((field) =>
    call.input[field] == null ? [] : `${field}=${jsonText(call.input[field])}`,
  ).join(' ')
  // What a shell writes may be appended; only what it removes is certain.
  const certain = isShell(call.name) ? 'delete' : null
  return touchesOf(call)
    .filter(({ how }) => certain === null || how === certain)
    .map(({ path, how }) => ({
      path: path.replace(/^(\.\/+)+/, ''),
      how,
      range: how === 'read' ? range : '',
    }))
}

/** Deeper arguments are distinguished by their depth alone; no tool nests them so. */
const MAX_DEPTH = 60

/** JSON with its keys in order. */
function canonical(value: unknown, depth = 0): string {
  if (depth === MAX_DEPTH) return '…'
  if (Array.isArray(value)) return `[${value.map((part) => canonical(part, depth + 1)).join()}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'null'
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key], depth + 1)}`).join()}}`
}
