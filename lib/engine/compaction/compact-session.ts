import type { CompactionPlan, NoPlan } from '../../core/compaction/plan'
import { sentToModel } from '../../core/compaction/sent-to-model'
import type { Policy } from '../../core/policy/policy'
import { fileLedger, filesByUse } from '../../core/summary/file-ledger'
import { mirrorRefusal, ownerOf } from '../../core/transcript/mirror'
import { withFullStop } from '../../core/words/full-stop'
import { reasonOf } from '../../core/words/reason-of'
import { LaneStoppedError } from '../jobs/lanes'
import type { SummaryMaterial, WrittenSummary } from '../summary/write-summary'
import { readFileState } from '../write/file-state'
import type { HeldLock } from '../write/lock-ports'
import type { Receipt, WriteRefusal, WriteResult } from '../write/receipt'
import { Refused } from '../write/refusal'
import { changeFiles } from '../write/replace-file'
import { readOnlyReason, writableKind } from '../write/writable'
import { writeRoot } from '../write/write-root'
import type { CheckpointText } from './checkpoint-summary'
import { type HookEvent, type HookFacts, runHook } from './compaction-hooks'
import { compactionOperations, indexPath } from './compaction-operations'
import type { CompactionPorts, CompactionRequest, CompactionStep, LoadedSession } from './compaction-ports'
import { diagnoseCompaction } from './diagnose'
import { type KeptSummary, keptSummary, offeredPlan } from './kept-summary'
import { damageNotes, hasOnlyGrown, loadSource } from './load-session'
import { LockTime, lockSession } from './lock-session'
import { logCompaction } from './log-compaction'
import { planSession } from './plan-session'
import { storedCheckpoint } from './stored-checkpoint'
import { summariseSession } from './summarise-session'
import { readMaterial } from './summary-material'

export type CompactionResult =
  | {
      readonly kind: 'compacted'
      readonly plan: CompactionPlan
      readonly summary: WrittenSummary
      readonly recordId: string
      readonly receipt: Receipt
      /** What was done, in its order. */
      readonly steps: readonly CompactionStep[]
      readonly notes: readonly string[]
    }
  | NoPlan
  | { readonly kind: 'refused'; readonly refusal: WriteRefusal }
  | { readonly kind: 'stopped' }

/** How often a session that grew meanwhile, or an index that others wrote, is examined anew before it is given up. */
const ATTEMPTS = 8

/**
 * Compacts a session in its lane: plan, summary, record, index, verification. The session is locked while it is
 * read and while it is written, and not while a model thinks. Lines that others add meanwhile stay, behind what was
 * planned; any other change of the file is a refusal, and what a model wrote for it is kept.
 */
