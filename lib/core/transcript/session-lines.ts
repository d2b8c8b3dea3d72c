import type { JsonObject } from './json'

/** The first line of a transcript. @param at milliseconds since the epoch */
export function sessionHeader(id: string, cwd: string, at: number): string {
  return JSON.stringify({ type: 'session', version: 3, id, timestamp: new Date(at).toISOString(), cwd })
}

/** What a line of a transcript says besides its type. `parentId`: the entry before it; null for the first. */
type LinePlace = { readonly id: string; readonly parentId: string | null; readonly at: number }

/** A message as it was said, as a line. @param json the message, as JSON */
export function messageLine({ id, parentId, at }: LinePlace, json: string): string {
  const head = JSON.stringify({ type: 'message', id, parentId, timestamp: new Date(at).toISOString() })
  return `${head.slice(0, -1)},"message":${json}}`
}

/** A compaction as a line: the context is its summary and what comes from `firstKeptEntryId` on. */
export function compactionLine(
  { id, parentId, at }: LinePlace,
  {
    tokensBefore,
    ...fields
  }: {
    readonly summary: string
    readonly firstKeptEntryId: string
    /** null: unknown. */
    readonly tokensBefore: number | null
  },
): string {
  return JSON.stringify({
    ...{ type: 'compaction', id, parentId, timestamp: new Date(at).toISOString() },
    ...fields,
    ...(tokensBefore === null ? {} : { tokensBefore }),
  })
}

/** What a run of a session used; null is unknown and leaves what is in the index. Tokens. */
export type RunTotals = {
  /** Of all calls of the run. */
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  /** Size of the context at its newest call, prompt and answer. */
  readonly totalTokens: number | null
  /** The context is still as it was then. */
  readonly isFresh: boolean
  /** The model's window. */
  readonly contextTokens: number
  readonly compactions: number
}

/** The entry of a session in its index, with what a run measured; all else of it stays. */
export function indexEntry(
  before: JsonObject,
  { inputTokens, outputTokens, totalTokens, isFresh, contextTokens, compactions }: RunTotals,
  at: number,
): JsonObject {
  const known = Object.entries({ inputTokens, outputTokens, totalTokens }).filter(
    ([, value]) => value !== null,
  )
  return {
    ...before,
    ...Object.fromEntries(known),
    contextTokens,
    // An old size is not the size of a context that has changed since.
    totalTokensFresh: totalTokens !== null && isFresh,
    compactionCount: compactions,
    updatedAt: at,
  }
}
