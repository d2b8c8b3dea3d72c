import type { TokensOf } from '../core/history/message'
import { extentOf } from '../core/history/message-extent'
import { joinParts, splitMessages } from '../core/history/message-parts'
import { type MessagePart, ORIGIN } from '../core/history/part-origin'
import type { ContentMessage } from '../core/history/thinking'
import { asUiMessages } from '../core/history/ui-parts'
import { withoutStaleCheckpoints } from '../core/pruning/without-checkpoints'
import { isObject } from '../core/transcript/json'
import type { Tokens } from '../core/units/units'
import type { LiveAgent } from './live-agent'

/**
 * A conversation in memory, for an agent that keeps its messages nowhere else.
 *
 * @example
 * ```ts
 * import { Conversation } from 'plimsoll-agent'
 *
 * const talk = new Conversation([{ role: 'user', content: 'Which berth is free?' }])
 * talk.add({ role: 'assistant', content: 'Berth 4.' })
 * talk.getContext().length // 2
 * ```
 */
export class Conversation {
  private held: readonly ContentMessage[]

  constructor(messages: readonly ContentMessage[] = []) {
    this.held = [...messages]
  }

  /** Behind what is there, as turns go on. */
  add<M extends ContentMessage>(...messages: readonly M[]): void {
    this.held = [...this.held, ...messages]
  }

  readonly getContext = (): readonly ContentMessage[] => this.held

  readonly setContext = (messages: readonly ContentMessage[]): void => {
    this.held = messages
  }
}

/** Roles of instructions that some APIs keep in front of a conversation. */
const INSTRUCTIONS: ReadonlySet<unknown> = new Set(['system', 'developer'])

/** The instructions in front of a conversation in the form of an API. */
export function instructionsOf<M extends ContentMessage>(messages: readonly M[]): readonly M[] {
  const first = messages.findIndex(({ role }) => !INSTRUCTIONS.has(role))
  return messages.slice(0, first < 0 ? messages.length : first)
}

/** A conversation at a moment: counted as it is, and taken apart once somebody looks at its parts. */
export interface HeldConversation<M> {
  /** What is in front of it; see `instructionsOf`. */
  readonly instructions: readonly M[]
  /** The agent's own messages behind those. */
  readonly messages: readonly M[]
  /** The same in parts; the same list as long as nothing has changed. */
  parts(): readonly M[]
  /** Tokens of the messages from a place on. */
  tokensFrom(place: number): Tokens
  /** How much all of them hold; see `extentOf`. */
  extent(): number
}

/** Keeps what was made of a conversation as long as it stays the same, whoever holds its list. */
class ConversationParts<M extends ContentMessage> {
  private given: readonly M[] = []
  private moment: unknown
  private held: HeldConversation<M> | null = null
  private parts: readonly M[] = []
  /** Of the messages that were counted: how much each held then (`extentOf`), and its tokens. */
  private counted: readonly M[] = []
  private extents: readonly number[] = []
  private sizes: readonly Tokens[] = []

  constructor(
    private readonly form: { readonly hasBlocks?: boolean },
    private readonly sizeOf: TokensOf<M>,
    private readonly noteSize?: (part: M, tokens: Tokens) => void,
  ) {}

  /** @param moment messages that were there already have not grown since, as long as it is the same */
  of(given: readonly M[], moment: unknown): HeldConversation<M> {
    const isSame = areSame(given, this.given)
    if (isSame && moment === this.moment && this.held !== null) return this.held
    this.moment = moment
    if (!isSame) this.given = [...given]
    const list = this.given
    const hasBlocks = this.form.hasBlocks === true
    const instructions = hasBlocks ? instructionsOf(list) : []
    const messages = instructions.length === 0 ? list : list.slice(instructions.length)
    let parts: readonly M[] | null = null
    let sizes: readonly Tokens[] | null = null
    this.held = {
      instructions,
      messages,
      parts: () => {
        if (parts === null) {
          const extents = sizes !== null && this.counted === messages ? this.extents : undefined
          parts = this.keptParts(hasBlocks ? splitMessages(messages, extents) : messages)
          if (sizes !== null) this.handOn(parts, messages, sizes)
        }
        return parts
      },
      tokensFrom: (place) => {
        sizes ??= this.sizesOf(messages)
        let tokens = 0
        for (let at = place; at < sizes.length; at++) tokens += sizes[at] ?? 0
        return tokens
      },
      extent: () => {
        sizes ??= this.sizesOf(messages)
        const extents = this.counted === messages ? this.extents : messages.map(extentOf)
        return extents.reduce((sum, extent) => sum + extent, 0)
      },
    }
    return this.held
  }

  /** Who asks by the list finds the same one again. */
  private keptParts(parts: readonly M[]): readonly M[] {
    if (!areSame(parts, this.parts)) this.parts = parts
    return this.parts
  }

  /** A part that is the whole of one message is as large as that, and need not be counted once more. */
  private handOn(parts: readonly MessagePart[], messages: readonly M[], sizes: readonly Tokens[]): void {
    const { noteSize } = this
    if (noteSize === undefined) return
    let at = 0
    for (let place = 0; place < parts.length; place++) {
      const part = parts[place] as MessagePart
      const origin = part[ORIGIN]
      const isWhole = origin === undefined || (origin.parts.length === 1 && origin.messages.length === 1)
      if (!isWhole) continue
      const message = origin?.messages[0] ?? part
      while (at < messages.length && messages[at] !== message) at += 1
      const size = sizes[at]
      if (size !== undefined) noteSize(part as M, size)
    }
  }

