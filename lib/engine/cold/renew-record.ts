import type { ColdRecord } from '../../core/cold/record'

/**
 * Whether a record is of a chunk that is there already. Two messages may say the same and be different ones; what came
 * back as a note has no separate messages.
 */
export function isSameChunk(a: ColdRecord, b: ColdRecord): boolean {
  const isSame = a.chunkId === b.chunkId && a.sessionId === b.sessionId && a.content === b.content
  if (!isSame || a.messages === undefined || b.messages === undefined) return isSame
  return a.messages.length === b.messages.length && a.messages.every((text, i) => text === b.messages?.[i])
}

/** Has the data of the newer drop. A longer time to keep the chunk holds, and what the first drop alone knew stays. */
export function renewedRecord(earlier: ColdRecord, newer: ColdRecord): ColdRecord {
  return {
    ...newer,
    // Of what comes back as a note, the later count is that of the whole note.
    tokens: earlier.tokens ?? newer.tokens,
    place: newer.place ?? earlier.place,
    ...(earlier.messages === undefined ? {} : { messages: earlier.messages }),
    until: earlier.until === null || newer.until === null ? null : Math.max(earlier.until, newer.until),
  }
}
