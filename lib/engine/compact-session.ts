import type { CompactionPlan, NoPlan } from '../core/compaction/plan'
import type { Policy } from '../core/policy/policy'
import { fileLedger, filesByUse } from '../core/summary/file-ledger'
import { runHook } from './compaction-hooks'
import { compactionOperations } from './compaction-operations'
import type { CompactionPorts, CompactionRequest, LoadedSession } from './compaction-ports'
import { diagnoseCompaction } from './diagnose'
import { readFileState } from './file-state'
import { holdSession } from './hold-session'
import { inspectSession } from './inspect-session'
import { lookAtTranscript } from './inspect-transcript'
import { LaneStoppedError } from './lanes'
import type { Hold } from './lock-ports'
import { logCompaction } from './log-compaction'
import { openPlanSource, type PlanSource, planSession } from './plan-session'
import type { Receipt, Refusal } from './receipt'
import { Refused } from './refusal'
import { changeFiles } from './replace-file'
import { storedCovering } from './stored-covering'
import { summariseSession } from './summarise-session'
import { readMaterial } from './summary-material'
import type { WriteFiles } from './write-ports'
import { writeRoot } from './write-root'
import type { WrittenSummary } from './write-summary'

export type CompactionResult =
  | {
      readonly kind: 'compacted'
      readonly plan: CompactionPlan
      readonly summary: WrittenSummary
      readonly recordId: string
      readonly receipt: Receipt
      readonly notes: readonly string[]
    }
  | NoPlan
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'stopped' }

/** How often a session that grew meanwhile is looked at anew before the compaction gives up. */
const ATTEMPTS = 3

/**
 * Compacts a session: plan, summary, record, index, verification, under the session's lock and in its lane. Lines that
 * others add while a model thinks stay, behind what was planned; any other change of the file is a refusal.
 */
export async function compactSession(
  ports: CompactionPorts,
  request: CompactionRequest,
): Promise<CompactionResult> {
  const { transcript, signal } = request
  const unfit = unfitReason(request)
  if (unfit !== null) return { kind: 'refused', refusal: { code: 'not-supported', message: unfit } }
  try {
    return await ports.lanes.run(transcript.path, () => locked(ports, request), { signal })
  } catch (error) {
    if (error instanceof LaneStoppedError) return { kind: 'stopped' }
    if (error instanceof Refused) return { kind: 'refused', refusal: error.refusal }
    throw error
  }
}

/** Why a session is not compacted here, and what to do instead; null when it can be. */
export function unfitReason({
  store,
  transcript,
}: Pick<CompactionRequest, 'store' | 'transcript'>): string | null {
  if (store.era === 'sqlite')
    return 'OpenClaw keeps this session in its database, which nobody else writes; it is compacted through its own gateway. Name OpenClaw\'s command in the settings (gateway: { command: openclaw }), or use it yourself: "openclaw sessions compact KEY".'
  if (transcript.state !== 'live')
    return `${transcript.path} is archived (${transcript.state}); only a live session is compacted.`
  if (!transcript.path.endsWith('.jsonl')) return `${transcript.path} is not a plain transcript file.`
  return null
}

async function locked(ports: CompactionPorts, request: CompactionRequest): Promise<CompactionResult> {
  const hold = await holdSession(ports, request)
  try {
    return await compactHeld(ports, request, hold)
  } finally {
    request.onStep?.('release')
    await hold.release()
  }
}

