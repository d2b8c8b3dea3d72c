import type { CompactionPlan } from '../core/compaction/plan'
import { type CoveringText, coveredSummary } from './covered-summary'
import type { PlanSource } from './plan-session'
import type { StoreReader } from './ports'
import { readMessages } from './summary-material'
import { type SummaryMaterial, type SummaryOptions, type SummaryResult, writeSummary } from './write-summary'

/**
 * The summary that a plan of a stored session calls for: what an agent noted of it already, with a digest of what came
 * after (E11), where the plan takes that; else a summary of the messages.
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
  return { kind: 'written', summary: coveredSummary(covering, messages, material, options) }
}

type Summarised = {
  readonly plan: CompactionPlan
  readonly covering: CoveringText | null
  readonly material: SummaryMaterial
}
