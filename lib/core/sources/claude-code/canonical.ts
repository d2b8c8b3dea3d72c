import { canonicalJson } from '../../audit/canonical-json'
import { isObject, type JsonObject } from '../../transcript/json'

/** A message as it is hashed: a text is a block of text, and where the cache breaks is no part of it; null: too deep. */
export function canonicalMessage(message: JsonObject): string | null {
  const { content } = message
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return unlessTooDeep(() => canonicalJson(withoutBreaks({ ...message, content: blocks })))
}

/** System prompt and tools as they are hashed; null when they are nested too deeply to be written. */
export function canonicalShape(shape: unknown): string | null {
  return unlessTooDeep(() => canonicalJson(shape))
}

function withoutBreaks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBreaks)
  if (!isObject(value)) return value
  // Entries keep a key `__proto__` what it is in JSON: a key.
  const fields = Object.entries(value).filter(([key]) => key !== 'cache_control')
  return Object.fromEntries(fields.map(([key, one]) => [key, withoutBreaks(one)]))
}

function unlessTooDeep(write: () => string): string | null {
  try {
    return write()
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
