import type { Branches } from '../transcript/branches'
import type { JsonObject } from '../transcript/json'

/** What a compaction record says. */
export type RecordInput = {
  readonly id: string
  /** Leaf of the tree that the record is added to; null in an empty one. */
  readonly parentId: string | null
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly summary: string
  readonly firstKeptSeq: number
  readonly tokensBefore: number
  readonly readFiles: readonly string[]
  readonly modifiedFiles: readonly string[]
}

/**
 * The line of a compaction record, as the transcript's own version writes it: version 1 has no ids, and names the first
 * entry that is kept by its place among the entries.
 */
export function recordLine(branches: Branches, version: number, input: RecordInput): string {
  const { id, parentId, at, summary, firstKeptSeq, tokensBefore, readFiles, modifiedFiles } = input
  const timestamp = new Date(at).toISOString()
  // Marked as an extension's, so that no client takes the lists of files for its own bookkeeping.
  const rest = {
    summary,
    tokensBefore,
    details: { readFiles, modifiedFiles, by: 'plimsoll' },
    fromHook: true,
  }
  if (version < 2)
    return JSON.stringify({
      type: 'compaction',
      timestamp,
      ...rest,
      firstKeptEntryIndex: branches.facts.filter(
        ({ type, seq }) => type !== 'unreadable' && seq < firstKeptSeq,
      ).length,
    })
  const firstKeptEntryId = branches.facts[firstKeptSeq]?.id ?? ''
  return JSON.stringify({ type: 'compaction', id, parentId, timestamp, ...rest, firstKeptEntryId })
}

/**
 * An index entry after a compaction, as OpenClaw leaves it: one more compaction, and a size that is not measured yet.
 * Everything else stays. (lib/docs/openclaw.md#session-index)
 */
export function indexAfterCompaction(entry: JsonObject, at: number, tokensAfter: number | null): JsonObject {
  const count = typeof entry.compactionCount === 'number' ? entry.compactionCount : 0
  return {
    ...entry,
    updatedAt: at,
    compactionCount: count + 1,
    ...(tokensAfter === null ? {} : { totalTokens: Math.round(tokensAfter) }),
    totalTokensFresh: false,
  }
}
