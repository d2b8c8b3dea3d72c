import type { CompactionPlan } from '../../core/compaction/plan'
import { type SentToModel, sentToModel } from '../../core/compaction/sent-to-model'
import { EMPTY_PLAN } from '../../core/repair/plan'
import { linesWithoutCheckpoints } from '../../core/repair/stale-checkpoints'
import { Branches } from '../../core/transcript/branches'
import { contextAt } from '../../core/transcript/context'
import type { EntryFact } from '../../core/transcript/entry'
import { isObject } from '../../core/transcript/json'
import { LaneStoppedError } from '../jobs/lanes'
import { inspectSession } from '../read/inspect-session'
import { readerUpTo } from '../read/reader-up-to'
import { writeSummary } from '../summary/write-summary'
import { contextLines } from '../write/context-lines'
import { readFileState } from '../write/file-state'
import type { HeldLock } from '../write/lock-ports'
import type { Receipt, WriteRefusal } from '../write/receipt'
import { Refused } from '../write/refusal'
import { replaceFile } from '../write/replace-file'
import { rewriteLines } from '../write/rewrite-lines'
import { writableKind } from '../write/writable'
import { writeRoot } from '../write/write-root'
import { maxSummary, unfitReason } from './compact-session'
import type { CompactionPorts, CompactionRequest, DryRunPorts } from './compaction-ports'
import { keptSummary, offeredPlan } from './kept-summary'
import { LockTime, lockSession } from './lock-session'
import { openPlanSource, type PlanSource, planSession } from './plan-session'
import { readMaterial } from './summary-material'

export type RetryResult =
  | { readonly kind: 'filled'; readonly by: string; readonly receipt: Receipt }
  /** No model answered this time either; the digest stays. */
  | { readonly kind: 'waiting'; readonly notes: readonly string[] }
  /** There is nothing to fill any more. */
  | { readonly kind: 'superseded'; readonly message: string }
  | { readonly kind: 'refused'; readonly refusal: WriteRefusal }
  | { readonly kind: 'stopped' }

/**
 * Asks for the summary of a compaction again whose models gave nothing at the time, and puts it in the place of the
 * digest: only while that record is the last boundary of its session, under the session's lock, with a backup and its
 * own receipt. Of the context nothing changes but the text of the summary. The session is not locked while a model
 * thinks; what it wrote and could not be put in is kept for the next time.
 * @param pending receipt of the compaction, see `PendingSummaries`
 */
export async function retrySummary(
  ports: CompactionPorts,
  request: CompactionRequest,
  pending: Receipt,
): Promise<RetryResult> {
  const unfit = unfitReason(request)
  if (unfit !== null) return { kind: 'refused', refusal: { code: 'not-supported', message: unfit } }
  try {
    const work = () => new Retry(ports, request, pending).run()
    return await ports.lanes.run(request.transcript.path, work, { signal: request.signal })
  } catch (error) {
    if (error instanceof LaneStoppedError) return { kind: 'stopped' }
    if (error instanceof Refused) return { kind: 'refused', refusal: error.refusal }
    throw error
  }
}

type Again = { readonly text: string; readonly by: string }

class Retry {
  private readonly time: LockTime

  constructor(
    private readonly ports: CompactionPorts,
    private readonly request: CompactionRequest,
    private readonly pending: Receipt,
  ) {
    this.time = new LockTime(request.policy, () => ports.writer.clock.now())
  }

  async run(): Promise<RetryResult> {
    const { ports, request } = this
    const before = await this.underLock(() => this.read())
    if (before.record === null) return superseded(GONE)
    const written = await summaryAgain(ports, request, before.record, this.pending)
    if ('kind' in written) return written
    return this.underLock((holds) => this.write(written, holds))
  }

  private underLock<T>(work: (holds: readonly HeldLock[]) => Promise<T>): Promise<T> {
    const { ports, request } = this
    return this.time.under((most) => lockSession(ports, request, most), work)
  }

