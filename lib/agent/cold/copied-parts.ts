import { type MessagePart, ORIGIN, type PartOrigin } from '../../core/history/part-origin'
import type { ContentMessage } from '../../core/history/thinking'

/** What is nested deeper is written out at once. */
const MAX_DEPTH = 20

/**
 * Parts of messages as they are now, whatever their owner does to his objects afterwards; texts are not copied, since
 * they cannot be changed. Messages are copied at once, and the parts made of those copies once they are asked for. null:
 * something in them is no plain data, so that a copy would be another thing.
 */
export function copiedParts<M extends ContentMessage>(parts: readonly M[]): (() => readonly M[]) | null {
  /** Of each part the copy of its messages, or of itself where it is one. */
  const copies: unknown[] = new Array(parts.length)
  let last: PartOrigin['messages'] | null = null
  let messages: unknown = null
  for (let place = 0; place < parts.length; place++) {
    const part = parts[place] as MessagePart
    const origin = part[ORIGIN]
    if (origin === undefined) {
      const copy = copyOf(part, 0)
      if (copy === NO_COPY) return null
      copies[place] = copy
      continue
    }
    // Parts of one message come one after the other, and are known by it.
    if (origin.messages !== last) {
      messages = copyOf(origin.messages, 0)
      if (messages === NO_COPY) return null
      last = origin.messages
    }
    const own = ownContent(part, origin)
    if (own === NO_COPY) return null
    copies[place] = own === undefined ? messages : { messages, content: own }
  }
  const made = () => copies.map((copy, place) => copiedPart(parts[place] as MessagePart, copy))
  // They are of the type of the parts.
  return made as () => readonly ContentMessage[] as () => readonly M[]
}

/** A copy of what a part says, where that is not what its one message says; undefined where it is. */
function ownContent(part: MessagePart, { messages }: PartOrigin): unknown {
  const { content } = part
  if (!isNested(content)) return undefined
  return content === messages || content === messages[0]?.content ? undefined : copyOf(content, 1)
}

/** What a part has of its message as it is, it has of the copy. Parts are ours, and nothing changes them in place. */
function copiedPart(part: MessagePart, copy: unknown): ContentMessage {
  const origin = part[ORIGIN]
  if (origin === undefined) return copy as ContentMessage
  const { messages, content } = Array.isArray(copy)
    ? { messages: copy as readonly ContentMessage[], content: undefined }
    : (copy as { readonly messages: readonly ContentMessage[]; readonly content: unknown })
  const copied = messages[0] as { readonly [name: string]: unknown } | undefined
  const made: { [name: string]: unknown; [ORIGIN]?: PartOrigin } = { ...part }
  for (const name in made) {
    const value = made[name]
    if (!isNested(value)) continue
    if (name === 'content') made[name] = content ?? (value === origin.messages ? messages : copied?.content)
    else if (copied !== undefined && name in copied) made[name] = copied[name]
  }
  const { at, places } = origin
  made[ORIGIN] = { messages, parts: [], at, places }
  return made as MessagePart
}

const NO_COPY: unique symbol = Symbol('no copy')

/** Plain data once more; what JSON has no form for, or says itself how it is written, has no copy. */
function copyOf(value: object | bigint, depth: number): unknown {
  if (typeof value === 'bigint' || depth > MAX_DEPTH) return NO_COPY
  if (Array.isArray(value)) {
    const list: unknown[] = value.slice()
    for (let i = 0; i < list.length; i++) {
      const inside = list[i]
      if (!isNested(inside)) continue
      const one = copyOf(inside, depth + 1)
      if (one === NO_COPY) return NO_COPY
      list[i] = one
    }
    return list
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return NO_COPY
  const copy: { [name: string]: unknown } = { ...value }
  for (const name in copy) {
    // What may be taken for a mark of what JSON has no form for is written out with care.
    if (name === 'toJSON' || name === '__proto__' || name.charCodeAt(0) === DOLLAR) return NO_COPY
    const inside = copy[name]
    if (!isNested(inside)) continue
    const one = copyOf(inside, depth + 1)
    if (one === NO_COPY) return NO_COPY
    copy[name] = one
  }
  return copy
}

/** Whether a copy has to be made: of all but texts, numbers and the like. */
function isNested(value: unknown): value is object | bigint {
  return (typeof value === 'object' && value !== null) || typeof value === 'bigint'
}

const DOLLAR = 36
