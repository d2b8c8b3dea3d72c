import type { SentToModel } from '../../core/compaction/sent-to-model'
import type { Policy } from '../../core/policy/policy'
import type { AskedModel } from '../../core/summary/asked-model'
import type { Milliseconds } from '../../core/units/units'
import { type InspectedSession, inspectSession } from '../read/inspect-session'
import type { FoundStore, FoundTranscript } from '../read/ports'
import { SourceProblem } from '../read/source-problem'
import type { Receipt } from '../write/receipt'
import { Refused } from '../write/refusal'
import type { CompactionPorts, DryRunPorts } from './compaction-ports'
import type { PendingSummaries } from './pending-summaries'
import { previewRetry, type RetryResult, retrySummary } from './retry-summary'
import { askedModels, couldAsk } from './summary-models'

export type RetryPorts = {
  readonly pending: Pick<PendingSummaries, 'list'>
  readonly reads: DryRunPorts
  /** The session of a transcript file, as its store lists it. @throws Refused */
  readonly place: (
    file: string,
  ) => Promise<{ readonly store: FoundStore; readonly transcript: FoundTranscript }>
  /** @throws Refused */
  readonly policyOf: (session: InspectedSession) => Promise<Policy>
  /** What it takes to write; asked for only when a model is asked. @throws Refused */
  readonly own: () => Promise<CompactionPorts>
}

export type RetryOptions = {
  readonly actor: string
  readonly signal: AbortSignal
  /** Only say who would be asked, and what would be sent. */
  readonly dryRun?: boolean
  /** Folders of the stores that are meant; null: all. */
  readonly within: readonly string[] | null
  /** Whether it is time to ask for one again; without it, it is for all. */
  readonly dueAt?: (receipt: Receipt, retryMs: Milliseconds) => boolean
  /** Called before a model is asked. */
  readonly onAsk: (session: string, sent: SentToModel, asked: readonly AskedModel[]) => void
}

/** What became of a summary that no model had written. */
export type Retried = {
  /** Of the compaction. */
  readonly receipt: Receipt
  readonly result:
    | RetryResult
    /** No model may be asked. `couldAsk`: the session's own, if the operator let it be. */
    | { readonly kind: 'no-model'; readonly couldAsk: AskedModel | null }
    /** `sent`: null when nothing would be sent. */
    | { readonly kind: 'preview'; readonly asked: readonly AskedModel[]; readonly sent: SentToModel | null }
}

/** Asks for the summaries that are pending, one after the other. What is not due yet is passed over. */
export async function* retryPending(ports: RetryPorts, options: RetryOptions): AsyncGenerator<Retried> {
  for (const receipt of await ports.pending.list()) {
    const file = receipt.files.find(({ path }) => path.endsWith('.jsonl'))?.path
    if (file === undefined || options.within?.includes(receipt.root) === false) continue
    try {
      const result = await retryOne(ports, options, receipt, file)
      if (result !== null) yield { receipt, result }
    } catch (error) {
      if (error instanceof Refused) yield { receipt, result: { kind: 'refused', refusal: error.refusal } }
      else if (error instanceof SourceProblem)
        yield { receipt, result: { kind: 'refused', refusal: { code: 'missing', message: error.message } } }
      else throw error
    }
  }
}

/** null when it is not due. */
async function retryOne(
  { reads, place, policyOf, own }: RetryPorts,
  { actor, signal, dryRun, dueAt, onAsk }: RetryOptions,
  receipt: Receipt,
  file: string,
): Promise<Retried['result'] | null> {
  const { store, transcript } = await place(file)
  const session = await inspectSession(reads.reader, store, transcript)
  const policy = await policyOf(session)
  const { retryMs } = policy.summary
  if (dueAt !== undefined && (retryMs === 0 || !dueAt(receipt, retryMs))) return null
  const question = [reads.models, policy, session.totals] as const
  const chain = reads.models.chainFor(policy, session.totals)
  if (chain === null) return { kind: 'no-model', couldAsk: couldAsk(...question) }
  const asked = askedModels(...question)
  if (dryRun) {
    const sent = await previewRetry(reads, { store, transcript, policy }, receipt)
    return { kind: 'preview', asked, sent }
  }
  const name = transcript.key ?? transcript.sessionId
  const request = { store, transcript, policy, chain, focus: null, actor, manual: true, signal }
  const waiting = { wait: { waitMs: 0 }, onAsk: (sent: SentToModel) => onAsk(name, sent, asked) }
  return retrySummary(await own(), { ...request, ...waiting }, receipt)
}
