import 'server-only'
import type { ChunkAction, PlanChunk, PlanResult } from '../core/compaction/plan'
import type { Policy } from '../core/policy/policy'
import { priceOf } from '../core/tokens/prices'
import type { SessionDetail } from '../db/queries/session-detail'
import { entriesBySeq } from '../db/queries/session-entries'
import type { CoveringText } from '../engine/covered-summary'
import { openPlanSource, type PlanSource, planSession } from '../engine/plan-session'
import { storedCovering } from '../engine/stored-covering'
import {
  CHUNK_PAGE_ROWS,
  type ChunkPage,
  type ChunkRow,
  mainCategory,
  type PlanView,
  planView,
} from '../view/compact-plan'
import { type PlanKnobs, planKey } from '../view/plan-knobs'
import { trialPolicy } from '../view/policy-trial'
import { agentMemories } from '../wire/compaction'
import { getDatabase } from './database'
import { getInspected, placeOf } from './inspected-session'
import { oncePerProcess } from './process-memory'
import { RecentlyUsed } from './recently-used'
import { policyOf } from './session-policy'
import { getSession } from './session-record'
import { getSetup } from './setup'

type KeptSource = { readonly revision: number; readonly source: Promise<PlanSource | null> }
type KeptPlan = { readonly revision: number; readonly policy: Policy; readonly plan: PlanResult }

/** Knobs move over one session at one call; the sizes of its entries are read once. */
const sources = oncePerProcess('plan-sources', () => new RecentlyUsed<string, KeptSource>(3))
/** The list of chunks is read page by page from the plan that was made last; a long session’s is some 10 MB. */
const plans = oncePerProcess('plans', () => new RecentlyUsed<string, KeptPlan>(2))

/** A plan with the session that it is for, and the policy that made it. */
export type MadePlan = {
  readonly session: SessionDetail
  readonly source: PlanSource
  readonly policy: Policy
  readonly plan: PlanResult
  /** What an agent noted of the session itself; the plan says whether it serves (E11). */
  readonly covering: CoveringText | null
}

/** What a compaction would do; null when there is no such session or call. Nothing is written. */
export async function getPlan(id: string, knobs: PlanKnobs): Promise<PlanView | null> {
  const made = await makeSessionPlan(id, knobs)
  if (made === null) return null
  const { source, policy, plan } = made
  const shared = {
    calls: source.session.frames.length,
    call: source.call,
    window: source.frame.window.tokens,
    model: policy.summary.model === '' ? null : policy.summary.model,
  }
  return planView(plan, shared, (entryId) => {
    const fact = source.path.findLast((entry) => entry.fact.id === entryId)?.fact
    return fact === undefined ? null : { seq: fact.seq, line: fact.line }
  })
}

/** One page of a plan's chunks, of one fate or of all; null when there is no such session or call. */
export async function getChunks(
  id: string,
  knobs: PlanKnobs,
  { action, page }: { readonly action: ChunkAction | null; readonly page: number },
): Promise<ChunkPage | null> {
  const made = await makeSessionPlan(id, knobs)
  if (made === null) return null
  const { session, plan } = made
  const [from, to] = [page * CHUNK_PAGE_ROWS, (page + 1) * CHUNK_PAGE_ROWS]
  const shown: { readonly chunk: PlanChunk; readonly order: number }[] = []
  let total = 0
  if (plan.kind === 'plan')
    for (const [order, chunk] of plan.chunks.entries()) {
      if (action !== null && chunk.action !== action) continue
      if (total >= from && total < to) shown.push({ chunk, order })
      total += 1
    }
  const lines = entriesBySeq(
    await getDatabase(),
    session.row,
    shown.flatMap(({ chunk }) => chunk.seqs[0] ?? []),
  )
  const rowOf = ({ chunk, order }: { chunk: PlanChunk; order: number }): ChunkRow => {
    const { action: fate, rule, tokens, byCategory, seqs } = chunk
    const line = seqs[0] === undefined ? undefined : lines.get(seqs[0])
    return {
      order,
      action: fate,
      rule,
      tokens,
      category: mainCategory(byCategory),
      entries: seqs.length,
      seq: seqs[0] ?? null,
      line: line?.line ?? null,
      type: line?.type ?? null,
      role: line?.role ?? null,
      tool: line?.tool ?? null,
      preview: line?.preview ?? null,
    }
  }
  return { total, rows: shown.map(rowOf) }
}

/** Plans with knobs; null when there is no such session or call. @throws SourceProblem */
export async function makeSessionPlan(id: string, knobs: PlanKnobs): Promise<MadePlan | null> {
  const session = await getSession(id)
  if (session === null) return null
  const inForce = await policyOf(session)
  const source = await sourceFor(session, knobs.call)
  if (source === null) return null
  const policy = trialPolicy(inForce.policy, knobs.base, knobs.changes)
  const ports = { reader: placeOf(session).reader, memories: agentMemories(getSetup()) }
  const focus = knobs.focus === '' ? null : knobs.focus
  const { covering } = await storedCovering(ports, source, { focus, digest: knobs.digest })
  const key = `${session.row} ${planKey(knobs)} ${covering?.uptoSeq} ${covering?.tokens} ${JSON.stringify(policy)}`
  const known = plans.get(key)
  if (known?.revision === session.revision) return { session, source, policy, plan: known.plan, covering }
  const withModel = policy.summary.model !== '' && !knobs.digest
  const plan = planSession(source, {
    policy,
    manual: true,
    source: withModel ? 'model' : 'digest',
    price: withModel ? (priceOf(policy.summary.model)?.price ?? null) : null,
    checkpoint: covering,
  })
  plans.set(key, { revision: session.revision, policy, plan })
  return { session, source, policy, plan, covering }
}

function sourceFor(session: SessionDetail, call: number | null): Promise<PlanSource | null> {
  const key = `${session.row} ${call ?? 'next'}`
  const known = sources.get(key)
  if (known?.revision === session.revision) return known.source
  const { reader } = placeOf(session)
  const source = getInspected(session).then((inspected) => openPlanSource(reader, inspected, call ?? 'next'))
  const fresh = { revision: session.revision, source }
  sources.set(key, fresh)
  source.catch(() => {
    if (sources.get(key) === fresh) sources.delete(key)
  })
  return source
}
