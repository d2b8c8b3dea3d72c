import { type Retried, retryPending } from '../../../engine/compaction/retry-pending'
import { askedSentence } from '../../../view/compaction/compact-plan'
import type { ReadVerbOptions } from '../../choose/read-options'
import { openSources } from '../../choose/sources'
import { EXIT, type ExitCode, type Io } from '../../io'
import { retriedText, retryPorts } from '../../pending-summaries'
import { note, write, writeJson } from '../../print/output'

export type RetrySummariesOptions = ReadVerbOptions & {
  readonly policy?: string
  readonly sessionModel?: boolean
  readonly dryRun?: boolean
}

/** Asks again for the summaries that a model did not write. Exit code 1 when some are still digests. */
export async function retrySummaries(io: Io, options: RetrySummariesOptions): Promise<ExitCode> {
  const sources = await openSources(io, options.store)
  const done: Retried[] = []
  for await (const one of retryPending(retryPorts(io, sources, options), {
    actor: 'cli',
    signal: io.untilStopped(),
    dryRun: options.dryRun,
    within: options.store === undefined ? null : sources.stores.map(({ root }) => root),
    onAsk: (name, sent, asked) => void note(io, `${name}: ${askedSentence(asked, sent)}`),
  })) {
    done.push(one)
    if (!options.json) await write(io.stdout, `${retriedText(one)}\n`)
  }
  if (options.json) await writeJson(io, { summaries: done.map(toJson) })
  else if (done.length === 0) await write(io.stdout, 'No summary is pending.\n')
  if (options.dryRun) return EXIT.done
  return done.every(({ result }) => result.kind === 'filled' || result.kind === 'superseded')
    ? EXIT.done
    : EXIT.no
}

function toJson({ receipt, result }: Retried) {
  return {
    compaction: receipt.id,
    session: receipt.session,
    // Without a model, and in a dry run, a summary goes on waiting.
    outcome: result.kind === 'no-model' || result.kind === 'preview' ? 'waiting' : result.kind,
    model: result.kind === 'filled' ? result.by : null,
    receipt: result.kind === 'filled' ? result.receipt.id : null,
    message: retriedText({ receipt, result }),
  }
}