async function compactHeld(
  ports: CompactionPorts,
  request: CompactionRequest,
  hold: Hold,
): Promise<CompactionResult> {
  const { policy, chain, focus, manual, transcript, signal, onStep } = request
  onStep?.('repair')
  const notes = await damageNotes(ports, transcript)
  onStep?.('prewarm')
  await prewarm(ports.writer.files, transcript.path)
  onStep?.('load')
  const first = await loadSource(ports, request, () => onStep?.('sanitise'))
  onStep?.('limit')
  const source = chain === null ? 'digest' : 'model'
  const { digest = false } = request
  const covered = await storedCovering(ports, first.source, { focus, digest })
  notes.push(...covered.notes)
  const checkpoint = covered.covering
  const plan = planSession(first.source, { policy, manual, source, price: null, checkpoint })
  if (plan.kind === 'nothing') return plan
  if (request.firstKept !== undefined && request.firstKept !== plan.firstKeptEntryId)
    throw new Refused(
      'changed',
      'The session has changed since the plan was made, and its cut with it. Nothing was changed; look at the plan again.',
    )
  const material = await readMaterial(ports.reader, first.source, plan, ports.rulesOf)
  onStep?.('compact')
  notes.push(...(await runHook(ports.hooks, 'before', hookFacts(request, plan))))
  const summarised = { plan, covering: checkpoint, material }
  const written = await summariseSession(ports.reader, first.source, summarised, {
    policy,
    chain,
    focus,
    ...ports.summary,
    maxTokens: maxSummary(policy),
    signal,
    onProgress: request.onProgress,
  })
  if (written.kind === 'stopped' || signal?.aborted) return { kind: 'stopped' }
  const { summary } = written
  const ledger = filesByUse(fileLedger([...material.pruned, ...material.parts.flat(), ...material.prefix]))
  let loaded = first
  for (let attempt = 1; ; attempt++) {
    const operations = await compactionOperations(ports, request, loaded, { plan, summary, ledger })
    const result = await changeFiles(ports.writer, {
      intent: {
        kind: 'compact',
        actor: request.actor,
        reason: reasonOf(plan, summary),
        session: transcript.key ?? transcript.sessionId,
        summary: {
          ...summaryOf(plan, summary, focus),
          record: operations.recordId,
          pending: isPending(request, summary),
        },
      },
      root: writeRoot(request.store, transcript),
      kind: request.store.kind,
      operations: operations.operations,
      wait: { ...request.wait, within: hold },
    })
    if (result.kind === 'refused' && result.refusal.code === 'changed' && attempt < ATTEMPTS) {
      const again = await loadSource(ports, request)
      if (!hasOnlyGrown(first.source, again.source, plan)) return result
      loaded = again
      continue
    }
    if (result.kind === 'refused') return result
    if (result.kind === 'unchanged') throw new Error('A compaction record was added and nothing changed')
    onStep?.('hooks')
    notes.push(
      ...(await runHook(ports.hooks, 'after', { ...hookFacts(request, plan), receipt: result.receipt.id })),
    )
    onStep?.('diag')
    const { sessionId } = transcript
    diagnosePlan(ports, result.receipt.id, plan)
    const rest = { record: operations.recordId, receipt: result.receipt.id }
    notes.push(...(await logCompaction(ports.log?.(policy.logs), plan, { sessionId, policy, manual, rest })))
    return {
      kind: 'compacted',
      plan,
      summary,
      recordId: operations.recordId,
      receipt: result.receipt,
      notes: [...summary.notes, ...notes, ...result.notes],
    }
  }
}

/** The summary is a message too; what stands in no entry is none. */
function diagnosePlan({ diagnose }: CompactionPorts, id: string, plan: CompactionPlan): void {
  const count = (chunks: CompactionPlan['chunks']) => chunks.reduce((sum, { seqs }) => sum + seqs.length, 0)
  const kept = plan.chunks.filter(({ action }) => action === 'keep')
  diagnoseCompaction(
    diagnose,
    id,
    { messages: count(plan.chunks), tokens: plan.tokensBefore.value },
    { messages: count(kept) + 1, tokens: plan.tokensAfter.value },
  )
}

/**
 * Looks whether the transcript is sound. Damage further up does not keep a record from being added, and is repaired only
 * where somebody has seen what that changes: it is told. A file whose header is missing is nobody's transcript.
 */
async function damageNotes(
  { look }: CompactionPorts,
  { path }: CompactionRequest['transcript'],
): Promise<string[]> {
  if (look === undefined) return []
  const looked = await lookAtTranscript(look, path)
  if (looked.kind === 'refused') throw new Refused(looked.refusal.code, looked.refusal.message)
  const { check } = looked
  if (check.kind === 'headless')
    throw new Refused('unsafe', `${path} does not begin with a session header; it is not compacted.`)
  if (check.ok) return []
  const { length } = check.findings
  return [
    `The transcript is damaged in ${length} ${length === 1 ? 'place' : 'places'}; "plimsoll repair" shows where.`,
  ]
}

