import { isObject, type JsonObject } from '../../transcript/json'

/**
 * JSON with the keys sorted at every depth and without blanks, which the client makes its hashes of; null when the
 * value is nested too deeply to be written. @param without a key that is left out at every depth
 */
export function canonicalJson(value: unknown, without?: string): string | null {
  try {
    return written(value, without)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** A message as it is hashed: a text is a block of text, and where the cache breaks is no part of it. */
export function canonicalMessage(message: JsonObject): string | null {
  const { content } = message
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return canonicalJson({ ...message, content: blocks }, 'cache_control')
}

function written(value: unknown, without: string | undefined): string {
  if (Array.isArray(value)) return `[${value.map((one) => written(one, without)).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'null'
  const fields = Object.keys(value)
    .filter((key) => key !== without && value[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${written(value[key], without)}`)
  return `{${fields.join(',')}}`
}
