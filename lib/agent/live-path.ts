import type { HistoryMessage } from '../core/history/message'
import type { EntryCategory } from '../core/tokens/category'
import { roleCategory } from '../core/tokens/entry-weights'
import type { EntryTokens } from '../core/tokens/frame-entries'
import type { EntryFact, Role, ToolCallRef } from '../core/transcript/entry'
import type { Tokens } from '../core/units/units'

/** The id that a plan knows a message by. */
export function idOfPlace(index: number): string {
  return `m${index}`
}

/** -1 where no message has the id. */
export function placeOfId(id: string, count: number): number {
  const place = Number(id.slice(1))
  return place >= 0 && place < count && idOfPlace(place) === id ? place : -1
}

/**
 * A message of a live conversation as plans read it: a fact, and an entry of one category that is sent. Path and context
 * are the same list of them. There are thousands: each is one object, and what is the same for all, or follows from the
 * place, is made when it is read.
 */
export class LiveEntry implements EntryTokens, EntryFact {
  readonly role: Role
  readonly calls: readonly ToolCallRef[] | undefined
  readonly resultFor: string | undefined
  readonly important: true | undefined

  /** @param isSummary it is carried on like any message, and so may be summarised itself: no boundary any more */
  constructor(
    message: HistoryMessage,
    readonly seq: number,
    readonly tokens: Tokens,
    isSummary: boolean,
    important: boolean,
  ) {
    const { calls } = message
    this.role = isSummary ? 'compactionSummary' : (message.role ?? 'custom')
    this.calls = calls === undefined ? undefined : calls.map(({ id }) => ({ id, name: '' }))
    this.resultFor = message.resultFor
    this.important = important ? true : undefined
  }

  get entry(): this {
    return this
  }

  get fact(): this {
    return this
  }

  get size(): Tokens {
    return this.tokens
  }

  get sent(): true {
    return true
  }

  get category(): EntryCategory {
    const { role, calls } = this
    return role === 'assistant' && calls !== undefined && calls.length > 0 ? 'tool-call' : roleCategory(role)
  }

  get byCategory(): EntryTokens['byCategory'] {
    return { [this.category]: this.tokens }
  }

  get isOfOne(): true {
    return true
  }

  get line(): number {
    return this.seq + 1
  }

  get offset(): number {
    return 0
  }

  get bytes(): number {
    return 0
  }

  get type(): 'message' {
    return 'message'
  }

  get id(): string {
    return idOfPlace(this.seq)
  }

  get parentId(): string | null {
    return this.seq === 0 ? null : idOfPlace(this.seq - 1)
  }

  get at(): null {
    return null
  }
}
