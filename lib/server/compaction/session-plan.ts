import 'server-only'
import { dryRunPorts } from '../../compose/compaction'
import type { ChunkAction, PlanChunk } from '../../core/compaction/plan'
import type { SessionDetail } from '../../db/queries/session-detail'
import { entriesBySeq } from '../../db/queries/session-entries'
import type { DryRunPorts } from '../../engine/compaction/compaction-ports'
import { comparePlans } from '../../engine/compaction/compare-plans'
import { type DryRun, dryRun } from '../../engine/compaction/dry-run'
import { openPlanSource, type PlanSource, planWindow } from '../../engine/compaction/plan-session'
import {
  CHUNK_PAGE_ROWS,
  type ChunkPage,
  type ChunkRow,
  mainCategory,
  type PlanView,
  planView,
} from '../../view/compaction/compact-plan'
import { type ComparisonView, comparisonView } from '../../view/compaction/plan-comparison'
import type { PlanKnobs } from '../../view/compaction/plan-knobs'
import { planWindowWords } from '../../view/compaction/plan-window'
import { trialCandidates, trialPolicy } from '../../view/policy/policy-trial'
import { policyOf } from '../policy/session-policy'
import { getDatabase } from '../process/database'
import { remember } from '../process/remember'
import { getSetup } from '../process/setup'
import { getInspected, transcriptPlace } from '../session/inspected-session'
import { getSession } from '../session/session-record'

/** Knobs move over one session at one call; the sizes of its entries are read once. */
const sources = remember<string, Promise<PlanSource | null>>('plan-sources', 3)

/** A dry run with the session that it is for. */
export type MadePlan = DryRun & {
  readonly session: SessionDetail
  readonly ports: DryRunPorts
  /** What the runtime of the session is called. */
  readonly runtime: string
}

/** What a compaction would do; null when there is no such session or call. Nothing is written. */
export async function getPlan(id: string, knobs: PlanKnobs): Promise<PlanView | null> {
  const made = await makeSessionPlan(id, knobs)
  if (made === null) return null
  const { source, plan, asked, couldAsk, policy, runtime } = made
  const calls = source.session.frames.length
  const window = planWindow(source, policy)
  const windowWords = planWindowWords(window, source.frame.window, runtime)
  const shared = { calls, call: source.call, window, windowWords, asked, couldAsk }
  return planView(plan, shared, (entryId) => {
    const fact = source.path.findLast((entry) => entry.fact.id === entryId)?.fact
    return fact === undefined ? null : { seq: fact.seq, line: fact.line }
  })
}

/** What the draft, the operator's files and each preset would do at that call; null when there is no such session or call. */
export async function getComparison(id: string, knobs: PlanKnobs): Promise<ComparisonView | null> {
  const session = await getSession(id)
  if (session === null) return null
  const source = await sourceFor(session, knobs.call)
  if (source === null) return null
  const { policy } = await policyOf(session)
  const ports = dryRunPorts(getSetup(), process.env, transcriptPlace(session).reader)
  return comparisonView(await comparePlans(ports, source, trialCandidates(policy, knobs), knobs))
}

/** One page of a plan's chunks, of one decision or of all; null when there is no such session or call. */
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
    const { action, rule, tokens, byCategory, seqs } = chunk
    const line = seqs[0] === undefined ? undefined : lines.get(seqs[0])
    return {
      order,
      action,
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
  const ports = dryRunPorts(getSetup(), process.env, transcriptPlace(session).reader)
  const request = {
    policy: trialPolicy(inForce.policy, knobs.base, knobs.changes),
    focus: knobs.focus === '' ? null : knobs.focus,
    digest: knobs.digest,
  }
  const runtime = inForce.runtime.runtime.name
  return { session, ports, runtime, ...(await dryRun(ports, source, request)) }
}

function sourceFor(session: SessionDetail, call: number | null): Promise<PlanSource | null> {
  return sources(`${session.row} ${call ?? 'next'}`, session.revision, async () =>
    openPlanSource(transcriptPlace(session).reader, await getInspected(session), call ?? 'next'),
  )
}
