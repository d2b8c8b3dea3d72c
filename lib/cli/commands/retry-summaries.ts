import { PendingSummaries } from '../../engine/pending-summaries'
import { openReceipts } from '../../wire/writer'
import { EXIT, type ExitCode, type Io } from '../io'
import { write, writeJson } from '../output'
import { type Retried, retriedText, retryPending } from '../pending-summaries'
import type { ReadOptions } from '../read-options'
import { setupOrFail } from '../setup-or-fail'
import { openSources } from '../sources'

export type RetrySummariesOptions = ReadOptions & { readonly policy?: string }

/** Asks again for the summaries that a model did not write. Exit code 1 when some are still digests. */
export async function retrySummaries(io: Io, options: RetrySummariesOptions): Promise<ExitCode> {
  const sources = await openSources(io, options.store)
  const pending = new PendingSummaries(openReceipts(setupOrFail(io)))
  const done: Retried[] = []
  for await (const one of retryPending(io, sources, pending, {
    policy: options.policy,
    actor: 'cli',
    signal: io.untilStopped(),
    within: options.store === undefined ? null : sources.stores.map(({ root }) => root),
  })) {
    done.push(one)
    if (!options.json) await write(io.stdout, `${retriedText(one)}\n`)
  }
  if (options.json) await writeJson(io, { summaries: done.map(toJson) })
  else if (done.length === 0) await write(io.stdout, 'No summary is pending.\n')
  return done.every(({ result }) => result.kind === 'filled' || result.kind === 'superseded')
    ? EXIT.done
    : EXIT.no
}

function toJson({ receipt, result }: Retried) {
  return {
    compaction: receipt.id,
    session: receipt.session,
    outcome: result.kind,
    model: result.kind === 'filled' ? result.by : null,
    receipt: result.kind === 'filled' ? result.receipt.id : null,
    message: retriedText({ receipt, result }),
  }
}
