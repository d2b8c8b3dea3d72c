// The public surface of the package on Node (`plimsoll`): the core, and the ports on disk that an agent needs.

export { agentMemoryFolder } from './adapters/agent-memory-folder'
export { openColdStore } from './adapters/cold/open-cold-store'
export { type Discovery, discoverStores, type Where } from './adapters/discover'
export { openEmbedding } from './adapters/embedders/open-embedding'
export { fastEstimate } from './adapters/fast-estimate'
export { type ContextLogOptions, fileContextLog } from './adapters/logs/file-context-log'
export { logReader } from './adapters/logs/log-reader'
export { memoryEventLog } from './adapters/memory/memory-event-log'
export { memoryFiles } from './adapters/memory/memory-files'
export { recallJournal } from './adapters/memory/recall-journal'
export {
  type SurrealConnection,
  type SurrealServer,
  surrealServer,
} from './adapters/memory/surreal-connection'
export { surrealFacts } from './adapters/memory/surreal-facts'
export { taskFolder } from './adapters/memory/task-folder'
export { openPolicyFile, policyFiles } from './adapters/policy-files'
export { openPromptCache, type PromptCacheOptions } from './adapters/prompt-cache/open-prompt-cache'
export { openWorkspaceFolder, type WorkspaceFolderOptions } from './adapters/prompt-cache/workspace-folder'
export { createStoreReader, type StoreReaderOptions } from './adapters/store-reader'
export { openSummaryChain } from './adapters/summarizers/open-summary-chain'
export * from './library-core'
