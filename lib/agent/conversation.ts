import { joinParts, splitMessages } from '../core/history/message-parts'
import type { ContentMessage } from '../core/history/thinking'
import { asUiMessages } from '../core/history/ui-parts'
import { withoutStaleCheckpoints } from '../core/pruning/without-checkpoints'
import { isObject } from '../core/transcript/json'
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

/** A conversation as it is kept: instructions in front, which always stay, and the rest in parts. */
export type KeptConversation<M> = { readonly instructions: readonly M[]; readonly parts: readonly M[] }

/** Takes a conversation apart, where its form has blocks. */
export function keptConversation<M extends ContentMessage>(
  { hasBlocks }: { readonly hasBlocks?: boolean },
  messages: readonly M[],
): KeptConversation<M> {
  if (hasBlocks !== true) return { instructions: [], parts: [...messages] }
  const instructions = instructionsOf(messages)
  const rest = messages.slice(instructions.length)
  const parts = splitMessages(rest)
  return { instructions, parts }
}

/** The instructions in front of a conversation in the form of an API. */
export function instructionsOf<M extends ContentMessage>(messages: readonly M[]): readonly M[] {
  const first = messages.findIndex(({ role }) => !INSTRUCTIONS.has(role))
  return messages.slice(0, first < 0 ? messages.length : first)
}

/** Keeps what was made of a conversation as long as it stays the same, whoever holds its list. */
class ConversationParts<M extends ContentMessage> {
  private messages: readonly M[] = []
  private moment: unknown
  private kept: KeptConversation<M> = { instructions: [], parts: [] }

  constructor(private readonly form: { readonly hasBlocks?: boolean }) {}

  /** @param moment messages that were there already have not grown since, as long as it is the same */
  of(messages: readonly M[], moment: unknown): KeptConversation<M> {
    const before = this.messages
    const isSame = areSame(messages, before)
    if (isSame && moment === this.moment) return this.kept
    this.moment = moment
    const kept = keptConversation(this.form, messages)
    // Who asks by the list finds the same one again.
    if (isSame && areSame(kept.parts, this.kept.parts)) return this.kept
    this.messages = [...messages]
    this.kept = kept
    return kept
  }
}

function isMessages<M>(value: unknown): value is readonly M[] {
  return Array.isArray(value) && value.every(isObject)
}

function areSame<M>(some: readonly M[], others: readonly M[]): boolean {
  return some.length === others.length && some.every((one, at) => one === others[at])
}

type ConversationPorts<M> = Pick<LiveAgent<M>, 'getContext' | 'setContext'>

/**
 * A conversation read and written in parts. What is put back is whole messages again, and those that nothing was done to
 * are the agent's own.
 * @param noteInstructions told of the instructions in front each time they are seen
 * @param moment messages are looked at for growth in place when it answers something else than before
 */
export function conversationInParts<M extends ContentMessage>(
  agent: ConversationPorts<M>,
  form: { readonly hasBlocks?: boolean },
  noteInstructions: (messages: readonly M[]) => void = () => {},
  moment: () => unknown = () => ({}),
): ConversationPorts<M> {
  const conversation = new ConversationParts<M>(form)
  // By these it is known what the agent keeps, also when nothing is left for a moment.
  let seen: readonly M[] = []
  const read = async () => {
    const messages = await agent.getContext()
    if (messages.length > 0) seen = messages
    const kept = conversation.of(messages, moment())
    noteInstructions(kept.instructions)
    return kept
  }
  return {
    getContext: async () => (await read()).parts,
    setContext: async (parts) => {
      const before = await agent.getContext()
      const { instructions } = await read()
      const whole = asUiMessages([...instructions, ...joinParts(parts)], seen)
      await agent.setContext(withoutStaleCheckpoints(before, whole))
    },
  }
}

/**
 * The agent as the ladder sees it: its conversation in parts, each result by itself, whatever the API; see
 * `conversationInParts`.
 */
export function agentInParts<M extends ContentMessage>(
  agent: LiveAgent<M>,
  noteInstructions: (messages: readonly M[]) => void,
  moment?: () => unknown,
): LiveAgent<M> {
  const { form, curate } = agent
  const split = (messages: readonly M[]) => (form.hasBlocks === true ? splitMessages(messages) : messages)
  const getMessages = agent.getMessages?.bind(agent)
  const own: LiveAgent<M> = {
    session: agent.session,
    form,
    clock: agent.clock,
    ...conversationInParts(agent, form, noteInstructions, moment),
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
  // Whatever else the agent gives, fields and methods of a class alike, is found behind what stands here.
  return Object.setPrototypeOf(own, agent)
}
