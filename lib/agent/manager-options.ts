import type { BootstrapHook } from '../core/bootstrap/hooks'
import type { TokensOf } from '../core/history/message'
import type { ContentMessage } from '../core/history/thinking'
import type { Policy } from '../core/policy/policy'
import type { TextEstimator } from '../core/tokens/estimate'
import type { Milliseconds, Tokens } from '../core/units/units'
import type { CallScope } from '../engine/jobs/call-scope'
import type { PromptCache } from '../engine/workspace/prompt-cache'
import type { LiveAgent } from './live-agent'
import type { ContextPass } from './live-parts'
import type { AgentRecall } from './request-memory'

/** What a `ContextManager` is made of. Policy, window, key and prompt cache are asked for, the rest is left to the agent. */
export type ContextManagerOptions<M extends ContentMessage> = {
  readonly policy: Policy
  /** The model's window in tokens; see `policyWindow` for where it comes from. */
  readonly window: Tokens
  /** Session key, for limits by channel and user; null where a runtime has none. */
  readonly key: string | null
  /** Sizes a message; without it all that it holds is estimated by `countText` (see `countMessage`). */
  readonly tokensOf?: TokensOf<M>
  /** Sizes texts: the system prompt, and messages without `tokensOf`. Ours unless another counter is plugged in. */
  readonly countText?: TextEstimator
  /** Who gets the requests, as `providerFamily` takes it: decides their order. Default: what the messages show. */
  readonly provider?: string
  /** The agent's workspace files; null for an agent without a workspace. */
  readonly promptCache: Pick<PromptCache, 'snapshot'> | null
  readonly hooks?: readonly BootstrapHook[]
  readonly subagent?: boolean
  /** The agent whose context is managed; without it the manager measures and puts together, and changes nothing. */
  readonly agent?: LiveAgent<M>
  /** What tools and whatever else comes before the conversation take, besides the system prompt made here. Tokens. */
  readonly fixedTokens?: Tokens | (() => Tokens)
  /**
   * How long what the agent gives (cold storage, memory, log, sessions, workspace, search) may take for one answer, in
   * milliseconds; ten times as long for what may ask a model itself (`onFlush`, `curate`, hooks). What takes longer
   * counts as failed: the turn goes on without it, and says so. The conversation itself has no limit. Default: 30,000.
   */
  readonly timeLimit?: Milliseconds
  /** Tells from where the manager is called; `plimsoll` on Node has one, elsewhere the plain one serves. */
  readonly scope?: CallScope
  /** Further parts of the ladder; they run after dropping by relevance, before a compaction. */
  readonly passes?: readonly ContextPass<M>[]
  /** What the agent remembers with, besides its context. */
  readonly recall?: AgentRecall<M>
}
