/** What is nested deeper has no text of the conversation in it. */
const MAX_DEPTH = 8

/**
 * How much a message holds: the lengths of all its texts, and how many fields and blocks there are. It is another figure
 * when the message has grown in place, as an answer does that is streamed, also within one block.
 */
export function extentOf(message: object): number {
  return extentIn(message, MAX_DEPTH)
}

/** The same of several messages. */
export function extentOfAll(messages: readonly object[]): number {
  let extent = 0
  for (let at = 0; at < messages.length; at++) extent += extentOf(messages[at] as object)
  return extent
}

function extentIn(value: unknown, depth: number): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null || depth === 0) return 1
  let extent = 1
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) extent += extentIn(value[i], depth - 1)
    return extent
  }
  if (ArrayBuffer.isView(value)) return value.byteLength
  const fields = value as { readonly [name: string]: unknown }
  for (const name in fields) {
    const field = fields[name]
    extent += 1 + (typeof field === 'string' ? field.length : extentIn(field, depth - 1))
  }
  return extent
}