/** The beginning of a transcript, read ahead of it all; one that is not there is found missing later (M17). */
export async function prewarm(files: Pick<WriteFiles, 'read'>, path: string): Promise<number> {
  let bytes = 0
  try {
    for await (const piece of files.read(path, { start: 0, end: PREWARM_BYTES })) bytes += piece.length
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOENT') throw error
  }
  return bytes
}

const PREWARM_BYTES = 4_096

/**
 * Reads a session, and makes sure that it is that of one file and not of two.
 * @param onSanitise told when what no model may see is left out
 */
async function loadSource(
  ports: CompactionPorts,
  request: CompactionRequest,
  onSanitise: () => void = () => undefined,
): Promise<LoadedSession> {
  const { writer, reader } = ports
  const { store, transcript } = request
  const path = await writer.files.realPath(transcript.path)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const expected = await readFileState(writer, path)
    if (expected === null) throw new Refused('missing', `${transcript.path} is not there any more.`)
    const inspected = await inspectSession(reader, store, transcript, { sizes: true })
    if (attempt === 0) onSanitise()
    const source = await openPlanSource(reader, inspected, 'next')
    const after = await writer.files.look(path)
    if (source !== null && after?.size === expected.size && after.mtimeNs === expected.mtimeNs)
      return { source, expected }
  }
  throw new Refused('changed', `${transcript.path} is being written to; try again when its turn has ended.`)
}

/** Whether a session that was read again has nothing but new entries behind what was planned. */
function hasOnlyGrown(before: PlanSource, after: PlanSource, plan: CompactionPlan): boolean {
  const [old, now] = [before.session.facts, after.session.facts]
  const same = old.every(
    (fact, i) => fact.id === now[i]?.id && fact.offset === now[i]?.offset && fact.bytes === now[i]?.bytes,
  )
  const added = after.path.slice(before.path.length)
  const onPath = before.path.every(({ fact }, i) => fact.seq === after.path[i]?.fact.seq)
  const bounded = added.some(({ fact }) => fact.type === 'compaction' || fact.type === 'reset')
  return same && onPath && !bounded && after.path.some(({ fact }) => fact.id === plan.firstKeptEntryId)
}

/** OpenClaw's bound: four fifths of the reserve (openclaw.md §3.2); a rolling summary has its own. */
export function maxSummary({ reserve, summary }: Policy): number {
  const most = Math.floor(Math.max(reserve.tokens, reserve.floor) * SUMMARY_SHARE)
  return summary.rolling.enabled ? Math.min(most, summary.rolling.maxTokens) : most
}

const SUMMARY_SHARE = 0.8

function hookFacts({ transcript, actor }: CompactionRequest, plan: CompactionPlan) {
  return {
    session: transcript.key ?? transcript.sessionId,
    file: transcript.path,
    actor,
    tokensBefore: plan.tokensBefore.value,
    tokensAfter: plan.tokensAfter.value,
    firstKeptEntryId: plan.firstKeptEntryId,
  }
}

function reasonOf(plan: CompactionPlan, { source, by }: WrittenSummary): string {
  const gone = plan.chunks.filter(({ action }) => action !== 'keep').length
  const how = {
    model: `a summary by ${by ?? 'a model'}`,
    digest: 'a digest made without a model',
    checkpoint: "the agent's own checkpoint",
  }[source]
  return `Compacted ${gone} ${gone === 1 ? 'chunk' : 'chunks'} into ${how}.`
}

/** A model was to write the summary and gave nothing: the digest keeps its place until one answers (D25). */
function isPending({ chain, policy }: CompactionRequest, { source }: WrittenSummary): boolean {
  return chain !== null && source === 'digest' && policy.summary.retryMs > 0
}

function summaryOf(plan: CompactionPlan, summary: WrittenSummary, focus: string | null) {
  const count = (action: string) => plan.chunks.filter((chunk) => chunk.action === action).length
  return {
    tokensBefore: plan.tokensBefore.value,
    tokensAfter: plan.tokensAfter.value,
    kept: count('keep'),
    summarised: count('summarise'),
    pruned: count('prune'),
    dropped: count('drop'),
    firstKeptEntryId: plan.firstKeptEntryId,
    source: summary.source,
    model: summary.by,
    calls: summary.calls,
    focus,
  }
}
