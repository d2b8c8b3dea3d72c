import type { ContextLog } from './log-ports'
import { logRecovery, logUndoneRecovery } from './log-recovery'
import type { Receipt } from './receipt'
import type { Writer } from './write-ports'

/** What an undo did to a chunk that had come back into a transcript. */
export type TouchedRecovery = {
  readonly chunkId: string
  readonly sessionId: string
  readonly tokens: number | null
  /** It is in its transcript now, as the undo was one of an undo. */
  readonly isBack: boolean
}

/** The recovery that an undo took back or put back; null when it was about something else, or nobody knows any more. */
export async function recoveryUndoneBy(
  receipts: Pick<Writer['receipts'], 'get'>,
  undo: Receipt,
): Promise<TouchedRecovery | null> {
  let receipt = undo
  let isBack = true
  while (receipt.kind === 'undo') {
    const before = receipt.undoes === null ? null : await receipts.get(receipt.undoes)
    if (before === null) return null
    receipt = before
    isBack = !isBack
  }
  const { chunk, session, tokens } = receipt.summary
  if (receipt.kind !== 'recover' || typeof chunk !== 'string' || typeof session !== 'string') return null
  return { chunkId: chunk, sessionId: session, tokens: typeof tokens === 'number' ? tokens : null, isBack }
}

/** Notes it in the log of recoveries, so that no chunk is told to be where it is not (I7). Answers like `logRecovery`. */
export function logUndo(log: ContextLog, recovery: TouchedRecovery): Promise<string | null> {
  return recovery.isBack
    ? logRecovery(log, recovery, { trigger: 'manual', query: null, score: null }, 'transcript')
    : logUndoneRecovery(log, recovery, 'transcript')
}
