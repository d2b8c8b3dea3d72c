// The public surface of the package as far as it needs no Node (`plimsoll/core`): what stands here stays, everything
// else may move. Together with library.ts the only files that gather names of others.

// Workspace files in the prompt.
export { type BootstrapCaps, bootstrapCaps } from './core/bootstrap/caps'
export { chooseFiles } from './core/bootstrap/choose-files'
export { type BootstrapHook, runHooks } from './core/bootstrap/hooks'
export {
  type Bootstrap,
  type BootstrapInput,
  type InjectedFile,
  injectBootstrap,
} from './core/bootstrap/inject'
export { shortenFile } from './core/bootstrap/shorten'
export type { WorkspaceFile } from './core/bootstrap/workspace-file'
// Budget: regions, lines, guard, ledger.
export { callsToLine } from './core/budget/calls-to-line'
export { type Guard, guardWindow, type PolicyWindow, policyReserve, policyWindow } from './core/budget/guard'
export {
  type Added,
  addWithRoom,
  available,
  canAdd,
  type Freeable,
  type Ledger,
  openLedger,
} from './core/budget/ledger'
export { hardLine, type LineKind, type LoadLine, linesReached, loadLines } from './core/budget/load-lines'
export {
  fits,
  type HistoryBudget,
  historyBudget,
  type Regions,
  splitWindow,
  type Used,
} from './core/budget/regions'
export { type ToolHolding, type ToolResultReport, toolResultReport } from './core/budget/tool-results'
export {
  DEFAULT_WINDOW,
  type Window,
  type WindowHints,
  type WindowSource,
  windowFor,
} from './core/budget/window'
// History: what of a conversation is sent, and in which order.
export { ASSEMBLY_ORDER, assembleContext, type Placed, type Slot, type Slots } from './core/history/assemble'
export { type HistoryLimits, type LimitedHistory, limitHistory } from './core/history/limit-history'
export { limitTokens, type TokenLimit, type TokenLimited } from './core/history/limit-tokens'
export { limitTurns } from './core/history/limit-turns'
export type { HistoryMessage, TokensOf } from './core/history/message'
export { findUnpaired, type Unpaired, withoutOrphans } from './core/history/pairing'
export {
  type MessageCraft,
  orderForProvider,
  type ProviderFamily,
  providerFamily,
} from './core/history/provider-order'
export { parseSessionKey, type SessionKey } from './core/history/session-key'
export {
  buildSystemPrompt,
  cachedSystemBlocks,
  type PromptSection,
  type SystemBlock,
  type SystemPrompt,
  type SystemPromptParts,
  timeLine,
} from './core/history/system-prompt'
export { type ContentMessage, withoutThinking } from './core/history/thinking'
export { resolveTurnLimit, type TurnLimit } from './core/history/turn-limit'
// Logs: lines of compactions, curations, drops, recoveries and health checks, and what they come to.
export {
  type BornChunk,
  type ChunkLife,
  ChunkLives,
  type LifeEvent,
  type StoredChunk,
} from './core/logs/chunk-life'
export { LogFold, type LogSummary } from './core/logs/fold-logs'

export type { AnyLogRecord, LogEntry, LogRecord } from './core/logs/log-fields'

