import type { ContentMessage } from './thinking'

/**
 * A message of an agent as limits, pruning and summaries see it: one result, or all else that a message holds. It has
 * role, `calls` and `resultFor` in the project's words, and knows of which messages it was made.
 */
export type MessagePart = ContentMessage & { readonly [ORIGIN]?: PartOrigin }

/** Copies carry it on, so that a part that was changed still finds its place. */
export const ORIGIN = Symbol('origin')

/** What is made of one message: a part, and which of its blocks are in it; null: not a part of its blocks. */
export type PartView = { readonly part: ContentMessage; readonly places: readonly number[] | null }

/** What a part was made of. */
export type PartOrigin = {
  /** One message; or the items of Responses that an answer consists of. */
  readonly messages: readonly ContentMessage[]
  /** All that was made of them, in their order. */
  readonly parts: readonly MessagePart[]
  /** Place among those. */
  readonly at: number
  /** Blocks of the content of the one message that are in this part; null: not a part of its blocks. */
  readonly places: readonly number[] | null
}

/** The agent's own messages of which parts were made, each once, in their order. */
export function originalsOf<M extends ContentMessage>(parts: readonly M[]): readonly M[] {
  const [first]: readonly MessagePart[] = parts
  // Parts are made of messages of this very type.
  if (parts.length === 1) return (first?.[ORIGIN]?.messages ?? parts) as readonly M[]
  const found = new Set<ContentMessage>()
  for (const part of parts as readonly MessagePart[])
    for (const message of part[ORIGIN]?.messages ?? [part]) found.add(message)
  return [...found] as M[]
}
