import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import * as core from './core'
import * as node from './index'

const PUBLIC = fileURLToPath(new URL('.', import.meta.url))

/** What an agent builder needs, on Node and elsewhere. */
const CORE = `
  AgentContext ContextOptionError ContextOptions FitResult SummaryFunction contextMiddleware contextPrepareStep
  createContext fitMessages fitRequest transientCold AgentMemory AgentRecall CONTENT_FORM CallScope ColdStore ContentMessage ContextCheck ContextLog
  ContextManager ContextManagerOptions ContextPass Conversation Curate DEFAULT_POLICY Embedder
  FactStore Figure FlushPrompt KnowledgeBase LOG_KINDS LadderStep LiveAgent MemoryEvents MemorySearch
  MessageForm PRESETS Policy PromptCache RecallLibrary RecallPlace Summarizer SummaryChain TaskKeeper
  TaskStore WindowRefused cachedSystemBlocks contentForm countExact countMessage effectivePolicy
  estimateUnits liveSubject maskSecrets mirroredFacts policyWindow recallCold recallSessions
  originalOf resolvePolicy timeLine transientFacts transientMemory transientTasks addToLedger available canAdd
  findUnpaired fits openLedger splitWindow FORM_NAMES FormError FormName formOf
`

/** What he needs besides on Node; `ContextManager` and `createContext` know their callers there. */
const NODE = `
  agentMemoryFolder createStoreReader discoverStores fastEstimate fileContextLog memoryEventLog
  memoryFiles openColdStore openSessions openContextLog openEmbedding openPolicyFile openPromptCache
  openSummaryChain recallJournal surrealFacts surrealServer taskFolder
`

/** Types in the signatures of these. */
const SIGNATURES = `
  ColdMatch ContextMiddleware ContextStatus ContextStep DroppedChunk FitDone FitOptions FittableRequest
  ReportedCall ReturnedChunk AddedMessage AfterCuration AfterResponse AssembledRequest BeforeResponse ChainPorts ChainReply Clock
  CompletedTask Embedding Encoding EndedSession EndedTurn ExactCount Fact FactEdit FactMirror
  FoundFact FoundPiece IndexedSource KeptChange KnowledgePorts Learned LiveOutcome LiveRecovery
  LiveStatus MessageCraft MirrorOptions NewTask OldSessionsOptions Pause PolicyDocument PolicyLayer
  PolicySources PolicySubject PolicyWindow PromptCacheParts PromptCacheState RankedFact RecallJournal
  RecallLibraryOptions RequestInput ResolvedPolicy ResumeOffer SourceMessage StoreReader
  SummarizerRequest SyncReport SystemBlock SystemPrompt Task TaskKeeperOptions TaskTree TextEstimator
  ToolResultReport UndoneRecovery WindowHints WorkingEntry WorkspaceSnapshot Added Freeable
  HistoryMessage Ledger Regions Unpaired OpenedSession SessionEntry SessionPhase SessionStore RunTotals
`

/** The same of those on Node. */
const NODE_SIGNATURES = `
  OpenSessionsOptions NodeContextOptions ContextLogOptions Discovery KeyOf LookMemory PairedKey PromptCacheOptions StoreReaderOptions
  SurrealConnection SurrealServer Where
`

const listed = (...lists: string[]) => lists.flatMap((list) => list.split(/\s+/).filter(Boolean)).sort()

/** A name of an entry, the file that declares it, and what it is called there. */
type Exported = { readonly name: string; readonly local: string; readonly file: string }

function exportsOf(entry: string): Exported[] {
  const source = readFileSync(join(PUBLIC, entry), 'utf8')
  return [...source.matchAll(/export (?:type )?\{([^}]*)\} from '([^']+)'/g)].flatMap(
    ([, names = '', from = '']) =>
      names
        .split(',')
        .map((name) => name.trim().replace(/^type /, ''))
        .filter(Boolean)
        .map((name) => {
          const [local = name, given = local] = name.split(' as ')
          return { name: given, local, file: `${join(PUBLIC, from)}.ts` }
        }),
  )
}

const namesOf = (entry: string) =>
  exportsOf(entry)
    .map(({ name }) => name)
    .sort()

test('V2: the package exports what an agent builder needs, the types in its signatures, and nothing else', () => {
  expect(namesOf('core.ts')).toEqual(listed(CORE, SIGNATURES))
  expect(namesOf('index.ts')).toEqual(listed('ContextManager', 'createContext', NODE, NODE_SIGNATURES))
  expect(namesOf('knowledge.ts')).toEqual(['OpenedFacts'])
  const values = new Set([...Object.keys(core), ...Object.keys(node)])
  const known = new Set(listed(CORE, SIGNATURES, NODE, NODE_SIGNATURES))
  expect([...values].filter((name) => !known.has(name))).toEqual([])
})

test('V2: each exported name has a docstring', () => {
  const all = ['core.ts', 'index.ts', 'knowledge.ts'].flatMap(exportsOf)
  const bare = all.filter(({ local, file }) => {
    const declared = new RegExp(
      `\\*/\\nexport (?:async )?(?:type|class|function|const|interface) ${local}\\b`,
    )
    return !declared.test(readFileSync(file, 'utf8'))
  })
  expect(bare.map(({ name }) => name)).toEqual([])
})
