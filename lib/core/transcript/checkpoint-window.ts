import { isObject, type JsonObject, jsonText } from './json'
import type { EntryTexts } from './reading/entry-texts'

/** OpenClaw reads no checkpoint whose window and data, or whose whole record, are larger. Bytes in UTF-8. */
const MOST_BYTES = 16 * 1024 * 1024

/** JSON that is nested deeper is not read. */
const MOST_DEPTH = 64

const ROLES: ReadonlySet<unknown> = new Set(['user', 'developer', 'system'])
const STATUSES: ReadonlySet<unknown> = new Set([undefined, 'in_progress', 'completed', 'incomplete'])
const IMAGE_DETAILS: ReadonlySet<unknown> = new Set(['auto', 'low', 'high', 'original'])
const FILE_DETAILS: ReadonlySet<unknown> = new Set([undefined, 'auto', 'low', 'high'])

/** What a checkpoint's complete window keeps: how many messages, their texts, and how many images and files. */
export type Retained = {
  readonly messages: number
  readonly texts: readonly string[]
  readonly images: number
}

/**
 * The messages that a checkpoint's complete window keeps; null when the window cannot be read or is another
 * checkpoint's, so that OpenClaw refuses it (lib/docs/openclaw.md#provider-checkpoints). What makes a window depend on
 * the address that it is sent to (statuses on foreign endpoints, images in forms that are sent otherwise) is not
 * examined.
 */
export function retainedMessages(replay: JsonObject, texts: EntryTexts): Retained | null {
  const window = replay.compactedWindow
  if (!isObject(window) || window.state !== 'ready' || typeof window.output !== 'string') return null
  const data = texts.whole(replay.data as string)
  const written = texts.whole(window.output)
  if (isTooLong({ ...replay, data, compactedWindow: { ...window, output: written } }, data, written))
    return null
  let output: unknown
  try {
    output = JSON.parse(written)
  } catch {
    return null
  }
  if (!Array.isArray(output) || !isShallow(output)) return null
  const last: unknown = output.at(-1)
  if (!isObject(last) || last.type !== 'compaction') return null
  const id = typeof replay.id === 'string' ? texts.whole(replay.id) : replay.id
  if (last.encrypted_content !== data || last.id !== id || !isTextOrNone(last.created_by)) return null
  const messages: readonly unknown[] = output.slice(0, -1)
  if (!messages.every(isMessage)) return null
  const inputs = messages.flatMap(({ content }) => content)
  const said = inputs.flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
  return { messages: messages.length, texts: said, images: inputs.length - said.length }
}

/** Whether the record is longer than OpenClaw reads; both texts are in it, and it is no shorter than they are. */
function isTooLong(record: JsonObject, data: string, written: string): boolean {
  // No text grows to more than six times its units in JSON: the usual record needs no look.
  if ((data.length + written.length) * 6 <= MOST_BYTES) return false
  const json = jsonText(record)
  return json === '' || new TextEncoder().encode(json).length > MOST_BYTES
}

function isShallow(value: unknown, depth = 0): boolean {
  if (depth > MOST_DEPTH) return false
  if (typeof value !== 'object' || value === null) return true
  return Object.values(value).every((child) => isShallow(child, depth + 1))
}

function isMessage(value: unknown): value is { readonly content: readonly JsonObject[] } {
  return (
    isObject(value) &&
    value.type === 'message' &&
    ROLES.has(value.role) &&
    isTextOrNone(value.id) &&
    STATUSES.has(value.status) &&
    Array.isArray(value.content) &&
    value.content.every(isInput)
  )
}

function isInput(value: unknown): value is JsonObject {
  if (!isObject(value)) return false
  const breakpoint = value.prompt_cache_breakpoint
  if (breakpoint !== undefined && (!isObject(breakpoint) || breakpoint.mode !== 'explicit')) return false
  switch (value.type) {
    case 'input_text':
      return typeof value.text === 'string'
    case 'input_image':
      return (
        IMAGE_DETAILS.has(value.detail) &&
        [value.image_url, value.file_id].some(isText) &&
        [value.image_url, value.file_id].every(isTextOrNull)
      )
    case 'input_file':
      return (
        FILE_DETAILS.has(value.detail) &&
        [value.file_data, value.file_id, value.file_url].some(isText) &&
        [value.file_data, value.file_url, value.filename].every(isTextOrNone) &&
        isTextOrNull(value.file_id)
      )
    default:
      return false
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || isText(value)
}

function isTextOrNull(value: unknown): boolean {
  return value === null || isTextOrNone(value)
}
