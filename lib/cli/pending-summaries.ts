import { compactionPorts, dryRunPorts } from '../compose/compaction'
import { openReceipts } from '../compose/writer'
import { PendingSummaries } from '../engine/compaction/pending-summaries'
import type { Retried, RetryPorts } from '../engine/compaction/retry-pending'
import { withSessionModel } from '../engine/compaction/summary-models'
import { policySubjectOf } from '../engine/read/session-subject'
import { Refused } from '../engine/write/refusal'
import { retriedSentence } from '../view/compaction/outcome'
import { resolveChosen } from './choose/chosen-policy'
import { findInStores } from './choose/find-in-stores'
import { setupOrFail } from './choose/setup-or-fail'
import type { Sources } from './choose/sources'
import { CliError, EXIT, type Io } from './io'
import { openWriterOrFail } from './open-writer'

/**
 * What asking for pending summaries takes here.
 * @param policy value of `--policy`; undefined: the draft of the operator's files for each session
 */
export function retryPorts(
  io: Io,
  sources: Sources,
  { policy: chosen, sessionModel = false }: { readonly policy?: string; readonly sessionModel?: boolean },
): RetryPorts {
  const setup = setupOrFail(io)
  const { reader, stores } = sources
  return {
    pending: new PendingSummaries(openReceipts(setup)),
    reads: dryRunPorts(setup, io.env, reader),
    place: (file) => orRefused(() => findInStores(io, sources, file)),
    policyOf: (session) =>
      orRefused(async () => {
        const question = { chosen, stores, store: session.store, subject: policySubjectOf(session) }
        const { policy } = await resolveChosen(io, question)
        return sessionModel ? withSessionModel(policy) : policy
      }),
    own: () => orRefused(async () => compactionPorts(setup, await openWriterOrFail(io, setup), reader)),
  }
}

/** What one session is refused for leaves the others alone. */
async function orRefused<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof CliError) || error.exit === EXIT.fault) throw error
    throw new Refused('missing', error.message)
  }
}

/** One sentence about what became of it. */
export function retriedText({ receipt, result }: Retried): string {
  return retriedSentence(receipt.session ?? receipt.id, result)
}