export { LOG_KINDS, type LogKind } from './core/logs/log-kinds'
export { loggedKinds } from './core/logs/logged-kinds'
export { type ReadLogLine, readLogLine } from './core/logs/read-log-line'
export { writeLogLine } from './core/logs/write-log-line'
// Memory: tasks, facts, what is recalled, and checkpoints as they are kept.
export { type ChangedTasks, changeTasks, type NewTask, type TaskChange } from './core/memory/change-tasks'
export { type Checkpoint, type CheckpointBody, checkpointText } from './core/memory/checkpoint'
export { extractFacts, type FoundFact, statedFact } from './core/memory/extract-facts'
export { confidenceAt, type Fact, type FactState, stateAt } from './core/memory/fact'
export type { MemoryEvent } from './core/memory/memory-event'
export { MEMORY_INSTRUCTIONS, type RecalledContext, type RecallHit } from './core/memory/recalled-context'
export type { ResumeOffer, StepCheckpoint } from './core/memory/step-checkpoint'
export { activeTask, type Task, type TaskResult, type TaskState, type TaskTree } from './core/memory/task'
export { openDependencies, readyTasks, taskCycles } from './core/memory/task-order'
export type { WorkPlan, WorkStep } from './core/memory/work-steps'
// Policy: one typed value, its presets, every file format it is read from, and where each value came from.
export { type Contradiction, contradictions } from './core/policy/check'
export { BOOTSTRAP_FILES, DEFAULT_POLICY } from './core/policy/default-policy'
export { editSource, type SourceEdit } from './core/policy/edit-source'
export {
  effectivePolicy,
  type LabelledFile,
  NO_SUBJECT,
  type PolicySources,
  type PolicySubject,
} from './core/policy/effective'
export type { LoadInclude } from './core/policy/includes'
export { type ChannelLimits, type Policy, type PolicyPatch, policySchema } from './core/policy/policy'
export { planEdits } from './core/policy/policy-edits'
export { isPreset, PRESET_NAMES, PRESETS, type PresetName } from './core/policy/presets'
export { readPolicy } from './core/policy/read-policy'
export type { PolicyFile, PolicyOverride } from './core/policy/reading'
export {
  type Origin,
  type PolicyLayer,
  type PolicyLevel,
  type ResolvedPolicy,
  resolvePolicy,
} from './core/policy/resolve'
export {
  type ParsedSource,
  parseSource,
  type SourceProblem as PolicyProblem,
} from './core/policy/source-tree'
// Relevance: chunks of a context, what each is worth for a prompt, and what is to become of it.
export { prunedMessage } from './core/pruning/apply-prune'
export { type ChunkMessage, type ContextChunk, contextChunks } from './core/pruning/context-chunks'
export type { DropChunk } from './core/pruning/drop-chunk'
export { type PruneContext, type PrunePolicy, pruneContext } from './core/pruning/prune-context'
export { PRUNE_REASONS, type PruneDecision, type PruneReason } from './core/pruning/prune-decision'
export { type PruneIndex, pruneIndex } from './core/pruning/prune-index'
export { type PruneMessage, pruneMessage } from './core/pruning/prune-message'
export { type PrunePlan, prunePlan, type RuleSum, rulesAlone } from './core/pruning/prune-plan'
export { PRUNE_RULE_NAMES, type PruneRuleName } from './core/pruning/prune-rule-names'
export { rulesOf } from './core/pruning/prune-rules'
export { type DropDecision, type DropPlan, relevanceDrop } from './core/pruning/relevance-drop'
export { maskSecrets } from './core/redaction/secrets'
export { logisticScorer } from './core/relevance/logistic-scorer'
export type { ChunkSignals, Score, ScorePart, Scorer } from './core/relevance/score'
export { seedScorer } from './core/relevance/seed-scorer'
// Transcripts: lines to entries, entries to contexts, and a frame for each call.
export type { FrameSetup } from './core/tokens/build-frame'
export { CATEGORIES, type Category, type CategoryTokens } from './core/tokens/category'
// Counting. A figure always says whether it was measured or estimated, or that nobody knows.
export { charsOverFour, estimateUnits, type TextEstimator } from './core/tokens/estimate'
export { countExact } from './core/tokens/exact'
export { type Basis, estimated, type Figure, measured, UNKNOWN } from './core/tokens/figure'
export type { Frame } from './core/tokens/frame'
export { type EntryTokens, frameEntries } from './core/tokens/frame-entries'
export { costOf, type Price, priceOf } from './core/tokens/prices'
export { Branches } from './core/transcript/branches'
export { type ContextEntry, callsOf, contextAt, contextOfCall } from './core/transcript/context'
export type { EntryFact, EntryType, Role, Usage } from './core/transcript/entry'
export { type FoldBoundary, type FoldStep, SessionFold, type SessionTotals } from './core/transcript/fold'
export { type LinePlace, type ReadLine, readLine } from './core/transcript/read-line'
export type { Sender, Unsent, Verdict } from './core/transcript/send-rules'
export type { IndexEntry } from './core/transcript/session-index'
export type { AddedMessage } from './engine/add-with-room'
// Around each turn of a live agent.
export {
  type AgentMemory,
  type AgentState,
  type RollingState,
  transientMemory,
} from './engine/agent-memory'
export type { ContextCheck } from './engine/check-context'
export type { EndedSession, LiveRecovery, Recovered } from './engine/cold-memory'
export type { ColdChunk, ColdStore, StoredChunk as DroppedChunk } from './engine/cold-store'
export { CONTENT_FORM } from './engine/content-form'
export {
  type AssembledRequest,
  ContextManager,
  type ContextManagerOptions,
} from './engine/context-manager'
export type { ContextPass, PassInput, PassResult } from './engine/context-pass'
export { Conversation } from './engine/conversation'
export type { Diagnose } from './engine/diagnose'
export type { DropOutcome } from './engine/drop-outcome'
export type { Embedder, EmbedReply } from './engine/embedder'
export { type FactMirror, type FactQuery, type FactStore, transientFacts } from './engine/fact-store'
export { LogFollower } from './engine/follow-logs'
export { frameSetupOf } from './engine/frame-setup'
// Ports, and what is read through them.
export {
  type CallChoice,
  type ExplainedCall,
  explainCall,
  type InspectedSession,
  inspectSession,
} from './engine/inspect-session'
export { type FactEdit, KnowledgeBase, type KnowledgePorts, type Learned } from './engine/knowledge-base'
export type { AfterResponse, EndedTurn } from './engine/ladder-after'
export type { LiveOutcome } from './engine/ladder-compact'
export type { AfterCuration } from './engine/ladder-curate'
export type { BeforeResponse } from './engine/ladder-pass'
export type { Curate, FlushPrompt, LadderStep, LiveAgent } from './engine/live-agent'
export type { MessageForm } from './engine/live-compaction'
export type { LiveStatus } from './engine/live-status'
export {
  type ContextLog,
  type LogBatch,
  type LogFolder,
  type LogReader,
  NO_LOG,
} from './engine/log-ports'
export type { MemoryEvents } from './engine/memory-events'
export { type MirrorOptions, mirroredFacts } from './engine/mirrored-facts'
export {
  loadDocument,
  type PolicyDocument,
  type PolicyFiles,
  type PolicyPlace,
  type PolicyVersion,
  type SaveInput,
  type SaveResult,
  saveDocument,
  type TextFile,
  type WriteOutcome,
} from './engine/policy-store'
export type {
  Clock,
  Cursor,
  EntryPlace,
  FoundStore,
  FoundTranscript,
  Probe,
  ReadBatch,
  ReadStart,
  SourceStamp,
  StoreEra,
  StoreKind,
  StoreReader,
  StoreState,
  TranscriptState,
} from './engine/ports'
export {
  type InvalidatedBy,
  PromptCache,
  type PromptCacheParts,
  type PromptCacheState,
} from './engine/prompt-cache'
export type { MemorySearch, Recalled } from './engine/recall'
export {
  type FoundPiece,
  RecallLibrary,
  type RecallLibraryOptions,
  type SyncReport,
} from './engine/recall-library'
export { recallCold, recallSessions } from './engine/recall-places'
export type {
  RecallJournal,
  RecallOrigin,
  RecallPlace,
  RecallSource,
  RecallText,
} from './engine/recall-ports'
export type { AgentRecall } from './engine/request-memory'
export { ContextScorer, type Embedding, type ScoredContext } from './engine/score-context'
export { SourceProblem, type SourceProblemCode } from './engine/source-problem'
export type { Summarizer, SummarizerReply, SummarizerRequest } from './engine/summarizer'
export { type ChainPorts, SummaryChain } from './engine/summary-chain'
export {
  type CompletedTask,
  type KeptChange,
  TaskKeeper,
  type TaskKeeperOptions,
} from './engine/task-keeper'
export { type StoredTasks, type TaskStore, transientTasks } from './engine/task-store'
export type { UndoneRecovery } from './engine/undo-recovery'
export type {
  Timer,
  WatchEvents,
  WatchStart,
  Workspace,
  WorkspaceLook,
  WorkspaceSnapshot,
} from './engine/workspace'
export type { WrittenSummary } from './engine/write-summary'
