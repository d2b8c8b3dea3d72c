import { saysTheSame } from './says-the-same'

/** What a caller's list is, compared with the ones before it. */
export type Arrival<M> = {
  /**
   * `grown`: what was there before, and perhaps more behind it. `turned`: the newest part is another one. `new`: another
   * conversation, or one that was changed before what has left the context.
   */
  readonly kind: 'grown' | 'turned' | 'new'
  /** What was not there before, as the ladder knows it. */
  readonly added: readonly M[]
  /** Of a new one: the first message that is another one than before. */
  readonly differsAt: number
}

/**
 * Follows a caller who brings his whole list each time. He may keep the list of all that was ever said, or go on from
 * what he was given to send: both are recognised, message by message, by identity or by what they say, so that nothing
 * that has left the context comes back and nothing is compacted twice.
 */
export class CallerList<M extends object> {
  /** Every message that was ever brought, oldest first. */
  private all: M[] = []
  /** Of each of them, its place in `all`. */
  private places = new Map<M, number>()
  /** The list as it was brought last, and as it was given back. */
  private given: readonly M[] = []
  private sent: readonly M[] = []
  /** The caller's present object for one that was brought anew. */
  private present = new Map<M, M>()
  private current: readonly M[] = []

  /** The conversation as the ladder has left it. */
  get held(): readonly M[] {
    return this.current
  }

  /** Puts another conversation in its place, as the ladder does. */
  hold(messages: readonly M[]): void {
    this.current = messages
  }

  /** All that was ever said, oldest first. */
  get said(): readonly M[] {
    return this.all
  }

  /** Whether a message is one that the caller brought, and not one that was made here. */
  isBrought(message: M): boolean {
    return this.places.has(message)
  }

  /** Whether something has left the context, or was put into it. */
  get isChanged(): boolean {
    return this.differs(this.current)
  }

  /** Whether these are not just all messages that the caller brought, in their order. */
  differs(messages: readonly M[]): boolean {
    const { all } = this
    if (all.length !== messages.length) return true
    for (let at = 0; at < all.length; at++) if (all[at] !== messages[at]) return true
    return false
  }

  /** What the caller was given last. */
  get sentLast(): readonly M[] {
    return this.sent
  }

  /** Takes in a list; what is new in it is behind what is held. */
  take(list: readonly M[]): Arrival<M> {
    if (this.all.length === 0) return this.extend(list, [], 0, 'grown')
    const bases = [this.sent, this.given, this.all]
      .filter((base) => base.length > 0)
      .map((base) => ({ base, same: this.commonLength(base, list) }))
    const whole = bases.filter(({ base, same }) => same === base.length)
    const grown = whole.toSorted((a, b) => b.same - a.same)[0]
    if (grown !== undefined) return this.extend(list, grown.base, grown.same, 'grown')
    const gone = this.lastGone()
    const turned = bases
      .filter(({ base, same }) => same >= this.needed(base, gone))
      .toSorted((a, b) => b.same - a.same)[0]
    if (turned !== undefined) {
      this.cut(turned.base, turned.same, gone)
      return this.extend(list, turned.base, turned.same, 'turned')
    }
    const trimmed = this.trimmed(list)
    if (trimmed !== null) return trimmed
    const differsAt = Math.max(...bases.map(({ same }) => same))
    this.start()
    return { ...this.extend(list, [], 0, 'grown'), kind: 'new', differsAt }
  }

  /** Remembers what the caller is given, so that he can go on from it. Answers it with his own objects. */
  give(messages: readonly M[]): M[] {
    this.sent = messages
    const { present } = this
    return present.size === 0 ? [...messages] : messages.map((message) => present.get(message) ?? message)
  }

  private start(): void {
    this.all = []
    this.places = new Map()
    this.present = new Map()
    this.current = []
    this.given = []
    this.sent = []
  }

  /** Keeps the list by the objects that are known already, and puts what is new behind everything. */
  private extend(list: readonly M[], base: readonly M[], same: number, kind: 'grown' | 'turned'): Arrival<M> {
    const known = base.slice(0, same)
    const present = new Map<M, M>()
    for (let i = 0; i < same; i++) {
      const own = known[i]
      const now = list[i]
      if (own !== undefined && now !== undefined && own !== now) present.set(own, now)
    }
    const added: M[] = []
    for (let i = same; i < list.length; i++) {
      const message = list[i] as M
      // One object at two places is two messages.
      const own = this.places.has(message) ? { ...message } : message
      if (own !== message) present.set(own, message)
      this.places.set(own, this.all.length)
      this.all.push(own)
      added.push(own)
    }
    this.present = present
    this.given = known.concat(added)
    if (added.length > 0) this.current = this.current.concat(added)
    return { kind, added, differsAt: same }
  }

  /** @param gone see `lastGone`; looked up where it is needed */
  private commonLength(base: readonly M[], list: readonly M[], gone?: number): number {
    const most = Math.min(base.length, list.length)
    for (let i = 0; i < most; i++) {
      const own = base[i]
      const now = list[i]
      if (own === now || saysTheSame(own, now)) continue
      gone ??= this.lastGone()
      if (!this.isGoneFor(own as M, now, gone)) return i
    }
    return most
  }

  /** Of what has left, nothing matters that the caller's present object for it says by now; what is held has grown. */
  private isGoneFor(own: M, now: M | undefined, gone: number): boolean {
    return this.present.get(own) === now && (this.places.get(own) ?? -1) <= gone
  }

  /** The place of the last message that is not in the context any more; -1 while all are. */
  private lastGone(): number {
    const held = new Set(this.current)
    return this.all.findLastIndex((message) => !held.has(message))
  }

  /** So many messages of a list that was known must be there still: what has left, and what was made for it. */
  private needed(base: readonly M[], gone: number): number {
    return 1 + base.findLastIndex((message) => (this.places.get(message) ?? -1) <= gone)
  }

  /** Takes back what came behind a place of a known list. */
  private cut(base: readonly M[], same: number, gone: number): void {
    const brought = this.current.findIndex((message) => this.places.has(message))
    const kept = base.slice(0, same)
    const last = kept.reduce((most, message) => Math.max(most, this.places.get(message) ?? -1), gone)
    for (const message of this.all.splice(last + 1)) this.places.delete(message)
    const end = this.current.findLastIndex((message) => this.places.has(message) || kept.includes(message))
    // What was made for what has left is in front; where nothing else is held, no list is one that turned.
    this.current = this.current.slice(0, Math.max(end + 1, brought))
  }

  /** A caller who takes away the oldest messages himself; null when the list is not that. */
  private trimmed(list: readonly M[]): Arrival<M> | null {
    const gone = this.lastGone()
    for (const base of [this.all, this.sent]) {
      for (let from = 1; from < base.length; from++) {
        const rest = base.slice(from)
        if (this.commonLength(rest, list, gone) < rest.length) continue
        const left = new Set(base.slice(0, from))
        this.current = this.current.filter((message) => !left.has(message))
        this.all = this.all.filter((message) => !left.has(message))
        this.places = new Map(this.all.map((message, i) => [message, i]))
        return this.extend(list, rest, rest.length, 'turned')
      }
    }
    return null
  }
}
