import type { CompactionPlan, PlanResult } from '../../core/compaction/plan'
import type { Policy } from '../../core/policy/policy'
import type { AskedModel } from '../../core/summary/asked-model'
import type { InTurns } from '../summary/write-summary'
import type { CheckpointText } from './checkpoint-summary'
import type { DryRunPorts } from './compaction-ports'
import { offeredPlan } from './kept-summary'
import { type PlanChoice, type PlanSource, planSession } from './plan-session'
import { storedCheckpoint } from './stored-checkpoint'
import { summariseSession } from './summarise-session'
import { type KnownMessages, readMaterial } from './summary-material'
import { askedModels, couldAsk, priceOfModel } from './summary-models'

export type DryRunRequest = {
  readonly policy: Policy
  /** null: none was asked for. */
  readonly focus: string | null
  /** The policy's model is left out. */
  readonly digest: boolean
}

/** What a compaction would do. */
export type DryRun = DryRunRequest & {
  readonly source: PlanSource
  readonly plan: PlanResult
  /** What an agent noted of the session itself; the plan says whether it serves. */
  readonly covering: CheckpointText | null
  /** What could not be looked at. */
  readonly notes: readonly string[]
  /** Who may be asked for the summary, in their order, where no digest was asked for. */
  readonly asked: readonly AskedModel[]
  /** The session's own model, where the policy does not let it be asked; else null. */
  readonly couldAsk: AskedModel | null
}

/**
 * What a compaction of a session would do, as `runCompaction` would do it: with the summary that a model was paid for
 * before, with an agent's checkpoint, else with the policy's model or a digest. Writes nothing and asks no model.
 */
export async function dryRun(
  ports: DryRunPorts,
  source: PlanSource,
  request: DryRunRequest,
): Promise<DryRun> {
  const { models } = ports
  const { policy, focus, digest } = request
  const { totals } = source.session
  const asked = askedModels(models, policy, totals)
  const base = { ...request, source, asked, couldAsk: couldAsk(models, policy, totals) }
  const model = digest ? undefined : asked[0]
  const { covering, notes } = await storedCheckpoint(ports, source, { focus, digest })
  const kept = model === undefined ? null : await keptPlan(ports, source, request)
  if (kept !== null) return { ...base, plan: kept, covering: null, notes }
  const plan = planOnce(source, {
    policy,
    manual: true,
    source: model === undefined ? 'digest' : 'model',
    price: model === undefined ? null : priceOfModel(models, model.name),
    checkpoint: covering,
  })
  return { ...base, plan, covering, notes }
}

/** The plan of a summary that was paid for and waits to be written, when a compaction now would use it. */
async function keptPlan(
  { kept, summary, writer }: DryRunPorts,
  source: PlanSource,
  inputs: DryRunRequest,
): Promise<CompactionPlan | null> {
  const { store, transcript } = source.session
  if (kept === undefined || store.era === 'sqlite' || source.call !== 'next') return null
  const file = await writer.files.realPath(transcript.path).catch(() => null)
  return file === null ? null : offeredPlan(await kept.get(file), source, inputs, summary.mask)
}

type Planned = { readonly key: string; readonly plan: PlanResult }

/** The list of chunks is read page by page from the plan that was made last; a long session’s is some 10 MB. */
const planned = new WeakMap<PlanSource, Planned>()

function planOnce(source: PlanSource, choice: PlanChoice): PlanResult {
  const key = JSON.stringify(choice)
  const known = planned.get(source)
  if (known?.key === key) return known.plan
  const plan = planSession(source, choice)
  planned.set(source, { key, plan })
  return plan
}

/** The summary that a plan would leave if no model answered: a digest, or the checkpoint that takes its place. */
export async function previewDigest(
  ports: DryRunPorts,
  { source, policy, focus, covering }: DryRun,
  plan: CompactionPlan,
  { known, inTurns }: { readonly known?: KnownMessages; readonly inTurns?: InTurns } = {},
): Promise<string> {
  const { reader, rulesOf, summary } = ports
  const material = await readMaterial(reader, source, plan, rulesOf, known)
  const written = await summariseSession(
    reader,
    source,
    { plan, covering, material },
    { policy, chain: null, focus, maxTokens: plan.summary.tokens, ...summary, inTurns },
  )
  return written.kind === 'written' ? written.summary.text : ''
}