  /** Each message is counted once, until it grows. */
  private sizesOf(messages: readonly M[]): readonly Tokens[] {
    const { counted, extents, sizes } = this
    const now: number[] = new Array(messages.length)
    const tokens: Tokens[] = new Array(messages.length)
    let same = 0
    for (let at = 0; at < messages.length; at++) {
      const message = messages[at] as M
      const extent = extentOf(message)
      now[at] = extent
      const known = counted[at] === message && extents[at] === extent ? sizes[at] : undefined
      if (known !== undefined && same === at) same += 1
      tokens[at] = known ?? this.sizeOf(message)
    }
    this.counted = messages
    this.extents = now
    this.sizes = tokens
    const fresh = messages.length - same
    if (this.form.hasBlocks === true && fresh > 0 && fresh <= FEW) this.takeApart(messages, same)
    return tokens
  }

  /** What comes as turns go on is taken apart then: a compaction finds it done, and not thousands of messages to do. */
  private takeApart(messages: readonly M[], from: number): void {
    const fresh = messages.slice(from)
    this.handOn(splitMessages(fresh, this.extents.slice(from)), fresh, this.sizes.slice(from))
  }
}

/** So many messages at most come between two requests, but for a conversation that is loaded. */
const FEW = 64

function isMessages<M>(value: unknown): value is readonly M[] {
  return Array.isArray(value) && value.every(isObject)
}

function areSame<M>(some: readonly M[], others: readonly M[]): boolean {
  if (some === others) return true
  if (some.length !== others.length) return false
  for (let at = 0; at < some.length; at++) if (some[at] !== others[at]) return false
  return true
}

type ConversationPorts<M> = Pick<LiveAgent<M>, 'getContext' | 'setContext'>

/** The same, and the conversation as it is held. */
type PartPorts<M> = ConversationPorts<M> & { readonly held: () => Promise<HeldConversation<M>> }

/** How a conversation is read in parts. */
type ReadingParts<M> = {
  readonly sizeOf: TokensOf<M>
  /** Called with the size of a part, where that is known already. */
  readonly noteSize?: (part: M, tokens: Tokens) => void
  /** Called with the instructions in front when they are seen. */
  readonly noteInstructions?: (messages: readonly M[]) => void
  /** Messages are looked at for growth in place when it answers something else than before. */
  readonly moment?: () => unknown
}

/**
 * A conversation read and written in parts. What is put back is whole messages again, and those that nothing was done to
 * are the agent's own.
 */
export function conversationInParts<M extends ContentMessage>(
  agent: ConversationPorts<M>,
  form: { readonly hasBlocks?: boolean },
  { sizeOf, noteSize, noteInstructions = () => {}, moment = () => ({}) }: ReadingParts<M>,
): PartPorts<M> {
  const conversation = new ConversationParts<M>(form, sizeOf, noteSize)
  // By these it is known what the agent keeps, also when nothing is left for a moment.
  let seen: readonly M[] = []
  let noted: HeldConversation<M> | null = null
  const held = async () => {
    const messages = await agent.getContext()
    if (messages.length > 0) seen = messages
    const now = conversation.of(messages, moment())
    if (now !== noted) noteInstructions(now.instructions)
    noted = now
    return now
  }
  return {
    held,
    getContext: async () => (await held()).parts(),
    setContext: async (parts) => {
      const before = await agent.getContext()
      const { instructions } = await held()
      const whole = asUiMessages([...instructions, ...joinParts(parts)], seen)
      await agent.setContext(withoutStaleCheckpoints(before, whole))
    },
  }
}

/** An agent whose conversation is in parts. */
export type AgentInParts<M extends ContentMessage> = LiveAgent<M> & Pick<PartPorts<M>, 'held'>

/**
 * The agent as the ladder sees it: its conversation in parts, each result by itself, whatever the API; see
 * `conversationInParts`.
 */
export function agentInParts<M extends ContentMessage>(
  agent: LiveAgent<M>,
  reading: ReadingParts<M>,
): AgentInParts<M> {
  const { form, curate } = agent
  const split = (messages: readonly M[]) => (form.hasBlocks === true ? splitMessages(messages) : messages)
  const getMessages = agent.getMessages?.bind(agent)
  const own: AgentInParts<M> = {
    session: agent.session,
    form,
    clock: agent.clock,
    ...conversationInParts(agent, form, reading),
    ...(getMessages === undefined ? {} : { getMessages: async (count) => split(await getMessages(count)) }),
    ...(curate === undefined
      ? {}
      : {
          curate: async (context) => {
            const incoming = joinParts(context.incoming)
            const messages = asUiMessages(joinParts(context.messages), incoming)
            const kept: unknown = await curate({ ...context, messages, incoming })
            // What is no list of messages is refused where it is looked at, by what it is.
            return isMessages<M>(kept) ? split(kept) : (kept as readonly M[])
          },
        }),
  }
  // Whatever else the agent gives, fields and methods of a class alike, is found behind these fields.
  return Object.setPrototypeOf(own, agent)
}
