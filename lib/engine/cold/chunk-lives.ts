import { type ChunkLife, ChunkLives } from '../../core/logs/chunk-life'
import type { AnyLogRecord } from '../../core/logs/log-fields'
import { chunksOfRecovery } from '../../core/logs/recovery-events'
import type { Milliseconds } from '../../core/units/units'
import type { ColdChunk } from './cold-store'

/** What is known of the chunks with an id. */
type LifeSources = {
  /** Lines of logs; those about other chunks are passed over. */
  readonly records: readonly AnyLogRecord[]
  readonly stored: readonly ColdChunk[]
  /** Recoveries that were taken back and of which no log says so. */
  readonly undone?: readonly { readonly session: string | null; readonly at: number }[]
  /** The time of the entry that a chunk was made of, where its id or its record names it; undefined: there is none. */
  readonly birthOf?: (
    sessionId: string,
    entryIds: readonly string[],
  ) => Promise<{ readonly at: number | null } | undefined>
}

/**
 * The life of a chunk from birth to expiry, joined by its id across transcript, drops, cold storage and recoveries. The
 * same id in several sessions are several chunks.
 * @param now milliseconds since the epoch
 */
export async function chunkLives(
  chunkId: string,
  { records, stored, undone = [], birthOf }: LifeSources,
  now: Milliseconds,
): Promise<readonly ChunkLife[]> {
  const lives = new ChunkLives()
  for (const record of records) if (isAbout(record, chunkId)) lives.logged(record)
  for (const { sessionId, at, tokens, reason, until } of stored)
    lives.stored({ chunkId, sessionId, at, tokens, reason, recoverableUntil: until })
  for (const { session, at } of undone) lives.undone(chunkId, session, at)
  for (const { sessionId } of birthOf === undefined ? [] : lives.lives(now)) {
    if (sessionId === null) continue
    const record = stored.findLast((chunk) => chunk.sessionId === sessionId)
    const birth = await birthOf?.(sessionId, [chunkId, ...(record?.place?.entryIds ?? [])])
    if (birth !== undefined) lives.born({ chunkId, sessionId, at: birth.at, tokens: null })
  }
  return lives.lives(now).filter((life) => life.chunkId === chunkId)
}

/** Whether a line of a log is about a chunk. */
export function isAbout(record: AnyLogRecord, chunkId: string): boolean {
  if (record.kind === 'drops') return record.chunkId === chunkId
  return record.kind === 'recovery' && chunksOfRecovery(record).has(chunkId)
}
