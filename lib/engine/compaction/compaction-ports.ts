import type { SentToModel } from '../../core/compaction/sent-to-model'
import type { Policy } from '../../core/policy/policy'
import type { Lanes } from '../jobs/lanes'
import type { OpenLog } from '../logs/log-ports'
import type { FoundStore, FoundTranscript, StoreReader } from '../read/ports'
import type { PeekPorts } from '../repair/inspect-transcript'
import type { SummaryChain } from '../summary/summary-chain'
import type { SummaryOptions } from '../summary/write-summary'
import type { Decode } from '../write/check-transcript'
import type { FileState } from '../write/receipt'
import type { Writer } from '../write/write-ports'
import type { WaitOptions } from '../write/write-requests'
import type { CompactionHooks } from './compaction-hooks'
import type { Diagnose } from './diagnose'
import type { KeptSummaries } from './kept-summary'
import type { PlanSource } from './plan-session'
import type { CheckpointMemory } from './stored-checkpoint'
import type { RulesOf } from './summary-material'
import type { SummaryModels } from './summary-models'

/**
 * The steps of a compaction, in their order. Each is reported when it begins, and only where there is something to do:
 * `check` where a transcript can be searched, `hooks` where there are any, `log` where compactions are noted. A
 * summary that was kept takes the place of the first hooks and of `summarise`. The lock is given back while a model is
 * asked.
 */
export const COMPACTION_STEPS = [
  'lock',
  'check',
  'load',
  'plan',
  'release',
  'hooks',
  'summarise',
  'lock',
  'compare',
  'write',
  'release',
  'hooks',
  'log',
] as const

export type CompactionStep = (typeof COMPACTION_STEPS)[number]

/** What a dry run takes; nothing is written, and no model is asked. */
export type DryRunPorts = Pick<CompactionPorts, 'reader' | 'summary' | 'memories' | 'rulesOf' | 'kept'> & {
  readonly writer: { readonly files: Pick<Writer['files'], 'realPath'> }
  readonly models: SummaryModels
}

/** All that compacting takes besides the session itself. */
export type CompactionPorts = {
  readonly writer: Writer
  readonly reader: StoreReader
  readonly lanes: Lanes
  readonly hooks: CompactionHooks
  readonly decode: Decode
  /** How a transcript is searched for damage before; it is not, when this is left out. */
  readonly look?: PeekPorts
  /** Where compactions are noted; nowhere, when it is left out. */
  readonly log?: OpenLog
  /** Called with what a compaction found and what it left. */
  readonly diagnose?: Diagnose
  /** Eight hex digits that no entry of the transcript has yet. */
  readonly newEntryId: (isTaken: (id: string) => boolean) => string
  readonly summary: Pick<SummaryOptions, 'sizeOf' | 'mask' | 'isSecret'>
  /** Where agents keep their checkpoints, which may replace a summary; none, when it is left out. */
  readonly memories?: readonly CheckpointMemory[]
  /** Finds the rules that are behind every summary; none, when it is left out. */
  readonly rulesOf?: RulesOf
  /** Keeps what models were paid for until it is written; nothing is kept, when it is left out. */
  readonly kept?: KeptSummaries
}

export type CompactionRequest = {
  readonly store: FoundStore
  readonly transcript: FoundTranscript
  readonly policy: Policy
  /** null: the digest is the summary, and no model is asked. */
  readonly chain: SummaryChain | null
  readonly focus: string | null
  readonly actor: string
  readonly manual: boolean
  /** A digest was asked for, also where a checkpoint would do. */
  readonly digest?: boolean
  /** First entry that stays, by the plan that was shown; another cut is refused. */
  readonly firstKept?: string
  readonly wait: WaitOptions
  readonly signal?: AbortSignal
  readonly onStep?: (step: CompactionStep) => void
  /** Called once, when it has to wait for more than two seconds for other compactions, with how many are before it. */
  readonly onLongWait?: (ahead: number) => void
  /** Called before a model is asked, with what it gets. */
  readonly onAsk?: (sent: SentToModel) => void
  /** Requests of the summary that are done, and how many there will be. */
  readonly onProgress?: (done: number, of: number) => void
}

/** A session as its file is at one moment. */
export type LoadedSession = {
  readonly source: PlanSource
  readonly expected: FileState
}
