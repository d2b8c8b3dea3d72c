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
 * A message of a live conversation as plans read it. There are thousands: what is the same for all, or follows from the
 * place, is made when it is read.
 */
class LiveFact implements EntryFact {
  readonly calls?: readonly ToolCallRef[]
  readonly important?: true
  readonly resultFor?: string

  constructor(
    readonly seq: number,
    readonly role: Role,
    readonly size: Tokens,
    message: HistoryMessage,
    important: boolean,
  ) {
    const { calls, resultFor } = message
    if (calls !== undefined) this.calls = calls.map(({ id }) => ({ id, name: '' }))
    if (important) this.important = true
    if (resultFor !== undefined) this.resultFor = resultFor
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

/** An entry of a live conversation: of one category, and sent. Path and context are the same list of them. */
export class LiveEntry implements EntryTokens {
  readonly fact: LiveFact

  /** @param isSummary it is carried on like any message, and so may be summarised itself: no boundary any more */
  constructor(
    message: HistoryMessage,
    seq: number,
    readonly tokens: Tokens,
    isSummary: boolean,
    important: boolean,
  ) {
    const role = isSummary ? 'compactionSummary' : (message.role ?? 'custom')
    this.fact = new LiveFact(seq, role, tokens, message, important)
  }

  get entry(): EntryTokens['entry'] {
    return this
  }

  get size(): Tokens {
    return this.tokens
  }

  get sent(): true {
    return true
  }

  get category(): EntryCategory {
    const { role, calls } = this.fact
    return role === 'assistant' && calls !== undefined && calls.length > 0 ? 'tool-call' : roleCategory(role)
  }

  get byCategory(): EntryTokens['byCategory'] {
    return { [this.category]: this.tokens }
  }
}
