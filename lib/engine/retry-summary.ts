import { Branches } from '../core/transcript/branches'
import { contextAt } from '../core/transcript/context'
import type { EntryFact } from '../core/transcript/entry'
import { isObject } from '../core/transcript/json'
import { maxSummary, unfitReason } from './compact-session'
import type { CompactionPorts, CompactionRequest } from './compaction-ports'
import { contextLines } from './context-lines'
import { readFileState } from './file-state'
import { holdSession } from './hold-session'
import { inspectSession } from './inspect-session'
import { LaneStoppedError } from './lanes'
import type { Hold } from './lock-ports'
import { openPlanSource, planSession } from './plan-session'
import { readerUpTo } from './reader-up-to'
import type { Receipt, Refusal } from './receipt'
import { Refused } from './refusal'
import { replaceFile } from './replace-file'
import { readMaterial } from './summary-material'
import { writeRoot } from './write-root'
import { writeSummary } from './write-summary'

export type RetryResult =
  | { readonly kind: 'filled'; readonly by: string; readonly receipt: Receipt }
  /** No model answered this time either; the digest stays. */
  | { readonly kind: 'waiting'; readonly notes: readonly string[] }
  /** There is nothing to fill any more. */
  | { readonly kind: 'superseded'; readonly message: string }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'stopped' }

/**
 * Asks for the summary of a compaction again whose models gave nothing at the time (D25), and puts it in the place of
 * the digest: only while that record is the last boundary of its session, under the session's lock, with a backup and a
 * receipt of its own. Of the context nothing changes but the text of the summary.
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
    return await ports.lanes.run(
      request.transcript.path,
      async () => {
        const hold = await holdSession(ports, request)
        try {
          return await retryHeld(ports, request, pending, hold)
        } finally {
          await hold.release()
        }
      },
      { signal: request.signal },
    )
  } catch (error) {
    if (error instanceof LaneStoppedError) return { kind: 'stopped' }
    if (error instanceof Refused) return { kind: 'refused', refusal: error.refusal }
    throw error
  }
}

async function retryHeld(
  ports: CompactionPorts,
  request: CompactionRequest,
  pending: Receipt,
  hold: Hold,
): Promise<RetryResult> {
  const { writer, decode } = ports
  const { store, transcript, signal } = request
  const file = await writer.files.realPath(transcript.path)
  const expected = await readFileState(writer, file)
  if (expected === null) throw new Refused('missing', `${transcript.path} is not there any more.`)
  const { facts } = await inspectSession(ports.reader, store, transcript)
  const branches = Branches.of(facts)
  const record = lastBoundary(branches, pending.summary.record)
  if (record === null) return superseded('the session was compacted or reset again, or the record is gone')
  const written = await summaryAgain(ports, request, record, pending)
  if ('kind' in written) return written
  const lines = contextAt(branches, branches.leaf, store.kind).map(({ fact }) => fact.line)
  const result = await replaceFile(writer, {
    intent: {
      kind: 'compact',
      actor: request.actor,
      reason: `A summary by ${written.by} took the place of the digest.`,
      session: transcript.key ?? transcript.sessionId,
      summary: { record: record.id ?? null, fills: pending.id, source: 'model', model: written.by },
    },
    target: { file, root: writeRoot(store, transcript), kind: store.kind },
    expected,
    produce: (read) => withLine(read, record, (line) => withSummary(decode(line), written.text)),
    verify: async (read) => {
      const after = await contextLines(read(), decode, store.kind)
      const same = after.lines.length === lines.length && after.lines.every((line, i) => line === lines[i])
      return same ? null : 'the context would not be the same but for its summary'
    },
    wait: { ...request.wait, within: hold },
  })
  if (signal?.aborted && result.kind !== 'done') return { kind: 'stopped' }
  if (result.kind === 'refused') return result
  if (result.kind === 'unchanged') throw new Error('A summary was replaced and nothing changed')
  return { kind: 'filled', by: written.by, receipt: result.receipt }
}

type Again = { readonly text: string; readonly by: string }

/** Plans as it was planned then, and asks the models. */
async function summaryAgain(
  ports: CompactionPorts,
  request: CompactionRequest,
  record: EntryFact,
  pending: Receipt,
): Promise<Again | RetryResult> {
  const { store, transcript, policy, chain, signal } = request
  const reader = readerUpTo(ports.reader, record.seq)
  const source = await openPlanSource(
    reader,
    await inspectSession(reader, store, transcript, { sizes: true }),
    'next',
  )
  const plan =
    source === null
      ? null
      : planSession(source, { policy, manual: true, source: 'model', price: null, checkpoint: null })
  if (source === null || plan?.kind !== 'plan' || plan.firstKeptEntryId !== pending.summary.firstKeptEntryId)
    return superseded('the policy would cut elsewhere now, so a new summary would be one of other messages')
  const material = await readMaterial(ports.reader, source, plan, ports.rulesOf)
  const { focus } = pending.summary
  const written = await writeSummary(material, {
    policy,
    chain,
    focus: typeof focus === 'string' ? focus : null,
    ...ports.summary,
    maxTokens: maxSummary(policy),
    signal,
    onProgress: request.onProgress,
  })
  if (written.kind === 'stopped' || signal?.aborted) return { kind: 'stopped' }
  const { text, by, source: from, notes } = written.summary
  return from === 'model' && by !== null ? { text, by } : { kind: 'waiting', notes }
}

function superseded(why: string): RetryResult {
  return { kind: 'superseded', message: `The digest stays: ${why}.` }
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
