/**
 * A message as the text that cold storage keeps of it: its JSON. What JSON has no form for is put in an object with one
 * field that names it (`$bytes`, `$url`, `$date`, `$bigint`), so that the same message can be made of it again.
 * @throws TypeError for a message that contains itself, RangeError for one that is nested too deep
 */
export function originalText(message: unknown): string {
  return JSON.stringify(isPlain(message, 0) ? message : packed(message, [])) ?? 'null'
}

/**
 * A message that left a context as it was, made of the text that cold storage keeps of it (`messages` of a chunk).
 * @throws SyntaxError when the text is not its JSON
 *
 * @example
 * ```ts
 * import { type ContextManager, type ContentMessage, originalOf } from 'plimsoll-agent'
 *
 * declare const context: ContextManager<ContentMessage>
 * const back = await context.recover('c4f1')
 * if (back.kind === 'recovered') console.log((back.chunk.messages ?? []).map(originalOf))
 * ```
 */
export function originalOf(text: string): unknown {
  return unpacked(JSON.parse(text))
}

/** Names of what JSON has no form for. An object of an agent that looks like one of them is marked by `$object`. */
const MARKS: ReadonlySet<string> = new Set(['$bytes', '$url', '$date', '$bigint', '$object'])

/** What is nested deeper is looked at again, for whether it contains itself. */
const PLAIN_DEPTH = 20

/** Whether JSON has a form for all of it, so that it needs no copy. */
function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint'
  if (depth > PLAIN_DEPTH) return false
  if (Array.isArray(value)) return value.every((one) => isPlain(one, depth + 1))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  const fields = value as { readonly [name: string]: unknown }
  // What may be taken for a mark, and what says itself how it is written, goes the other way.
  for (const name of Object.keys(fields))
    if (name.startsWith('$') || name === 'toJSON' || !isPlain(fields[name], depth + 1)) return false
  return true
}

function packed(value: unknown, above: readonly unknown[]): unknown {
  if (typeof value === 'bigint') return { $bigint: String(value) }
  if (typeof value !== 'object' || value === null) return value
  if (above.includes(value)) throw new TypeError('a message contains itself')
  const bytes = bytesOf(value)
  if (bytes !== null) return { $bytes: base64(bytes) }
  if (value instanceof URL) return { $url: value.href }
  if (value instanceof Date) return { $date: Number.isNaN(value.getTime()) ? null : value.toISOString() }
  const inside = [...above, value]
  if (Array.isArray(value)) return value.map((one) => packed(one, inside))
  const fields = Object.entries(value).map(([name, one]) => [name, packed(one, inside)] as const)
  const object = Object.fromEntries(fields)
  return markOf(object) === null ? object : { $object: object }
}

function unpacked(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(unpacked)
  const mark = markOf(value)
  const [held] = Object.values(value)
  if (mark === '$bytes' && typeof held === 'string') return fromBase64(held)
  if (mark === '$url' && typeof held === 'string') return new URL(held)
  if (mark === '$date') return new Date(typeof held === 'string' ? held : Number.NaN)
  if (mark === '$bigint' && typeof held === 'string') return BigInt(held)
  const object = mark === '$object' && typeof held === 'object' && held !== null ? held : value
  return Object.fromEntries(Object.entries(object).map(([name, one]) => [name, unpacked(one)]))
}

/** The name that an object has as its only field, where that is a mark. */
function markOf(object: object): string | null {
  const [name, ...more] = Object.keys(object)
  return name !== undefined && more.length === 0 && MARKS.has(name) ? name : null
}

function bytesOf(value: object): Uint8Array | null {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  return value instanceof ArrayBuffer ? new Uint8Array(value) : null
}

/** So many bytes become text at once: a call takes only so many arguments. */
const PIECE = 8_192

function base64(bytes: Uint8Array): string {
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; at += PIECE)
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + PIECE)))
  return btoa(pieces.join(''))
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
}
