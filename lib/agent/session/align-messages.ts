import { originalText } from '../../core/cold/original-text'

/**
 * A message of the context as it was seen last; null: only its text is known. `id`: of its entry; null: not in the
 * transcript; '': never will be.
 */
export type Seen<M> = { readonly message: M | null; readonly json: string; readonly id: string | null }

/** What is known of a session, each list in the order of the conversation. */
export type SessionBefore<M> = {
  /** The conversation as it was seen last. */
  readonly seen: readonly Seen<M>[]
  /** Was asked and recorded, and is not in the agent's conversation yet. */
  readonly asked: readonly Seen<M>[]
  /** Of a process before this one, until the conversation is looked at. */
  readonly earlier: readonly Seen<M>[]
}

type Aligned<M> = {
  readonly aligned: readonly Seen<M>[]
  /** What was asked and is still not in the conversation. */
  readonly asked: readonly Seen<M>[]
}

/**
 * Each message of a conversation with what is known of it. Messages are known by their place in a conversation that has
 * only grown, else by their objects, else by what they say; where several say the same, the first is meant: what is new
 * comes behind what is known.
 */
export function alignMessages<M>(
  { seen, asked, earlier }: SessionBefore<M>,
  messages: readonly M[],
): Aligned<M> {
  const isGrown = hasGrown(seen, messages)
  const open = isGrown ? [] : seen
  const taken = new Set<Seen<M>>()
  // What was taken is never asked for again: a thousand messages that say the same are not passed over for each.
  const take = (same: Seen<M>[] | undefined) => {
    let found = same?.pop()
    while (found !== undefined && taken.has(found)) found = same?.pop()
    if (found !== undefined) taken.add(found)
    return found
  }
  const objects = listsBy(open, ({ message }) => message)
  const own = isGrown ? seen : messages.map((message) => take(objects.get(message)))
  const texts = listsBy([...open, ...asked, ...earlier], ({ json }) => json)
  const aligned = messages.map((message, at): Seen<M> => {
    const before = own[at]
    if (before !== undefined) return { ...before, message }
    const json = originalText(message)
    return { message, json, id: take(texts.get(json))?.id ?? null }
  })
  return { aligned, asked: asked.filter((one) => !taken.has(one)) }
}

/** The same of a conversation whose beginning went: what stays is its end, so that the last is meant. */
export function alignEnd<M>({ seen, asked, earlier }: SessionBefore<M>, messages: readonly M[]): Aligned<M> {
  const known = { seen: seen.toReversed(), asked: asked.toReversed(), earlier: earlier.toReversed() }
  const back = alignMessages(known, messages.toReversed())
  return { aligned: back.aligned.toReversed(), asked: back.asked.toReversed() }
}

/** Whether the messages begin with those that were seen. */
function hasGrown<M>(seen: readonly Seen<M>[], messages: readonly M[]): boolean {
  return (
    seen.length <= messages.length &&
    seen.every(({ message, json }, at) => message === messages[at] || originalText(messages[at]) === json)
  )
}

/** By what they are known, each list with its last one in front. */
function listsBy<T, K>(all: readonly T[], keyOf: (one: T) => K): ReadonlyMap<K, T[]> {
  const lists = new Map<K, T[]>()
  for (const one of all.toReversed()) {
    const list = lists.get(keyOf(one))
    if (list === undefined) lists.set(keyOf(one), [one])
    else list.push(one)
  }
  return lists
}
