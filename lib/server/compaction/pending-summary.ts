import 'server-only'
import { summaryModels } from '../../compose/compaction'
import { openReceipts } from '../../compose/writer'
import { PendingSummaries } from '../../engine/compaction/pending-summaries'
import { awaitsSummary } from '../../engine/compaction/retry-summary'
import { askedModels } from '../../engine/compaction/summary-models'
import type { PendingView } from '../../view/compaction/compact-plan'
import { policyOf } from '../policy/session-policy'
import { oncePerProcess } from '../process/process-memory'
import { getSetup } from '../process/setup'
import { getInspected, transcriptPlace } from '../session/inspected-session'
import { getSession } from '../session/session-record'

/** Receipts that say nothing of it are read once. */
const lists = oncePerProcess('pending-summaries', () => new Map<string, PendingSummaries>())

/**
 * The summary of a session that no model wrote yet, and who is asked for it; null where none is pending, or it is no
 * longer asked for.
 * @throws SourceProblem when the session cannot be read
 */
export async function getPendingSummary(id: string): Promise<PendingView | null> {
  const session = await getSession(id)
  if (session === null) return null
  const setup = getSetup()
  const { home } = setup.environment
  const list = lists.get(home) ?? new PendingSummaries(openReceipts(setup))
  lists.set(home, list)
  const { transcript } = transcriptPlace(session)
  const found = (await list.list()).findLast(({ files }) =>
    files.some(({ path }) => path === transcript.path),
  )
  if (found === undefined || !awaitsSummary((await getInspected(session)).facts, found)) return null
  const { policy } = await policyOf(session)
  const asked = askedModels(summaryModels(setup, process.env), policy, session)
  return { at: found.at, asked, retried: policy.summary.retryMs > 0 }
}
