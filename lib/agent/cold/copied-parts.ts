import { type MessagePart, ORIGIN, type PartOrigin } from '../../core/history/part-origin'
import type { ContentMessage } from '../../core/history/thinking'

/** What is nested deeper is written out at once. */
const MAX_DEPTH = 20

/**
 * Parts of messages as they are now, whatever their owner does to his objects afterwards; texts are not copied, since
 * they cannot be changed. null: something in them is no plain data, so that a copy would be another thing.
 */
export function copiedParts<M extends ContentMessage>(parts: readonly M[]): readonly M[] | null {
  const copies: ContentMessage[] = []
  let last: PartOrigin['messages'] | null = null
  let messages: readonly ContentMessage[] = []
  for (let place = 0; place < parts.length; place++) {
    const part = parts[place] as MessagePart
    const origin = part[ORIGIN]
    if (origin === undefined) {
      const copy = copyOf(part, 0)
      if (copy === NO_COPY) return null
      copies.push(copy as ContentMessage)
      continue
    }
    // Parts of one message come one after the other, and are known by it.
    if (origin.messages !== last) {
      const copied = copyOf(origin.messages, 0)
      if (copied === NO_COPY) return null
      messages = copied as readonly ContentMessage[]
      last = origin.messages
    }
    const copy = copiedPart(part, origin, messages)
    if (copy === NO_COPY) return null
    copies.push(copy as ContentMessage)
  }
  return copies as M[]
}

/** What a part has of its message as it is, it has of the copy. */
function copiedPart(
  part: MessagePart,
  { messages, at, places }: PartOrigin,
  copies: readonly ContentMessage[],
): unknown {
  const fields = part as { readonly [name: string]: unknown }
  const own = messages[0] as { readonly [name: string]: unknown } | undefined
  const copied = copies[0] as { readonly [name: string]: unknown } | undefined
  const copy: { [name: string]: unknown; [ORIGIN]?: PartOrigin } = {}
  for (const name in fields) {
    const value = fields[name]
    const one =
      typeof value !== 'object' || value === null
        ? value
        : value === messages
          ? copies
          : value === own?.[name]
            ? copied?.[name]
            : copyOf(value, 1)
    if (one === NO_COPY || typeof one === 'bigint') return NO_COPY
    copy[name] = one
  }
  copy[ORIGIN] = { messages: copies, parts: [], at, places }
  return copy
}

const NO_COPY: unique symbol = Symbol('no copy')

/** Plain data once more; what JSON has no form for, or says itself how it is written, has no copy. */
function copyOf(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? NO_COPY : value
  if (depth > MAX_DEPTH) return NO_COPY
  if (Array.isArray(value)) {
    const list: unknown[] = []
    for (let i = 0; i < value.length; i++) {
      const one = copyOf(value[i], depth + 1)
      if (one === NO_COPY) return NO_COPY
      list.push(one)
    }
    return list
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return NO_COPY
  const fields = value as { readonly [name: string]: unknown }
  const copy: { [name: string]: unknown } = {}
  const names = Object.keys(fields)
  for (let at = 0; at < names.length; at++) {
    const name = names[at] as string
    // What may be taken for a mark of what JSON has no form for is written out with care.
    if (name === 'toJSON' || name === '__proto__' || name.charCodeAt(0) === DOLLAR) return NO_COPY
    const one = copyOf(fields[name], depth + 1)
    if (one === NO_COPY) return NO_COPY
    copy[name] = one
  }
  return copy
}

const DOLLAR = 36