  /** The session as it is, and the record, as long as that is the last boundary. */
  private async read() {
    const { ports, request, pending } = this
    const { writer } = ports
    const { store, transcript } = request
    const file = await writer.files.realPath(transcript.path)
    const expected = await readFileState(writer, file)
    if (expected === null) throw new Refused('missing', `${transcript.path} is not there any more.`)
    const { facts } = await inspectSession(ports.reader, store, transcript)
    const branches = Branches.of(facts)
    return { file, expected, facts, branches, record: lastBoundary(branches, pending.summary.record) }
  }

  private async write(written: Again, holds: readonly HeldLock[]): Promise<RetryResult> {
    const { ports, request, pending } = this
    const { store, transcript, signal } = request
    const { file, expected, facts, branches, record } = await this.read()
    if (record === null) return superseded(GONE)
    const lines = contextAt(branches, branches.leaf, store.kind, 'full').map(({ fact }) => fact.line)
    const stale = new Map([...linesWithoutCheckpoints(facts, record.seq)].map(([at, one]) => [at, [one]]))
    const result = await replaceFile(ports.writer, {
      intent: {
        kind: 'compact',
        actor: request.actor,
        reason: `A summary by ${written.by} took the place of the digest.`,
        session: transcript.key ?? transcript.sessionId,
        summary: { record: record.id ?? null, fills: pending.id, source: 'model', model: written.by },
      },
      target: { file, root: writeRoot(store, transcript), kind: writableKind(store) },
      expected,
      produce: (read) =>
        rewriteLines(
          () => withLine(read, record, (line) => withSummary(ports.decode(line), written.text)),
          { ...EMPTY_PLAN, lines: stale },
          ports.decode,
        ),
      verify: async (read) => {
        const after = await contextLines(read(), ports.decode, store.kind)
        const same = after.lines.length === lines.length && after.lines.every((line, i) => line === lines[i])
        return same ? null : 'the context would not be the same but for its summary'
      },
      wait: { ...request.wait, within: holds },
    })
    if (signal?.aborted && result.kind !== 'done') return { kind: 'stopped' }
    if (result.kind === 'refused') return result
    if (result.kind === 'unchanged') throw new Error('A summary was replaced and nothing changed')
    await ports.kept?.forget(file)
    return { kind: 'filled', by: written.by, receipt: result.receipt }
  }
}

const GONE = 'the session was compacted or reset again, or the record is gone'

/** The compaction as it was planned then. */
type PlannedAgain =
  | {
      readonly kind: 'planned'
      readonly source: PlanSource
      readonly plan: CompactionPlan
      readonly focus: string | null
    }
  /** A model was paid for it before. */
  | { readonly kind: 'kept'; readonly text: string; readonly by: string }
  | Extract<RetryResult, { kind: 'superseded' }>

/** Plans as it was planned then. @param seq of the record */
async function planAgain(
  ports: RetryReads,
  request: RetryPlace,
  seq: number,
  pending: Receipt,
): Promise<PlannedAgain> {
  const { store, transcript, policy } = request
  const reader = readerUpTo(ports.reader, seq)
  const source = await openPlanSource(
    reader,
    await inspectSession(reader, store, transcript, { sizes: true }),
    'next',
  )
  const { focus: asked } = pending.summary
  const focus = typeof asked === 'string' ? asked : null
  const file = await ports.writer.files.realPath(transcript.path)
  if (source !== null) {
    const kept = (await ports.kept?.get(file)) ?? null
    const plan = offeredPlan(kept, source, { policy, focus }, ports.summary.mask)
    const by = kept?.summary.by ?? null
    if (kept !== null && by !== null && plan?.firstKeptEntryId === pending.summary.firstKeptEntryId)
      return { kind: 'kept', text: kept.summary.text, by }
  }
  const plan =
    source === null
      ? null
      : planSession(source, { policy, manual: true, source: 'model', price: null, checkpoint: null })
  if (source === null || plan?.kind !== 'plan' || plan.firstKeptEntryId !== pending.summary.firstKeptEntryId)
    return superseded('the policy would cut elsewhere now, so a new summary would be one of other messages')
  return { kind: 'planned', source, plan, focus }
}

