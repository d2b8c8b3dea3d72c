import 'server-only'
import type { InspectedCompaction } from '../../core/compaction/inspect'
import { maskSecrets } from '../../core/redaction/secrets'
import { findSessionReceipts } from '../../db/queries/receipts'
import type { SessionDetail } from '../../db/queries/session-detail'
import { compactionDetail } from '../../engine/compaction/compaction-losses'
import { listCompactions } from '../../engine/compaction/list-compactions'
import type { InspectedSession } from '../../engine/read/inspect-session'
import { SourceProblem } from '../../engine/read/source-problem'
import {
  type CompactionDetailView,
  type CompactionsView,
  compactionItems,
} from '../../view/compaction/compactions'
import { diagnosisOf } from '../../view/compaction/diagnosis'
import { lossesView } from '../../view/compaction/losses'
import { placedReceipt } from '../../view/jobs/jobs'
import { getSessionFindings } from '../findings/findings'
import { getPoliciesInForce } from '../policy/policies-in-force'
import { getDatabase } from '../process/database'
import { getInspected, transcriptPlace } from '../session/inspected-session'
import { getSession } from '../session/session-record'

/** Every compaction and reset of a session; null when there is no such session. @throws SourceProblem */
export async function getCompactions(id: string): Promise<CompactionsView | null> {
  const session = await getSession(id)
  if (session === null) return null
  const inspected = await getInspected(session)
  const receipts = await receiptsByRecord(session)
  const findings = (await getSessionFindings(id)).map(({ finding }) => finding)
  const calls = inspected.frames.length
  const items = compactionItems(await foundIn(inspected, session), calls, (entryId) => {
    const placed = receipts.get(entryId)
    return placed === undefined ? null : placedReceipt(placed)
  })
  return { items, calls, diagnosis: diagnosisOf(findings, items, id) }
}

export type CompactionsTab =
  | { readonly kind: 'read'; readonly view: CompactionsView }
  | { readonly kind: 'unreadable'; readonly problem: string }

/** What the Compactions tab first shows; null when there is no such session. */
export async function readCompactionsTab(id: string): Promise<CompactionsTab | null> {
  try {
    const view = await getCompactions(id)
    return view === null ? null : { kind: 'read', view }
  } catch (error) {
    if (error instanceof SourceProblem) return { kind: 'unreadable', problem: error.message }
    throw error
  }
}

/** What one of them left and lost; null when there is none at that place. @throws SourceProblem */
export async function getCompaction(id: string, seq: number): Promise<CompactionDetailView | null> {
  const session = await getSession(id)
  if (session === null) return null
  const inspected = await getInspected(session)
  const found = (await foundIn(inspected, session)).find((compaction) => compaction.seq === seq)
  if (found === undefined) return null
  const { summary, losses, lookedAt, complete } = await compactionDetail(
    transcriptPlace(session).reader,
    inspected,
    found,
  )
  const seqById = new Map(
    inspected.facts.flatMap(({ id: entryId, seq: at }) => (entryId === null ? [] : [[entryId, at]])),
  )
  return {
    summary: summary === null ? null : maskSecrets(summary),
    losses:
      losses === null ? null : lossesView(losses, maskSecrets, (entryId) => seqById.get(entryId) ?? null),
    lookedAt,
    complete,
  }
}

type Found = { readonly policies: number; readonly compactions: readonly InspectedCompaction[] }

/** Found once for each reading of a session, until a settings file changes. */
const found = new WeakMap<InspectedSession, Found>()

async function foundIn(
  inspected: InspectedSession,
  session: SessionDetail,
): Promise<readonly InspectedCompaction[]> {
  const { revision, runtimeOf } = await getPoliciesInForce()
  const known = found.get(inspected)
  if (known?.policies === revision) return known.compactions
  const compactions = listCompactions(inspected, runtimeOf(session.store.id))
  found.set(inspected, { policies: revision, compactions })
  return compactions
}

/** Receipts of compactions of ours, by the id of the record that each added. */
async function receiptsByRecord({ key, sessionId }: SessionDetail) {
  const placed = findSessionReceipts(await getDatabase(), 'compact', key ?? sessionId)
  return new Map(
    placed.flatMap((one) => {
      const { record } = one.receipt.summary
      return typeof record === 'string' ? [[record, one] as const] : []
    }),
  )
}
