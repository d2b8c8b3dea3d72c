// The public surface of the package on Node (`plimsoll`): the core, and the ports on disk that an agent needs.

export { agentMemoryFolder } from './adapters/agent-memory-folder'
export { type Discovery, discoverStores, type Where } from './adapters/discover'
export { fastEstimate } from './adapters/fast-estimate'
export { type ContextLogOptions, fileContextLog } from './adapters/logs/file-context-log'
export { logReader } from './adapters/logs/log-reader'
export { openPolicyFile, policyFiles } from './adapters/policy-files'
export { openPromptCache, type PromptCacheOptions } from './adapters/prompt-cache/open-prompt-cache'
export { openWorkspaceFolder, type WorkspaceFolderOptions } from './adapters/prompt-cache/workspace-folder'
export { createStoreReader, type StoreReaderOptions } from './adapters/store-reader'
export { openSummaryChain } from './adapters/summarizers/open-summary-chain'
export * from './library-core'