type RetryReads = Pick<DryRunPorts, 'reader' | 'kept' | 'summary' | 'writer'>
type RetryPlace = Pick<CompactionRequest, 'store' | 'transcript' | 'policy'>

/**
 * What asking for a summary again would send; null when it would send nothing: there is nothing to fill any more, or a
 * model was paid for it before. Asks no model and takes no lock.
 */
export async function previewRetry(
  ports: RetryReads,
  request: RetryPlace,
  pending: Receipt,
): Promise<SentToModel | null> {
  const { facts } = await inspectSession(ports.reader, request.store, request.transcript)
  const record = lastBoundary(Branches.of(facts), pending.summary.record)
  const planned = record === null ? null : await planAgain(ports, request, record.seq, pending)
  return planned?.kind === 'planned' ? sentToModel(planned.plan) : null
}

/** Asks the models for it. */
async function summaryAgain(
  ports: CompactionPorts,
  request: CompactionRequest,
  record: EntryFact,
  pending: Receipt,
): Promise<Again | RetryResult> {
  const { policy, chain, signal } = request
  const planned = await planAgain(ports, request, record.seq, pending)
  if (planned.kind === 'kept') return { text: planned.text, by: planned.by }
  if (planned.kind === 'superseded') return planned
  const { source, plan, focus } = planned
  const material = await readMaterial(ports.reader, source, plan, ports.rulesOf)
  const sent = sentToModel(plan)
  if (sent !== null) request.onAsk?.(sent)
  const written = await writeSummary(material, {
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
  const { text, by, source: from, notes } = summary
  if (from !== 'model' || by === null) return { kind: 'waiting', notes }
  const file = await ports.writer.files.realPath(request.transcript.path)
  const made = { file, at: ports.writer.clock.now(), plan, summary }
  await ports.kept?.put(keptSummary(source, { policy, focus }, made, ports.summary.mask))
  return { text, by }
}

function superseded(why: string): Extract<RetryResult, { kind: 'superseded' }> {
  return { kind: 'superseded', message: `The digest stays: ${why}.` }
}

/** Whether a pending summary can still be filled: the session was neither compacted nor reset since. */
export function awaitsSummary(facts: readonly EntryFact[], pending: Receipt): boolean {
  return lastBoundary(Branches.of(facts), pending.summary.record) !== null
}

/** The record, if it is the last boundary on the way to the leaf. */
function lastBoundary(branches: Branches, id: unknown): EntryFact | null {
  const path = branches.path(branches.leaf).flatMap((seq) => branches.facts[seq] ?? [])
  const last = path.findLast(({ type }) => type === 'compaction' || type === 'reset')
  return last !== undefined && last.id === id ? last : null
}

function withSummary(line: string, summary: string): string {
  const entry: unknown = JSON.parse(line)
  if (!isObject(entry)) throw new Error('The record of the compaction is no object')
  return JSON.stringify({ ...entry, summary })
}

/** The bytes of a transcript with one line changed; all others go through as they are. */
async function* withLine(
  read: () => AsyncIterable<Uint8Array>,
  { offset, bytes }: Pick<EntryFact, 'offset' | 'bytes'>,
  change: (line: Uint8Array) => string,
): AsyncGenerator<Uint8Array> {
  const end = offset + bytes
  const held = new Uint8Array(bytes)
  let at = 0
  for await (const piece of read()) {
    const to = at + piece.length
    if (at < offset) yield piece.slice(0, Math.max(0, offset - at))
    if (at < end && to > offset) {
      const part = piece.subarray(Math.max(0, offset - at), Math.min(piece.length, end - at))
      held.set(part, Math.max(0, at - offset))
      if (to >= end) yield new TextEncoder().encode(change(held))
    }
    if (to > end) yield piece.slice(Math.max(0, end - at))
    at = to
  }
}
