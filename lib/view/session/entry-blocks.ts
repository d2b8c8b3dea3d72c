import { savedOutputName } from '../../core/sources/claude-code/saved-output'
import {
  blockKind,
  callIdOf,
  callInputOf,
  callNameOf,
  isRedacted,
  resultContentOf,
  textOfBlock,
  thinkingOfBlock,
} from '../../core/transcript/blocks'
import { isObject, type JsonObject, stringOf } from '../../core/transcript/json'
import { mediaOf } from '../../core/transcript/media-block'
import type { Bytes } from '../../core/units/units'

/** One part of an entry as the transcript shows it, with its whole text. */
export type EntryBlock =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string; readonly redacted: boolean }
  | { readonly kind: 'call'; readonly name: string; readonly id: string | null; readonly text: string }
  /** `saved`: the file beside the transcript that has the whole of it, of which `text` is the beginning. */
  | { readonly kind: 'output'; readonly text: string; readonly saved?: string }
  | { readonly kind: 'image'; readonly mimeType: string; readonly bytes: Bytes }
  /** Anything else, as JSON text under a name. */
  | { readonly kind: 'data'; readonly name: string; readonly text: string }

/**
 * Takes the line of an entry apart for reading. Never throws: what it does not know it shows as data, and a line that
 * is not a JSON object as its text.
 */
export function entryBlocks(line: string): EntryBlock[] {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return [{ kind: 'text', text: line }]
  }
  if (!isObject(value)) return [{ kind: 'text', text: line }]
  switch (value.type) {
    case 'message':
      return isObject(value.message) ? messageBlocks(value.message) : [data('message', value.message)]
    case 'custom_message':
      return contentBlocks(value.content, 'text')
    case 'compaction':
    case 'branch_summary':
      return summaryBlocks(value)
    case 'custom':
      return value.data === undefined ? [] : [data(stringOf(value.customType) ?? 'data', value.data)]
    case 'session_info':
    case 'label':
    case 'model_change':
    case 'thinking_level_change':
    case 'leaf':
    case 'reset':
      return []
    default:
      return [data(stringOf(value.type) ?? 'entry', value)]
  }
}

function messageBlocks(message: JsonObject): EntryBlock[] {
  if (message.role === 'bashExecution') {
    const blocks: EntryBlock[] = [{ kind: 'call', name: 'bash', id: null, text: text(message.command) }]
    const output = text(message.output)
    return output === '' ? blocks : [...blocks, written('output', output)]
  }
  const blocks = contentBlocks(message.content, message.role === 'toolResult' ? 'output' : 'text')
  const error = stringOf(message.errorMessage)
  return error === undefined ? blocks : [...blocks, { kind: 'data', name: 'error', text: error }]
}

function summaryBlocks(entry: JsonObject): EntryBlock[] {
  const summary: EntryBlock = { kind: 'text', text: text(entry.summary) }
  return isObject(entry.details) ? [summary, data('details', entry.details)] : [summary]
}

function contentBlocks(content: unknown, kind: 'text' | 'output'): EntryBlock[] {
  if (typeof content === 'string') return content === '' ? [] : [written(kind, content)]
  if (!Array.isArray(content)) return content == null ? [] : [data('content', content)]
  return content.map((block) => contentBlock(block, kind))
}

function contentBlock(block: unknown, kind: 'text' | 'output'): EntryBlock {
  if (typeof block === 'string') return written(kind, block)
  if (!isObject(block)) return data('content', block)
  switch (blockKind(block)) {
    case 'text':
      return written(kind, textOfBlock(block))
    case 'thinking': {
      const redacted = isRedacted(block)
      return {
        kind: 'thinking',
        text: block.type === 'redacted_thinking' ? '' : thinkingOfBlock(block),
        redacted,
      }
    }
    case 'image':
      return imageBlock(block)
    case 'call': {
      const input = callInputOf(block)
      return {
        kind: 'call',
        name: callNameOf(block) || 'tool',
        id: callIdOf(block) ?? null,
        text: typeof input === 'string' ? input : argumentText(input),
      }
    }
    case 'result': {
      const content = resultContentOf(block)
      if (typeof content === 'string') return written('output', content)
      return data(stringOf(block.type) ?? 'result', block)
    }
    default:
      return data(stringOf(block.type) ?? 'content', block)
  }
}

