// The public surface of the package on Node (`plimsoll`): the core, and the ports on disk that an agent needs.

export {
  createNodeContext as createContext,
  type NodeContextOptions,
} from '../adapters/agent/create-node-context'
export { NodeContextManager as ContextManager } from '../adapters/agent/node-context-manager'
export {
  discoverOnDemand as discoverStores,
  policyFileOnDemand as openPolicyFile,
  storeReaderOnDemand as createStoreReader,
} from '../adapters/agent/on-demand'
export { type OpenSessionsOptions, openSessions } from '../adapters/agent/open-sessions'
export { openColdStore } from '../adapters/cold/open-cold-store'
export type { Discovery, LookMemory, Where } from '../adapters/discovery/discover'
export { openEmbedding } from '../adapters/embedders/open-embedding'
export { fastEstimate } from '../adapters/jsonl/fast-estimate'
export { type ContextLogOptions, fileContextLog } from '../adapters/logs/file-context-log'
export { openContextLog } from '../adapters/logs/open-context-log'
export { agentMemoryFolder } from '../adapters/memory/agent-memory-folder'
export { memoryEventLog } from '../adapters/memory/memory-event-log'
export { memoryFiles } from '../adapters/memory/memory-files'
export { recallJournal } from '../adapters/memory/recall-journal'
export {
  type SurrealConnection,
  type SurrealServer,
  surrealServer,
} from '../adapters/memory/surreal-connection'
export { surrealFacts } from '../adapters/memory/surreal-facts'
export { taskFolder } from '../adapters/memory/task-folder'
export { openPromptCache, type PromptCacheOptions } from '../adapters/prompt-cache/open-prompt-cache'
export type { StoreReaderOptions } from '../adapters/stores/store-reader'
export { openSummaryChain } from '../adapters/summarizers/open-summary-chain'
export type { KeyOf, PairedKey } from '../adapters/summarizers/provider-key'
export * from './core'
