import { hardLine } from '../core/budget/load-lines'
import type { ContentMessage } from '../core/history/thinking'
import type { Policy } from '../core/policy/policy'
import type { TurnMoment } from '../core/pruning/due-pass'
import type { DropPlan } from '../core/pruning/relevance-drop'
import type { MessageForm } from '../core/summary/message-form'
import type { Tokens } from '../core/units/units'
import type { StoredChunk } from '../engine/cold/cold-store'
import type { ColdPorts } from '../engine/cold/drop-to-cold'
import type { ColdLibrary } from '../engine/cold/search-cold'
import type { Embedding } from '../engine/relevance/score-context'
import type { SummaryOptions } from '../engine/summary/write-summary'
import type { CopyPlace } from './cold/keep-copies'
import type { AgentInParts } from './conversation'
import type { LadderStep } from './live-agent'
import type { ContextCheck, GaugedContext, LiveGauge } from './live-gauge'
import type { RememberedState } from './remembered-state'
import { rolledView } from './rolling-summary'

/** Where the copies go of what leaves the conversation. */
export function copyPlace<M extends ContentMessage>(parts: LiveParts<M>): CopyPlace<M> {
  const { agent, form, policy, cold } = parts
  return { session: agent.session, form, policy, ports: cold?.ports ?? null }
}

/** What every step of the ladder works with. */
export type LiveParts<M extends ContentMessage> = {
  readonly policy: Policy
  readonly window: Tokens
  readonly agent: AgentInParts<M>
  readonly form: MessageForm<M>
  readonly gauge: LiveGauge<M>
  readonly state: RememberedState
  readonly summary: Pick<SummaryOptions, 'sizeOf' | 'mask' | 'isSecret'>
  /** What system prompt, tools and workspace files take, as far as it is known. Tokens. */
  readonly fixedTokens: () => number
  /** What the division of the window leaves to history. Tokens. */
  readonly historyBudget: () => number
  /** Rules of the agent's workspace that every summary carries; null when there are none. */
  readonly workspaceRules: () => Promise<string | null>
  /** Run between flush and compaction, and again after a reply, in their order. */
  readonly passes: readonly ContextPass<M>[]
  /** null: what leaves the context is gone, and nothing comes back. */
  readonly cold: LiveCold | null
}

/** The cold storage of a live conversation, and what has come back from there. */
export type LiveCold = {
  readonly ports: ColdPorts
  readonly library: ColdLibrary
  /** As it says how alike texts are when chunks are scored; null: words and hashed vectors do. */
  readonly embedding: Embedding | null
  /** The prompt that was looked for last: the same question brings nothing back twice. */
  asked: string
  /** Ids of what came back since this agent was opened. */
  readonly cameBack: Set<string>
}

/**
 * Tokens that a conversation may take so that the hard line holds, margin and incoming messages counted; what a line
 * that is switched off allows is the window.
 */
export function roomBelowHardLine<M extends ContentMessage>(
  { policy, window, gauge, fixedTokens }: LiveParts<M>,
  incoming: readonly M[],
): number {
  const line = hardLine(policy, window)?.tokens ?? window
  const room = Math.floor(line / policy.counting.safetyMargin)
  return Math.max(0, room - fixedTokens() - gauge.sum(incoming))
}

/** What a part of the ladder is given to work on. */
export type PassInput<M extends ContentMessage> = {
  readonly parts: LiveParts<M>
  /** The conversation as far as it may be changed: what a rolling summary replaces is left out. Made when it is read. */
  readonly messages: readonly M[]
  /** There is no message at all; who asks only this needs no `messages`. */
  readonly isEmpty: boolean
  /** What is about to come in, and so says what matters now; nothing after a reply. */
  readonly incoming: readonly M[]
  readonly moment: TurnMoment
  readonly check: ContextCheck
  /** Tokens that are sent besides `messages`: the fixed part, the rolling summary, what is about to come in. */
  readonly beside: number
  /** A compaction waits until the agent has saved its memory; what replaces one waits with it. */
  readonly waits: boolean
  /** Nothing else brought the context below its hard line; whatever may go must go. */
  readonly last: boolean
  readonly signal?: AbortSignal
}

export type PassResult<M> = {
  /** What takes the place of `messages`, in their order; null: they stay as they are. */
  readonly messages: readonly M[] | null
  readonly drop: DropOutcome | null
  /** For the operator: what failed, and what was done instead. */
  readonly notes: readonly string[]
  /** Messages that cold storage has a copy of already; of all others that leave one is made. */
  readonly copied?: ReadonlySet<M>
  /** Called when the conversation has been replaced, or is left as it is: to write logs. Answers what went wrong. */
  readonly settled?: () => Promise<readonly string[]>
  /** Called in its place when somebody else changed the conversation meanwhile, so that nothing was replaced. */
  readonly discarded?: () => Promise<readonly string[]>
}

/**
 * A part of the ladder that takes something out of a conversation, or makes it shorter: dropping by relevance, and
 * whatever else an agent plugs in. Parts run one after the other, each on what the one before has left; none ever runs
 * beside another, or beside a compaction.
 */
export interface ContextPass<M extends ContentMessage> {
  readonly step: LadderStep
  /** How a failure begins: `Nothing was dropped`. */
  readonly failed: string
  /** Asked before `run`, at both moments of a turn; must be cheap. */
  isDue(input: PassInput<M>): boolean
  /** Works out what is to become of the messages, and brings what leaves into safety; changes no message in place. */
  run(input: PassInput<M>): Promise<PassResult<M>>
}

/** What a pass by relevance did to a conversation. */
export type DropOutcome = {
  /** What was decided of each chunk, with its score and the reason. */
  readonly plan: DropPlan
  /** What left the context, with the files that have it now. */
  readonly dropped: readonly StoredChunk[]
  /** So many chunks stayed in short. */
  readonly shortened: number
  /** What they had said, where there is cold storage. */
  readonly condensed: readonly StoredChunk[]
  /** Of the part of the conversation that was looked at, in tokens. */
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** It was the compaction of this call: no other one follows. */
  readonly compacted: boolean
  /** What the likeness to the prompt was worked out with: `bm25+hash`, or the id of an embedder. */
  readonly likenessBy: string
}

/** How full the context of a live agent is now: what is sent of its conversation, and what is about to come in. */
export async function currentCheck<M extends ContentMessage>(
  parts: LiveParts<M>,
  incoming: readonly M[],
): Promise<ContextCheck> {
  return parts.gauge.check(await gauged(parts), incoming)
}

/** Takes what the provider counted for the conversation as it is now. */
export async function noteReport<M extends ContentMessage>(
  parts: LiveParts<M>,
  tokens: Tokens,
): Promise<void> {
  parts.gauge.note(tokens, await gauged(parts))
}

/** Tokens of what is sent of the conversation; a rolling summary counts in the place of what it replaces. */
export async function sentTokens<M extends ContentMessage>(parts: LiveParts<M>): Promise<Tokens> {
  return (await gauged(parts)).sent()
}

/** The conversation is taken apart only where a rolling summary replaces some of it. */
async function gauged<M extends ContentMessage>(parts: LiveParts<M>): Promise<GaugedContext> {
  const { agent, gauge, state, form } = parts
  const held = await agent.held()
  const { rolling } = await state.get()
  const since = (place: number) => held.tokensFrom(place)
  const sent = () => {
    const { summary, rest } = rolledView(rolling === null ? [] : held.parts(), rolling, form)
    return summary === null ? held.tokensFrom(0) : gauge.sum([summary, ...rest])
  }
  return { count: held.messages.length, since, sent }
}
