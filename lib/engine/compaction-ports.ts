import type { Policy } from '../core/policy/policy'
import type { Decode } from './check-transcript'
import type { CompactionHooks } from './compaction-hooks'
import type { Diagnose } from './diagnose'
import type { LookPorts } from './inspect-transcript'
import type { Lanes } from './lanes'
import type { OpenLog } from './log-ports'
import type { PlanSource } from './plan-session'
import type { FoundStore, FoundTranscript, StoreReader } from './ports'
import type { FileState } from './receipt'
import type { CoveringMemory } from './stored-covering'
import type { SummaryChain } from './summary-chain'
import type { RulesOf } from './summary-material'
import type { Writer } from './write-ports'
import type { WaitOptions } from './write-requests'
import type { SummaryOptions } from './write-summary'

/** The steps of a compaction, in their order (D12). */
export const COMPACTION_STEPS = [
  'lock',
  'repair',
  'prewarm',
  'load',
  'sanitise',
  'limit',
  'compact',
  'hooks',
  'diag',
  'release',
] as const

export type CompactionStep = (typeof COMPACTION_STEPS)[number]

/** All that compacting takes besides the session itself. */
export type CompactionPorts = {
  readonly writer: Writer
  readonly reader: StoreReader
  readonly lanes: Lanes
  readonly hooks: CompactionHooks
  readonly decode: Decode
  /** How a transcript is looked through for damage before; it is not, when this is left out. */
  readonly look?: LookPorts
  /** Where compactions are noted; nowhere, when it is left out. */
  readonly log?: OpenLog
  /** Told what a compaction found and what it left (Q8). */
  readonly diagnose?: Diagnose
  /** Eight hex digits that no entry of the transcript has yet. */
  readonly newEntryId: (isTaken: (id: string) => boolean) => string
  readonly summary: Pick<SummaryOptions, 'sizeOf' | 'mask' | 'isSecret'>
  /** Where agents keep their checkpoints, which may stand for a summary (E11); none, when it is left out. */
  readonly memories?: readonly CoveringMemory[]
  /** Finds the rules that stand behind every summary (D17); none, when it is left out. */
  readonly rulesOf?: RulesOf
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
  /** First entry that stays, by the plan that somebody looked at; another cut is refused. */
  readonly firstKept?: string
  readonly wait: WaitOptions
  readonly signal?: AbortSignal
  readonly onStep?: (step: CompactionStep) => void
  /** Requests of the summary that are done, and how many there will be. */
  readonly onProgress?: (done: number, of: number) => void
}

/** A session as its file stands at one moment. */
export type LoadedSession = {
  readonly source: PlanSource
  readonly expected: FileState
}