function written(kind: 'text' | 'output', text: string): EntryBlock {
  const saved = kind === 'output' ? savedOutputName(text) : null
  return saved === null ? { kind, text } : { kind: 'output', text, saved }
}

function imageBlock(block: JsonObject): EntryBlock {
  const { mimeType, base64 } = mediaOf(block)
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  return { kind: 'image', mimeType, bytes: Math.max(0, Math.floor((base64.length * 3) / 4) - padding) }
}

/** The picture in block `index` of a message line; null when there is none. */
export function entryImage(
  line: string,
  index: number,
): { readonly mimeType: string; readonly base64: string } | null {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return null
  }
  if (!isObject(value)) return null
  const message = isObject(value.message) ? value.message : value
  const block = Array.isArray(message.content) ? message.content[index] : undefined
  return isObject(block) && blockKind(block) === 'image' ? mediaOf(block) : null
}

function data(name: string, value: unknown): EntryBlock {
  return { kind: 'data', name, text: pretty(value) }
}

/**
 * The arguments of a call for reading: a line per field, texts without quotes and escapes, longer ones below their name.
 * The raw line has them as they were written.
 */
function argumentText(input: unknown): string {
  if (!isObject(input)) return pretty(input)
  return Object.entries(input)
    .map(([name, value]) => {
      if (typeof value !== 'string') return `${name}: ${pretty(value)}`
      return value.includes('\n') ? `${name}:\n${value}` : `${name}: ${value}`
    })
    .join('\n')
}

/** A value as indented JSON. */
function pretty(value: unknown): string {
  if (value === undefined) return ''
  try {
    return JSON.stringify(value, null, 2) ?? ''
  } catch {
    return '[nested too deeply to show]'
  }
}

function text(value: unknown): string {
  if (typeof value === 'string') return value
  return value == null ? '' : pretty(value)
}

/** The text of a block; '' for an image. */
export function entryBlockText(block: EntryBlock): string {
  return block.kind === 'image' ? '' : block.text
}

/** A block as it travels to the browser: at most so many characters at first, the rest on demand. */
export type ClippedBlock = EntryBlock & {
  /** Length of the whole text in UTF-16 units; larger than `text.length` when it was cut. */
  readonly chars: number
  /** Its place among the parts of the entry, from 0; what the rest of its text is asked for by. */
  readonly index: number
}

/** Cuts a text without tearing a surrogate pair. */
export function sliceText(whole: string, from: number, length: number): string {
  let start = Math.min(Math.max(0, from), whole.length)
  let end = Math.min(whole.length, start + Math.max(0, length))
  if (start > 0 && isLow(whole, start)) start -= 1
  if (end < whole.length && isLow(whole, end)) end -= 1
  return whole.slice(start, Math.max(start, end))
}

function isLow(whole: string, index: number): boolean {
  const code = whole.charCodeAt(index)
  if (code < 0xdc00 || code > 0xdfff) return false
  const before = whole.charCodeAt(index - 1)
  return before >= 0xd800 && before <= 0xdbff
}

/** The blocks with their texts cut to `limit` characters each. */
export function clipBlocks(blocks: readonly EntryBlock[], limit: number): ClippedBlock[] {
  return blocks.map((block, index) => {
    const whole = entryBlockText(block)
    if (block.kind === 'image') return { ...block, index, chars: 0 }
    return { ...block, text: sliceText(whole, 0, limit), index, chars: whole.length }
  })
}
