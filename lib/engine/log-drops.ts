import type { StoredChunk } from './cold-store'
import type { ContextLog } from './log-ports'

/**
 * Notes chunks that were dropped: one line each, with the file that they stand in (Q4). To be called when they are in cold
 * storage and have left the context. Answers what went wrong with the log, or null.
 * @param threshold the cut-off that they did not exceed; null for chunks that another rule dropped
 */
export function logDrops(
  log: ContextLog,
  chunks: readonly StoredChunk[],
  threshold: number | null,
): Promise<string | null> {
  return log.addAll(
    'drops',
    chunks.map(({ record: { chunkId, sessionId, reason, score, tokens }, file }) => ({
      chunkId,
      sessionId,
      reason,
      relevanceScore: score,
      thresholdUsed: threshold,
      coldStoragePath: file,
      tokens,
    })),
  )
}
