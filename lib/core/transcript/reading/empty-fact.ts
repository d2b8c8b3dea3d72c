import type { EntryFact, EntryType } from '../entry'

/** Where a line is in its source. Bytes; see `EntryFact`. */
export type LinePlace = Pick<EntryFact, 'seq' | 'line' | 'offset' | 'bytes'>

/** A fact while it is read. */
export type OpenFact = { -readonly [K in keyof EntryFact]: EntryFact[K] }

/**
 * An entry with room for everything that may be found out about it: objects of one shape are filled, walked over and
 * written out much faster than such of many.
 */
export function emptyFact(
  { seq, line, offset, bytes }: LinePlace,
  type: EntryType,
  id: string | null,
  parentId: string | null,
  at: number | null,
): OpenFact {
  return {
    seq,
    line,
    offset,
    bytes,
    type,
    id,
    parentId,
    at,
    role: undefined,
    units: undefined,
    preview: undefined,
    resultFor: undefined,
    marks: undefined,
    calls: undefined,
    toolName: undefined,
    provider: undefined,
    model: undefined,
    api: undefined,
    stopReason: undefined,
    usage: undefined,
    requestId: undefined,
    again: undefined,
    copied: undefined,
    errorMessage: undefined,
    isError: undefined,
    images: undefined,
    size: undefined,
    important: undefined,
    side: undefined,
    silent: undefined,
    blank: undefined,
    checkpoint: undefined,
    transcriptOnly: undefined,
    excluded: undefined,
    customType: undefined,
    rawType: undefined,
    problem: undefined,
    header: undefined,
    targetId: undefined,
    firstKeptEntryId: undefined,
    firstKeptIndex: undefined,
    tokensBefore: undefined,
    tokensAfter: undefined,
    fromHook: undefined,
    ours: undefined,
    piece: undefined,
    bare: undefined,
    asked: undefined,
    keptUpTo: undefined,
    keptAfter: undefined,
    clientWritten: undefined,
    fixed: undefined,
    cwd: undefined,
    window: undefined,
    billed: undefined,
  }
}
