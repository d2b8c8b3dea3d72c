import type { ColdRecord } from '../../core/cold/record'
import { RECOVERY_UNDONE } from '../../core/logs/recovery-events'
import type { ContextLog } from '../logs/log-ports'

/** What led to a recovery. */
export type RecoveryCause = {
  readonly trigger: 'manual' | 'relevance'
  /** What was searched for; null when the chunk was named. */
  readonly query: string | null
  /** How well the chunk fits that; null when there was no question. */
  readonly score: number | null
}

/** What a line says of the chunk itself. */
type LoggedChunk = Pick<ColdRecord, 'chunkId' | 'sessionId' | 'tokens'>

/** Notes that a chunk came back. Answers what went wrong with the log, or null. */
export function logRecovery(
  log: ContextLog,
  chunk: LoggedChunk,
  { trigger, query, score }: RecoveryCause,
  destination: 'transcript' | 'context' | 'file' | 'stdout',
): Promise<string | null> {
  return log.add('recovery', {
    event: 'chunk_recovered',
    chunkId: chunk.chunkId,
    sessionId: chunk.sessionId,
    trigger,
    query,
    relevanceScore: score,
    tokens: chunk.tokens,
    destination,
  })
}

/** Notes that a chunk which had come back was taken out of the context again. Answers like `logRecovery`. */
export function logUndoneRecovery(
  log: ContextLog,
  chunk: LoggedChunk,
  destination: 'transcript' | 'context' = 'context',
): Promise<string | null> {
  return log.add('recovery', {
    event: RECOVERY_UNDONE,
    chunkId: chunk.chunkId,
    sessionId: chunk.sessionId,
    trigger: 'manual',
    tokens: chunk.tokens,
    destination,
  })
}
