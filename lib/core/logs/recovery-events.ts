import type { LogRecord } from './log-fields'

/** `event` of the line in the log of recoveries that says that a chunk was taken out of the context again. */
export const RECOVERY_UNDONE = 'recovery_undone'

type RecoveryRecord = Pick<
  LogRecord<'recovery'>,
  'event' | 'chunkId' | 'chunkIds' | 'sessionId' | 'destination' | 'at'
>

/** Whether a line takes back what an earlier one recorded. */
export function isUndoing({ event }: Pick<RecoveryRecord, 'event'>): boolean {
  return event === RECOVERY_UNDONE
}

/** The chunks that a line of the log of recoveries names, each once. */
export function chunksOfRecovery({
  chunkId,
  chunkIds,
}: Pick<RecoveryRecord, 'chunkId' | 'chunkIds'>): ReadonlySet<string> {
  return new Set([...(chunkId === null ? [] : [chunkId]), ...(chunkIds ?? [])])
}

/**
 * Recoveries of one chunk that are in force: each line that takes one back goes with the latest one before it, of its
 * session and into its destination. In the order in which they came.
 */
export function recoveriesInForce<R extends RecoveryRecord>(records: readonly R[]): R[] {
  const inForce = new Set(records.filter((record) => !isUndoing(record)))
  const undoings = records.filter(isUndoing).toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0))
  for (const { sessionId, destination, at } of undoings) {
    let latest: R | null = null
    for (const record of inForce) {
      const isBefore = at === null || record.at === null || record.at <= at
      if (!isBefore || record.sessionId !== sessionId || record.destination !== destination) continue
      if (latest === null || (record.at ?? 0) >= (latest.at ?? 0)) latest = record
    }
    if (latest !== null) inForce.delete(latest)
  }
  return records.filter((record) => inForce.has(record))
}
