import type { CompactionPlan } from '../../core/compaction/plan'
import type { StoreReader } from '../read/ports'
import {
  type SummaryMaterial,
  type SummaryOptions,
  type SummaryResult,
  writeSummary,
} from '../summary/write-summary'
import { type CheckpointText, checkpointSummary } from './checkpoint-summary'
import type { PlanSource } from './plan-session'
import { readMessages } from './summary-material'

/**
 * The summary that a plan of a stored session calls for: what an agent noted of it already, with a digest of what came
 * after, where the plan takes that; else a summary of the messages.
 */
export async function summariseSession(
  reader: StoreReader,
  source: PlanSource,
  { plan, covering, material }: Summarised,
  options: SummaryOptions,
): Promise<SummaryResult> {
  if (covering === null || plan.summary.source !== 'checkpoint') return writeSummary(material, options)
  const { path } = source
  const upto = path.findIndex(({ fact }) => fact.seq === covering.uptoSeq)
  const firstKept = path.findIndex(({ fact }) => fact.id === plan.firstKeptEntryId)
  const uncovered = path.slice(upto + 1, Math.max(upto + 1, firstKept)).map(({ fact }) => fact)
  const messages = [...(await readMessages(reader, source, uncovered)).values()]
  return { kind: 'written', summary: checkpointSummary(covering, messages, material, options) }
}

type Summarised = {
  readonly plan: CompactionPlan
  readonly covering: CheckpointText | null
  readonly material: SummaryMaterial
}
