import 'server-only'
import { type InspectedCompaction, inspectCompactions } from '../core/compaction/inspect'
import { maskSecrets } from '../core/redaction/secrets'
import { Branches } from '../core/transcript/branches'
import { findSessionReceipts } from '../db/queries/receipts'
import type { SessionDetail } from '../db/queries/session-detail'
import { compactionDetail } from '../engine/compaction-losses'
import type { InspectedSession } from '../engine/inspect-session'
import { SourceProblem } from '../engine/source-problem'
import { type CompactionDetailView, type CompactionsView, compactionsView } from '../view/compactions'
import { placedReceipt } from '../view/jobs'
import { lossesView } from '../view/losses'
import { getDatabase } from './database'
import { getInspected, placeOf } from './inspected-session'
import { getSession } from './session-record'

/** Every compaction and reset of a session; null when there is no such session. @throws SourceProblem */
export async function getCompactions(id: string): Promise<CompactionsView | null> {
  const session = await getSession(id)
  if (session === null) return null
  const inspected = await getInspected(session)
  const receipts = await receiptsByRecord(session)
  return compactionsView(foundIn(inspected), inspected.frames.length, (entryId) => {
    const placed = receipts.get(entryId)
    return placed === undefined ? null : placedReceipt(placed)
  })
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
  const found = foundIn(inspected).find((compaction) => compaction.seq === seq)
  if (found === undefined) return null
  const { summary, losses, lookedAt, complete } = await compactionDetail(
    placeOf(session).reader,
    inspected,
    found,
  )
  const seqById = new Map(
    inspected.facts.flatMap(({ id: entryId, seq: at }) => (entryId === null ? [] : [[entryId, at]])),
  )
  return {
    summary: maskSecrets(summary),
    losses: lossesView(losses, maskSecrets, (entryId) => seqById.get(entryId) ?? null),
    lookedAt,
    complete,
  }
}

/** Found once for each reading of a session. */
const found = new WeakMap<InspectedSession, readonly InspectedCompaction[]>()

function foundIn(inspected: InspectedSession): readonly InspectedCompaction[] {
  const known = found.get(inspected)
  if (known !== undefined) return known
  const { facts, frames, store } = inspected
  const compactions = inspectCompactions(Branches.of(facts), frames, store.kind)
  found.set(inspected, compactions)
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
