import { execFileSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/store-folder'
import * as core from './core'
import * as node from './index'

const PUBLIC = fileURLToPath(new URL('.', import.meta.url))
const ROOT = join(PUBLIC, '..', '..')

/** What an agent builder needs, on Node and elsewhere. */
const CORE = `
  AgentMemory AgentRecall CONTENT_FORM CallScope ColdStore ContentMessage ContextCheck ContextLog
  ContextManager ContextManagerOptions ContextPass Conversation Curate DEFAULT_POLICY Embedder
  FactStore Figure FlushPrompt KnowledgeBase LOG_KINDS LadderStep LiveAgent MemoryEvents MemorySearch
  MessageForm PRESETS Policy PromptCache RecallLibrary RecallPlace Summarizer SummaryChain TaskKeeper
  TaskStore WindowRefused cachedSystemBlocks contentForm countExact countMessage effectivePolicy
  estimateUnits liveSubject maskSecrets mirroredFacts policyWindow recallCold recallSessions
  resolvePolicy timeLine transientFacts transientMemory transientTasks addToLedger available canAdd
  findUnpaired fits openLedger splitWindow FORM_NAMES FormError FormName formOf
`

/** What he needs besides on Node; `ContextManager` is one that knows its callers there. */
const NODE = `
  agentMemoryFolder createStoreReader discoverStores fastEstimate fileContextLog memoryEventLog
  memoryFiles openColdStore openContextLog openEmbedding openPolicyFile openPromptCache
  openSummaryChain recallJournal surrealFacts surrealServer taskFolder
`

/** Types that stand in the signatures of these. */
const SIGNATURES = `
  AddedMessage AfterCuration AfterResponse AssembledRequest BeforeResponse ChainPorts ChainReply Clock
  CompletedTask Embedding Encoding EndedSession EndedTurn ExactCount Fact FactEdit FactMirror
  FoundFact FoundPiece IndexedSource KeptChange KnowledgePorts Learned LiveOutcome LiveRecovery
  LiveStatus MessageCraft MirrorOptions NewTask OldSessionsOptions Pause PolicyDocument PolicyLayer
  PolicySources PolicySubject PolicyWindow PromptCacheParts PromptCacheState RankedFact RecallJournal
  RecallLibraryOptions RequestInput ResolvedPolicy ResumeOffer SourceMessage StoreReader
  SummarizerRequest SyncReport SystemBlock SystemPrompt Task TaskKeeperOptions TaskTree TextEstimator
  ToolResultReport UndoneRecovery WindowHints WorkingEntry WorkspaceSnapshot Added Freeable
  HistoryMessage Ledger Regions Unpaired
`

/** The same of those on Node. */
const NODE_SIGNATURES = `
  ContextLogOptions Discovery KeyOf LookMemory PairedKey PromptCacheOptions StoreReaderOptions
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
  expect(namesOf('index.ts')).toEqual(listed('ContextManager', NODE, NODE_SIGNATURES))
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

/** Methods of the classes, each by its class. */
const METHODS = {
  ContextManager:
    'add addWithRoom afterResponse beforeResponse canAdd check compact recount recover request resume send sessionEnd status tokens toolResults undoRecovery',
  Conversation: 'add getContext setContext',
  TaskKeeper: 'add change complete cycles ready search section start tree',
  KnowledgeBase: 'add edit forget learn name recall search tidy',
  RecallLibrary: 'progress refresh search sources sync',
  SummaryChain: 'ask deadlineOf isPast',
  PromptCache: 'close invalidate snapshot state',
}

/** A package that writes declarations for all that the functions and methods of the library take and answer. */
function consumer(): string {
  const lines = [
    "import * as api from 'plimsoll'",
    "import { openFactDatabase } from 'plimsoll/knowledge'",
    'declare function given<A extends unknown[]>(call: (...args: A) => unknown): A',
    'declare function made<A extends unknown[]>(type: new (...args: A) => unknown): A',
    'declare function answered<R>(call: (...args: never[]) => R): R',
    'export const databaseGiven = given(openFactDatabase)',
    'export const databaseAnswered = answered(openFactDatabase)',
  ]
  for (const [name, value] of Object.entries(node)) {
    const methods: string | undefined = METHODS[name as keyof typeof METHODS]
    if (typeof value !== 'function') lines.push(`export const ${name} = { ...api.${name} }`)
    else if (!/^[A-Z]/.test(name))
      lines.push(
        `export const ${name}Given = given(api.${name})`,
        `export const ${name}Answered = answered(api.${name})`,
      )
    else lines.push(`export const ${name}Made = made(api.${name})`)
    for (const method of methods?.split(' ') ?? [])
      lines.push(`export const ${name}_${method} = api.${name}.prototype.${method}`)
  }
  return lines.join('\n')
}

/** What the type checker says; '' when there is nothing to say. */
function compile(...args: string[]): string {
  try {
    return execFileSync(
      process.execPath,
      [join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'), ...args, '--pretty', 'false'],
      {
        encoding: 'utf8',
      },
    )
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout ?? error)
  }
}

test('V2: whoever writes declarations for what the library takes and answers needs no other name', () => {
  const folder = temporaryFolder()
  const plimsoll = join(folder, 'node_modules', 'plimsoll')
  const types = join(plimsoll, 'types')
  expect(compile('-p', join(PUBLIC, 'tsconfig.json'), '--outDir', types)).toBe('')
  const entry = (name: string) => ({ types: `./types/public/${name}.d.ts` })
  const manifest = {
    name: 'plimsoll',
    type: 'module',
    exports: { '.': entry('index'), './knowledge': entry('knowledge') },
  }
  writeFileSync(join(plimsoll, 'package.json'), JSON.stringify(manifest))
  for (const name of ['zod', '@types'])
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name), 'junction')
  const compilerOptions = {
    ...{
      strict: true,
      module: 'esnext',
      moduleResolution: 'bundler',
      target: 'es2023',
      lib: ['es2023', 'dom'],
    },
    ...{ types: ['node'], skipLibCheck: true, declaration: true, emitDeclarationOnly: true, outDir: 'out' },
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }))
  writeFileSync(join(folder, 'consumer.ts'), consumer())
  expect(compile('-p', folder)).toBe('')
  const written = readFileSync(join(folder, 'out', 'consumer.d.ts'), 'utf8')
  expect(written).toContain('BeforeResponse')
  // Nothing has become `any` because its declaration was not found.
  expect(written).not.toMatch(/_(beforeResponse|request): any/)
}, 120_000)
