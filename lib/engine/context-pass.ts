import type { ContentMessage } from '../core/history/thinking'
import type { TurnMoment } from '../core/pruning/due-pass'
import type { ContextCheck } from './check-context'
import type { DropOutcome } from './drop-outcome'
import type { LadderParts } from './ladder-parts'
import type { LadderStep } from './live-agent'

/** What a part of the ladder is given to work on. */
export type PassInput<M extends ContentMessage> = {
  readonly parts: LadderParts<M>
  /** The conversation as far as it may be changed: what a rolling summary stands for is left out. */
  readonly messages: readonly M[]
  /** What is about to come in, and so says what matters now; nothing after a reply. */
  readonly incoming: readonly M[]
  readonly moment: TurnMoment
  readonly check: ContextCheck
  /** Tokens that are sent besides `messages`: the fixed part, the rolling summary, what is about to come in. */
  readonly beside: number
  /** A compaction waits until the agent has saved its memory; what stands for one waits with it. */
  readonly waits: boolean
  /** Nothing else brought the context below its hard line; whatever may go must go (A13). */
  readonly last: boolean
  readonly signal?: AbortSignal
}

export type PassResult<M> = {
  /** What takes the place of `messages`, in their order; null: they stay as they are. */
  readonly messages: readonly M[] | null
  readonly drop: DropOutcome | null
  /** For the operator: what failed, and what was done instead. */
  readonly notes: readonly string[]
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
