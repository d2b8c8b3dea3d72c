import type { PolicySubject } from '../core/policy/effective'
import { inspectSession } from '../engine/inspect-session'
import type { PendingSummaries } from '../engine/pending-summaries'
import type { Receipt } from '../engine/receipt'
import { type RetryResult, retrySummary } from '../engine/retry-summary'
import { compactionPorts, summaryChain } from '../wire/compaction'
import { resolveChosen } from './chosen-policy'
import { findInStores } from './find-in-stores'
import { CliError, EXIT, type Io } from './io'
import { openWriterOrFail } from './open-writer'
import { setupOrFail } from './setup-or-fail'
import type { Sources } from './sources'

/** What became of a summary that no model had written. */
export type Retried = { readonly receipt: Receipt; readonly result: RetryResult }

export type RetryOptions = {
  /** Value of `--policy`; undefined: the policy in force for each session. */
  readonly policy: string | undefined
  readonly actor: string
  readonly signal: AbortSignal
  /** Folders of the stores that are meant; null: all. */
  readonly within: readonly string[] | null
  /** Whether it is time to ask for one again; without it, it is for all. */
  readonly dueAt?: (receipt: Receipt, retryMs: number) => boolean
}

/** Asks for the summaries that are pending, one after the other (D25). */
export async function* retryPending(
  io: Io,
  sources: Sources,
  pending: Pick<PendingSummaries, 'list'>,
  options: RetryOptions,
): AsyncGenerator<Retried> {
  const setup = setupOrFail(io)
  for (const receipt of await pending.list()) {
    const file = receipt.files.find(({ path }) => path.endsWith('.jsonl'))?.path
    if (file === undefined || options.within?.includes(receipt.root) === false) continue
    try {
      const { store, transcript } = await findInStores(io, sources, file)
      const session = await inspectSession(sources.reader, store, transcript)
      const subject: PolicySubject = {
        store: [store.id, store.root],
        agent: transcript.agent,
        channel: transcript.index?.channel ?? null,
        model: session.totals.model,
        session: transcript.key === null ? [transcript.sessionId] : [transcript.sessionId, transcript.key],
      }
      const { policy } = await resolveChosen(io, {
        chosen: options.policy,
        stores: sources.stores,
        store,
        subject,
      })
      const chain = summaryChain(policy, io.env, session.totals)
      const { retryMs } = policy.summary
      if (options.dueAt !== undefined && (retryMs === 0 || !options.dueAt(receipt, retryMs))) continue
      if (chain === null) {
        const notes = ['The policy in force names no model for summaries (summary.model).']
        yield { receipt, result: { kind: 'waiting', notes } }
        continue
      }
      const writer = await openWriterOrFail(io, setup)
      const { actor, signal } = options
      const wait = { waitMs: 0 }
      const request = { store, transcript, policy, chain, focus: null, actor, manual: true, wait, signal }
      yield {
        receipt,
        result: await retrySummary(compactionPorts(setup, writer, sources.reader), request, receipt),
      }
    } catch (error) {
      if (!(error instanceof CliError) || error.exit === EXIT.fault) throw error
      yield { receipt, result: { kind: 'refused', refusal: { code: 'missing', message: error.message } } }
    }
  }
}

/** One sentence about what became of it. */
export function retriedText({ receipt, result }: Retried): string {
  const name = receipt.session ?? receipt.id
  switch (result.kind) {
    case 'filled':
      return `${name}: a summary by ${result.by} took the place of the digest (receipt ${result.receipt.id}).`
    case 'waiting':
      return `${name}: still the digest. ${result.notes.join(' ')}`.trim()
    case 'superseded':
      return `${name}: ${result.message}`
    case 'refused':
      return `${name}: ${result.refusal.message}`
    case 'stopped':
      return `${name}: stopped; nothing was changed.`
  }
}