export async function compactSession(
  ports: CompactionPorts,
  request: CompactionRequest,
): Promise<CompactionResult> {
  const { transcript, signal, onLongWait } = request
  const unfit = unfitReason(request)
  if (unfit !== null) return { kind: 'refused', refusal: { code: 'not-supported', message: unfit } }
  try {
    const work = () => new Compaction(ports, request).run()
    return await ports.lanes.run(transcript.path, work, { signal, onLongWait })
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
  const owner = ownerOf(transcript.index, null)
  if (owner !== null) return mirrorRefusal(owner)
  const readOnly = readOnlyReason(store)
  if (readOnly !== null) return readOnly
  if (store.era === 'sqlite')
    return 'OpenClaw keeps this session in its database, which it alone writes; it is compacted through its own gateway. Name OpenClaw\'s command in the settings (gateway: { command: openclaw }), or use it yourself: "openclaw sessions compact KEY".'
  if (transcript.state !== 'live')
    return `${transcript.path} is archived (${transcript.state}); only a live session is compacted.`
  if (!transcript.path.endsWith('.jsonl')) return `${transcript.path} is not a plain transcript file.`
  return null
}

/** What is to be written, and what it rests on. */
type Prepared = {
  readonly first: LoadedSession
  readonly plan: CompactionPlan
  /** Written before, and paid for; null: it is still to be written. */
  readonly offered: WrittenSummary | null
  readonly covering: CheckpointText | null
  readonly material: SummaryMaterial
}

/** One compaction, step by step. */
class Compaction {
  private readonly steps: CompactionStep[] = []
  private readonly notes: string[] = []
  private readonly time: LockTime
  private readonly request: CompactionRequest

  constructor(
    private readonly ports: CompactionPorts,
    request: CompactionRequest,
  ) {
    const step = (name: CompactionStep) => this.step(name)
    this.request = { ...request, onStep: step }
    this.reportStep = request.onStep
    this.time = new LockTime(request.policy, () => ports.writer.clock.now())
  }

  private readonly reportStep: CompactionRequest['onStep']

  async run(): Promise<CompactionResult> {
    const { ports, request } = this
    const prepared = await this.time.under(
      (most) => lockSession(ports, request, most),
      () => this.prepare(),
      () => this.step('release'),
    )
    if (prepared.kind === 'nothing') return prepared
    const { plan, offered } = prepared
    let summary = offered
    if (summary === null) {
      await this.runHooks('before', hookFacts(request, plan))
      this.step('summarise')
      const written = await this.summarise(prepared)
      if (written === null) return { kind: 'stopped' }
      summary = written
    }
    if (request.signal?.aborted) return { kind: 'stopped' }
    try {
      return await this.write(prepared, summary)
    } catch (error) {
      throw error instanceof Refused ? this.withOffer(error, summary) : error
    }
  }

  private step(name: CompactionStep): void {
    this.steps.push(name)
    this.reportStep?.(name)
  }

  private async prepare(): Promise<NoPlan | ({ readonly kind: 'prepared' } & Prepared)> {
    const { ports, request } = this
    const { policy, chain, focus, manual, digest = false } = request
    if (ports.look !== undefined) {
      this.step('check')
      this.notes.push(...(await damageNotes(ports.look, request.transcript)))
    }
    this.step('load')
    const first = await loadSource(ports, request)
    this.step('plan')
    const kept = chain === null || digest ? null : await this.kept()
    const keptPlan = offeredPlan(kept, first.source, request, ports.summary.mask)
    const isOther = request.firstKept !== undefined && request.firstKept !== keptPlan?.firstKeptEntryId
    if (kept !== null && keptPlan !== null && !isOther) {
      const material = await readMaterial(ports.reader, first.source, keptPlan, ports.rulesOf)
      const offered = { ...kept.summary, notes: [...kept.summary.notes, ...keptNotes(keptPlan)] }
      return { kind: 'prepared', first, plan: keptPlan, offered, covering: null, material }
    }
    const covered = await storedCheckpoint(ports, first.source, { focus, digest })
    this.notes.push(...covered.notes)
    const { covering } = covered
    const source = chain === null ? 'digest' : 'model'
    const plan = planSession(first.source, { policy, manual, source, price: null, checkpoint: covering })
    if (plan.kind === 'nothing') return plan
    if (request.firstKept !== undefined && request.firstKept !== plan.firstKeptEntryId)
      throw new Refused(
        'changed',
        'The session has changed since the plan was made, and its cut with it. Nothing was changed; look at the plan again.',
      )
    const material = await readMaterial(ports.reader, first.source, plan, ports.rulesOf)
    return { kind: 'prepared', first, plan, offered: null, covering, material }
  }

  /** null when it was stopped. What a model wrote is kept at once: whatever happens to the process, it was paid for. */
  private async summarise({ first, plan, covering, material }: Prepared): Promise<WrittenSummary | null> {
    const { ports, request } = this
    const { policy, chain, focus, signal, onProgress } = request
    const sent = chain === null ? null : sentToModel(plan)
    if (sent !== null) request.onAsk?.(sent)
    const written = await summariseSession(
      ports.reader,
      first.source,
      { plan, covering, material },
      { policy, chain, focus, ...ports.summary, maxTokens: maxSummary(policy), signal, onProgress },
    )
    if (written.kind === 'stopped') return null
    const { summary } = written
    if (summary.source === 'model' && ports.kept !== undefined) {
      const made = { file: await this.realFile(), at: ports.writer.clock.now(), plan, summary }
      try {
        await ports.kept.put(keptSummary(first.source, request, made, ports.summary.mask))
      } catch (error) {
        const why = reasonOf(error)
        this.notes.push(`The summary could not be kept beside: ${why}`)
      }
    }
    return summary
  }

  private async write(prepared: Prepared, summary: WrittenSummary): Promise<CompactionResult> {
    const { ports, request } = this
    const { plan, material } = prepared
    const ledger = filesByUse(fileLedger([...material.pruned, ...material.parts.flat(), ...material.prefix]))
    const index = await indexPath(ports.writer, request)
    const written = await this.time.under(
      (most) => lockSession(ports, request, most, index),
      (holds) => this.writeHeld(prepared, { plan, summary, ledger }, holds),
      () => this.step('release'),
    )
    if (written.result.kind === 'refused')
      throw new Refused(written.result.refusal.code, written.result.refusal.message)
    if (written.result.kind === 'unchanged')
      throw new Error('A compaction record was added and nothing changed')
    const { receipt, notes } = written.result
    await ports.kept?.forget(await this.realFile())
    await this.runHooks('after', { ...hookFacts(request, plan), receipt: receipt.id })
    diagnosePlan(ports, receipt.id, plan)
    await this.log(plan, { record: written.recordId, receipt: receipt.id })
    return {
      kind: 'compacted',
      plan,
      summary,
      recordId: written.recordId,
      receipt,
      steps: this.steps,
      notes: [...summary.notes, ...this.notes, ...notes],
    }
  }

  /** Reads the session again and writes what was planned, as long as nothing but new entries came to it. */
  private async writeHeld(
    { first, plan }: Prepared,
    outcome: Parameters<typeof compactionOperations>[3],
    holds: readonly HeldLock[],
  ): Promise<{ readonly result: WriteResult; readonly recordId: string }> {
    const { ports, request } = this
    const { transcript } = request
    this.step('compare')
    for (let attempt = 1; ; attempt++) {
      const loaded = await this.reloaded(first)
      if (!hasOnlyGrown(first.source, loaded.source, plan))
        throw new Refused(
          'changed',
          `${transcript.path} has changed since the plan was made, and not only grown. Nothing was written; look at it again.`,
        )
      const operations = await compactionOperations(ports, request, loaded, outcome)
      if (attempt === 1) this.step('write')
      const result = await changeFiles(ports.writer, {
        intent: {
          kind: 'compact',
          actor: request.actor,
          reason: compactionReason(plan, outcome.summary),
          session: transcript.key ?? transcript.sessionId,
          summary: {
            ...summaryOf(plan, outcome.summary, request.focus),
            record: operations.recordId,
            pending: isPending(request, outcome.summary),
          },
        },
        root: writeRoot(request.store, transcript),
        kind: writableKind(request.store),
        operations: operations.operations,
        wait: { ...request.wait, within: holds },
      })
      const isRaced = result.kind === 'refused' && result.refusal.code === 'changed'
      if (!isRaced || attempt >= ATTEMPTS) return { result, recordId: operations.recordId }
    }
  }

  /** The session as it is now; not read again when its file is the same. */
  private async reloaded(first: LoadedSession): Promise<LoadedSession> {
    const now = await readFileState(this.ports.writer, await this.realFile())
    return now?.hash === first.expected.hash
      ? { source: first.source, expected: now }
      : loadSource(this.ports, this.request)
  }

  private realFile(): Promise<string> {
    return this.ports.writer.files.realPath(this.request.transcript.path)
  }

  private async kept(): Promise<KeptSummary | null> {
    return (await this.ports.kept?.get(await this.realFile())) ?? null
  }

  private async runHooks(event: HookEvent, facts: HookFacts): Promise<void> {
    const { hooks } = this.ports
    if (hooks.has?.(event) === false) return
    this.step('hooks')
    this.notes.push(...(await runHook(hooks, event, facts)))
  }

  private async log(plan: CompactionPlan, names: Readonly<Record<string, string>>): Promise<void> {
    const { policy, manual, transcript } = this.request
    const log = this.ports.log?.(policy.logs)
    if (log === undefined) return
    this.step('log')
    const { sessionId } = transcript
    const rest = { ...names, steps: this.steps.join(' ') }
    this.notes.push(...(await logCompaction(log, plan, { sessionId, policy, manual, rest })))
  }

  /** What was paid for is not lost; the next run with the same policy takes it. */
  private withOffer({ refusal }: Refused, { source, by }: WrittenSummary): Refused {
    if (source !== 'model' || this.ports.kept === undefined) return new Refused(refusal.code, refusal.message)
    return new Refused(
      refusal.code,
      `${withFullStop(refusal.message)} The summary by ${by ?? 'the model'} is kept; the next compaction of this session uses it and asks no model.`,
    )
  }
}

function keptNotes({ warnings }: CompactionPlan): string[] {
  return warnings.filter(({ code }) => code === 'kept-summary').map(({ message }) => message)
}

/** The summary is a message too; what is in no entry is none. */
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
 * OpenClaw's bound: four fifths of the reserve (lib/docs/openclaw.md#limits-of-a-compaction); a rolling summary has its
 * own.
 */
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

function compactionReason(plan: CompactionPlan, { source, by }: WrittenSummary): string {
  const gone = plan.chunks.filter(({ action }) => action !== 'keep').length
  const how = {
    model: `a summary by ${by ?? 'a model'}`,
    digest: 'a digest made without a model',
    checkpoint: "the agent's own checkpoint",
  }[source]
  return `Compacted ${gone} ${gone === 1 ? 'chunk' : 'chunks'} into ${how}.`
}

/** A model was to write the summary and gave nothing: the digest keeps its place until one answers. */
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
