import type { FormName } from '../../core/forms/form-name'
import type { ContentMessage } from '../../core/history/thinking'
import type { PolicyPatch } from '../../core/policy/policy'
import type { PresetName } from '../../core/policy/presets'
import type { TextEstimator } from '../../core/tokens/estimate'
import type { Milliseconds, Tokens } from '../../core/units/units'
import type { ColdStore } from '../../engine/cold/cold-store'
import type { CompactionHooks } from '../../engine/compaction/compaction-hooks'
import type { AgentMemory } from '../../engine/knowledge/agent-memory'
import type { FactStore } from '../../engine/knowledge/fact-store'
import type { MemorySearch } from '../../engine/knowledge/recall'
import type { ContextLog } from '../../engine/logs/log-ports'
import type { SummaryChain } from '../../engine/summary/summary-chain'
import type { PromptCache } from '../../engine/workspace/prompt-cache'
import type { LiveAgent } from '../live-agent'
import type { SessionStore } from '../session/session-store'
import type { TaskStore } from '../task-store'
import type { SummaryFunction } from './summary-model'

/** What a context is made of; all but `model` has a default. */
export type ContextOptions = {
  /** The model that answers, with or without its provider: `'claude-sonnet-4-5'`, `'openai/gpt-5.1'`. */
  readonly model: string
  /** The model's context window in tokens: `128_000`. Default: the list of models; for a model that it does not know, the policy's default, with a warning. */
  readonly window?: Tokens
  /** Who serves the model, for its window, price and order of messages: `'bedrock'`. Default: what model and messages show. */
  readonly provider?: string
  /** How messages are written: `'openai-chat'`. Default: what the messages show. */
  readonly form?: FormName
  /** What decides: the name of a preset (`'goclaw'`), or any part of a policy (`{ lines: { compact: { at: 0.7 } } }`), which is laid over the defaults. */
  readonly policy?: PresetName | PolicyPatch
  /**
   * Names the conversation in logs, memory and cold storage, so that it is found again after a restart:
   * `'agent:harbour:main'`. Default: a separate name, so that no conversation finds what another one dropped.
   */
  readonly session?: string
  /** Where dropped chunks are kept. Default: `transientCold()`, which ends with the process. */
  readonly cold?: ColdStore
  /** Where compactions, curations, drops and recoveries are noted. Default: nowhere. */
  readonly logs?: ContextLog
  /** Where checkpoints and the state of the ladder outlive the process: `transientMemory()`. Default: they end with it, and no checkpoint is written. */
  readonly memory?: AgentMemory
  /**
   * Where all that is said is written down, message by message as it was said, whatever leaves the context: a store such
   * as `openSessions(folder)`. Default: nowhere.
   */
  readonly sessions?: SessionStore
  /** Files that each request begins with, as `system` of what `fit` answers: a `PromptCache`. */
  readonly workspace?: Pick<PromptCache, 'snapshot'>
  /** Where the agent's tasks are kept; `context.tasks` then keeps them: `transientTasks()`. */
  readonly tasks?: TaskStore
  /** Where facts are kept that tasks teach; `context.facts` then knows them: `transientFacts()`. */
  readonly facts?: FactStore
  /** Searched for each prompt; what it finds is in `system`: a `RecallLibrary`. */
  readonly search?: MemorySearch
  /** Writes summaries: a function that asks your model, or a `SummaryChain`. Default: a digest, which asks no model. */
  readonly summary?: SummaryFunction | SummaryChain
  /** Counts the tokens of a text: `(text) => encode(text).length`. Default: an estimator, corrected by what `report` is given. */
  readonly countTokens?: TextEstimator
  /** Lets the agent save what matters before something is compacted: `async ({ text }) => runMemoryTurn(text)`. */
  readonly onFlush?: LiveAgent<ContentMessage>['onFlush']
  /** Run before and after each compaction. */
  readonly hooks?: CompactionHooks
  /** What must not reach a model that summarises: `{ mask: maskSecrets, isSecret: () => false }`. */
  readonly secrets?: LiveAgent<ContentMessage>['secrets']
  /**
   * How long a store, log or search of yours may take for one answer, in milliseconds: `5_000`. What takes longer counts
   * as failed: the turn goes on without it, with a warning. `onFlush` and `hooks`, which may ask a model, have ten times
   * as long. Default: 30,000.
   */
  readonly timeLimit?: Milliseconds
  /** Receives each warning once more, as it comes: `console.warn`. */
  readonly onWarning?: (warning: string) => void
  /** The time in milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => Milliseconds
}
