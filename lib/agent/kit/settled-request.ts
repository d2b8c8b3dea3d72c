import { isUserTurn } from '../../core/history/message'
import { extentOfAll } from '../../core/history/message-extent'
import { isReference } from '../../core/history/message-parts'
import { isResult, OpenCalls } from '../../core/history/pairing'
import { acceptsIds, isUserSide } from '../../core/history/provider-order'
import type { ContentMessage } from '../../core/history/thinking'
import { uiPartsOf } from '../../core/history/ui-parts'

/** The beginning of a conversation, and what a request has in its place. */
type Settled<M> = {
  readonly head: readonly M[]
  readonly sent: readonly M[]
  /** Of all messages of the head; see `extentOf`. */
  readonly extent: number
}

/**
 * What requests after a compaction have in common, so that each puts only its end together: up to a message of the user
 * before which every call has its result, nothing that comes later changes what is sent. Only for requests that nothing
 * but the order of providers and the pairs changes; any that has more to do is put together as a whole.
 */
export class SettledRequest<M extends ContentMessage> {
  private settled: Settled<M> | null = null

  /** @param provider as `orderForProvider` takes it; null: what the messages themselves show */
  constructor(private readonly provider: string | null) {}

  /**
   * How many messages of a conversation are settled; 0: all are to be put together.
   * @param whole the conversation, and what is asked now behind it
   * @param held how many messages of it are the conversation
   */
  lengthIn(whole: readonly M[], held: number): number {
    const { settled } = this
    if (settled === null) return 0
    const { head, extent } = settled
    const isSame = head.length <= held && head.every((message, at) => message === whole[at])
    const isLike = isSame && extentOfAll(head) === extent && this.isClean(whole.slice(head.length))
    if (!isLike) this.settled = null
    return isLike ? head.length : 0
  }

  /**
   * The messages of a request, whose settled beginning is put in front; notes what is settled now.
   * @param from what `lengthIn` answered
   * @param made the request of everything behind it
   */
  complete(whole: readonly M[], held: number, from: number, made: readonly M[]): readonly M[] {
    const before = from === 0 ? null : this.settled
    const rest = whole.slice(from)
    const end = this.isClean(rest) ? this.endOfSettled(rest, held - from) : 0
    const first = rest[end]
    const place = end === 0 || first === undefined ? -1 : made.lastIndexOf(first)
    if (place > 0) {
      const more = rest.slice(0, end)
      const sent = made.slice(0, place)
      this.settled = {
        head: before === null ? more : before.head.concat(more),
        sent: before === null ? sent : before.sent.concat(sent),
        extent: (before?.extent ?? 0) + extentOfAll(more),
      }
    } else if (before === null) this.settled = null
    return before === null ? made : before.sent.concat(made)
  }

  /** Whether every result answers a call before it, under an id that the provider takes. */
  private isClean(messages: readonly M[]): boolean {
    const pairs = new OpenCalls()
    // References, and messages as the screens of the AI SDK have them, depend on what is around them.
    const isOdd = (message: M) => isReference(message) || uiPartsOf(message) !== null
    if (messages.some((message) => isOdd(message) || pairs.orphansOf(message).length > 0)) return false
    return acceptsIds(messages, this.provider)
  }

  /**
   * The last message of the user before which every call has its result; 0 where there is none. Only one whose
   * neighbours are of the other side, so that it never becomes one message with them.
   */
  private endOfSettled(messages: readonly M[], held: number): number {
    const pairs = new OpenCalls()
    const isUsers = (message: M | undefined) => message !== undefined && isUserSide(message)
    let end = 0
    for (const [at, message] of messages.slice(0, held).entries()) {
      const isAlone = !isUsers(messages[at - 1]) && !isUsers(messages[at + 1])
      if (isAlone && !pairs.isWaiting && isUserTurn(message) && !isResult(message)) end = at
      pairs.orphansOf(message)
    }
    return end
  }
}
