import type { WorkPlan } from '../core/memory/work-steps'
import type { Policy } from '../core/policy/policy'
import type { MessageForm } from '../core/summary/message-form'
import type { Tokens } from '../core/units/units'
import type { ColdStore } from '../engine/cold/cold-store'
import type { CompactionHooks } from '../engine/compaction/compaction-hooks'
import type { Diagnose } from '../engine/compaction/diagnose'
import type { AgentMemory } from '../engine/knowledge/agent-memory'
import type { ContextLog } from '../engine/logs/log-ports'
import type { Clock } from '../engine/read/ports'
import type { Embedding } from '../engine/relevance/score-context'
import type { SummaryChain } from '../engine/summary/summary-chain'
import type { SummaryOptions } from '../engine/summary/write-summary'
import type { SessionPhase, SessionStore } from './session/session-store'

/** What a pass over the ladder did, in its order. */
export type LadderStep = 'flush' | 'curate' | 'slide' | 'compact' | 'cut' | 'roll' | 'recover'

/** The request to save what matters, to be given to the agent once. */
export type FlushPrompt = {
  readonly text: string
  /** The line that was reached, as a share of the window. */
  readonly at: number
  readonly delivery: 'system' | 'user'
  /** Belongs into the system prompt of that request, besides the text; '' is nothing. */
  readonly systemPrompt: string
}

/**
 * Takes what matters least out of a conversation, above the ladder's first line. Answers the messages that stay, the
 * same objects; the newest message of the user is always among them.
 */
export type Curate<M> = (context: {
  readonly messages: readonly M[]
  /** What is about to come in, and so says what matters now. */
  readonly incoming: readonly M[]
  readonly policy: Policy
  readonly window: Tokens
}) => Promise<readonly M[]>

/** What a live agent gives, so that its context can be managed for it. */
export type LiveAgent<M> = {
  /** Names the conversation in what is remembered of it. */
  readonly session: string
  /** The conversation so far, oldest first, without what is about to come in. Messages are never changed in place. */
  readonly getContext: () => readonly M[] | Promise<readonly M[]>
  /** Puts another conversation in its place. */
  readonly setContext: (messages: readonly M[]) => void | Promise<void>
  /** The provider's figure for the context as it is; null when there is none. It beats every estimate. */
  readonly getTokenCount?: () => number | null
  /**
   * The newest messages as they were said, so many of them, whatever the context holds of them by now: what was asked
   * last is searched for there, as long as nothing is about to come in. Without it, it is searched for in the context.
   */
  readonly getMessages?: (count: number) => readonly M[] | Promise<readonly M[]>
  readonly form: Omit<MessageForm<M>, 'tokensOf'>
  readonly clock: Clock
  /** Models that summarise; without one the digest is the summary, and no model is asked. */
  readonly chain?: SummaryChain | null
  /** Without one, what is remembered ends with the process. */
  readonly memory?: AgentMemory
  /**
   * The plan that the agent works through, so that a restart can go on with it; null while it has none. Left out,
   * the plan is what its planning tool was called with last.
   */
  readonly plan?: () => WorkPlan | null | Promise<WorkPlan | null>
  readonly curate?: Curate<M>
  /** Where dropped chunks are kept. With it, chunks are dropped by relevance, and come back when they are needed. */
  readonly cold?: ColdStore
  /** false: nothing is dropped for its low relevance; what a summary replaces still goes to cold storage, and comes back. */
  readonly dropsByRelevance?: boolean
  /** Says how alike texts are; without it words and hashed vectors do, and no service is asked. */
  readonly embedding?: Embedding | null
  /** Lets the agent save its memory in its own turn; without it the prompt goes into the next request. */
  readonly onFlush?: (prompt: FlushPrompt) => Promise<void>
  /** Around each compaction; a hook that fails harms nothing. */
  readonly hooks?: CompactionHooks
  /** Where compactions, curations, drops and recoveries are noted; nowhere, when it is left out. */
  readonly log?: ContextLog
  /** Where what is said is written down, turn by turn, as it was said; nowhere, when it is left out. */
  readonly sessions?: SessionStore
  /** Called with each phase of the session as it begins; with `sessions` alone. */
  readonly onPhase?: (phase: SessionPhase) => void
  readonly onStep?: (step: LadderStep) => void
  /** Lines about what is done to the context, for the log of the agent's host. Credentials are covered. */
  readonly diagnose?: Diagnose
  /** How credentials are kept from models and summaries; nothing is masked without it. */
  readonly secrets?: Pick<SummaryOptions, 'mask' | 'isSecret'>
}
