// The public surface of the package as far as it needs no Node (`plimsoll/core`): what an agent builder needs, and the
// types in its signatures. What is named here stays, everything else may move; `surface.test.ts` has the list.

export type { AddedMessage } from '../agent/add-with-room'
export type { AfterCuration, AfterResponse, EndedTurn } from '../agent/after-response'
export type { AssembledRequest, RequestInput } from '../agent/assemble-request'
export type { BeforeResponse } from '../agent/before-response'
export type { EndedSession, LiveRecovery, UndoneRecovery } from '../agent/cold/cold-memory'
export type { LiveOutcome } from '../agent/compact-context'
export { CONTENT_FORM, contentForm } from '../agent/content-form'
export { ContextManager } from '../agent/context-manager'
export { Conversation } from '../agent/conversation'
export {
  AgentContext,
  type ColdMatch,
  type ContextStatus,
  type ReportedCall,
} from '../agent/kit/agent-context'
export {
  type ContextMiddleware,
  type ContextStep,
  contextMiddleware,
  contextPrepareStep,
} from '../agent/kit/ai-sdk'
export type { ContextOptions } from '../agent/kit/context-options'
export { createContext } from '../agent/kit/create-context'
export { fitMessages } from '../agent/kit/fit-messages'
export { type FittableRequest, fitRequest } from '../agent/kit/fit-request'
export type { DroppedChunk, FitDone, FitOptions, FitResult, ReturnedChunk } from '../agent/kit/fit-result'
export { ContextOptionError } from '../agent/kit/option-error'
export type { SummaryFunction } from '../agent/kit/summary-model'
export type { Curate, FlushPrompt, LadderStep, LiveAgent } from '../agent/live-agent'
export { type ContextCheck, WindowRefused } from '../agent/live-gauge'
export type { ContextPass } from '../agent/live-parts'
export type { LiveStatus } from '../agent/live-status'
export type { ContextManagerOptions } from '../agent/manager-options'
export type { MemoryEvents } from '../agent/memory-events'
export type { AgentRecall } from '../agent/request-memory'
export type { OpenedSession, SessionEntry, SessionPhase, SessionStore } from '../agent/session/session-store'
export { type CompletedTask, type KeptChange, TaskKeeper, type TaskKeeperOptions } from '../agent/task-keeper'
export { type TaskStore, transientTasks } from '../agent/task-store'
export type { PromptCacheState } from '../core/bootstrap/prompt-cache-state'
export { type PolicyWindow, policyWindow } from '../core/budget/guard'
export {
  type Added,
  addToLedger,
  available,
  canAdd,
  type Freeable,
  type Ledger,
  openLedger,
} from '../core/budget/ledger'
export { fits, type Regions, splitWindow } from '../core/budget/regions'
export type { ToolResultReport } from '../core/budget/tool-results'
export type { WindowHints } from '../core/budget/window'
export { originalOf } from '../core/cold/original-text'
export { FormError } from '../core/forms/form-error'
export { FORM_NAMES, type FormName } from '../core/forms/form-name'
export { formOf } from '../core/forms/form-of'
export { countMessage } from '../core/history/count-message'
export type { HistoryMessage } from '../core/history/message'
export { findUnpaired, type Unpaired } from '../core/history/pairing'
export type { MessageCraft } from '../core/history/provider-order'
export {
  cachedSystemBlocks,
  type SystemBlock,
  type SystemPrompt,
  timeLine,
} from '../core/history/system-prompt'
export type { ContentMessage } from '../core/history/thinking'
export { LOG_KINDS } from '../core/logs/log-kinds'
export type { NewTask } from '../core/memory/change-tasks'
export type { FoundFact } from '../core/memory/extract-facts'
export type { Fact } from '../core/memory/fact'
export type { RankedFact } from '../core/memory/rank-facts'
export type { ResumeOffer } from '../core/memory/step-checkpoint'
export type { Task, TaskTree } from '../core/memory/task'
export type { WorkingEntry } from '../core/memory/working-memory'
export { DEFAULT_POLICY } from '../core/policy/default-policy'
export {
  effectivePolicy,
  liveSubject,
  type PolicySources,
  type PolicySubject,
} from '../core/policy/effective'
export type { Policy } from '../core/policy/policy'
export { PRESETS } from '../core/policy/presets'
export { type PolicyLayer, type ResolvedPolicy, resolvePolicy } from '../core/policy/resolve'
export { maskSecrets } from '../core/redaction/secrets'
export type { MessageForm } from '../core/summary/message-form'
export type { SourceMessage } from '../core/summary/source-message'
export type { Encoding, Pause } from '../core/tokens/bpe-vocabulary'
export { estimateUnits, type TextEstimator } from '../core/tokens/estimate'
export { countExact, type ExactCount } from '../core/tokens/exact'
export type { Figure } from '../core/tokens/figure'
export type { RunTotals } from '../core/transcript/session-lines'
export type { ColdStore } from '../engine/cold/cold-store'
export { transientCold } from '../engine/cold/transient-cold'
export type { CallScope } from '../engine/jobs/call-scope'
export { type AgentMemory, transientMemory } from '../engine/knowledge/agent-memory'
export { type FactMirror, type FactStore, transientFacts } from '../engine/knowledge/fact-store'
export {
  type FactEdit,
  KnowledgeBase,
  type KnowledgePorts,
  type Learned,
} from '../engine/knowledge/knowledge-base'
export { type MirrorOptions, mirroredFacts } from '../engine/knowledge/mirrored-facts'
export type { MemorySearch } from '../engine/knowledge/recall'
export {
  type FoundPiece,
  RecallLibrary,
  type RecallLibraryOptions,
  type SyncReport,
} from '../engine/knowledge/recall-library'
export { type OldSessionsOptions, recallCold, recallSessions } from '../engine/knowledge/recall-places'
export type { IndexedSource, RecallJournal, RecallPlace } from '../engine/knowledge/recall-ports'
export type { ContextLog } from '../engine/logs/log-ports'
export type { PolicyDocument } from '../engine/policy/policy-store'
export type { Clock, StoreReader } from '../engine/read/ports'
export type { Embedder } from '../engine/relevance/embedder'
export type { Embedding } from '../engine/relevance/score-context'
export type { Summarizer, SummarizerRequest } from '../engine/summary/summarizer'
export { type ChainPorts, type ChainReply, SummaryChain } from '../engine/summary/summary-chain'
export { PromptCache, type PromptCacheParts } from '../engine/workspace/prompt-cache'
export type { WorkspaceSnapshot } from '../engine/workspace/workspace'
