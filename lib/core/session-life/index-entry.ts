import type { JsonObject } from '../transcript/json'

/** What the last run of a session used, in tokens; null is unknown and leaves what stands. */
export type RunTotals = {
  /** Of all calls of the run. */
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  /** Size of the last prompt. */
  readonly totalTokens: number | null
  /** The model's window. */
  readonly contextTokens: number | null
  readonly provider: string | null
  readonly model: string | null
  readonly compactionCount: number
  readonly aborted: boolean
}

/** The place of a transcript: its session id and its absolute path. */
export type SessionFile = { readonly sessionId: string; readonly sessionFile: string }

/** The first line of a transcript. @param at milliseconds since the epoch */
export function sessionHeader(sessionId: string, cwd: string, at: number): string {
  return JSON.stringify({
    type: 'session',
    version: 3,
    id: sessionId,
    timestamp: new Date(at).toISOString(),
    cwd,
  })
}

/** The index entry of a session that begins. */
export function newEntry(session: SessionFile, at: number): JsonObject {
  return { ...session, updatedAt: at, compactionCount: 0 }
}

/** What a run measured or decided; a fresh transcript knows none of it (openclaw.md §1.3). */
const OF_THE_TRANSCRIPT = [
  'inputTokens',
  'outputTokens',
  'cacheRead',
  'cacheWrite',
  'totalTokens',
  'totalTokensFresh',
  'totalTokensVersion',
  'estimatedCostUsd',
  'contextBudgetStatus',
  'systemPromptReport',
  'compactionCheckpoints',
  'memoryFlush',
  'status',
  'abortedLastRun',
  'systemSent',
]
const OF_MEMORY_FLUSH = /^memoryFlush[A-Z]/

/** The entry of the same session key with a new transcript: what the operator set stays, what a run measured goes. */
export function resetEntry(before: JsonObject, session: SessionFile, at: number): JsonObject {
  const kept = Object.entries(before).filter(
    ([name]) => !OF_THE_TRANSCRIPT.includes(name) && !OF_MEMORY_FLUSH.test(name),
  )
  const previous = typeof before.sessionId === 'string' ? { previousSessionId: before.sessionId } : {}
  return { ...Object.fromEntries(kept), ...previous, ...newEntry(session, at) }
}

/** The entry after a run: it equals what the run measured, and nothing else changes. */
export function closedEntry(before: JsonObject, totals: RunTotals, at: number): JsonObject {
  const { inputTokens, outputTokens, totalTokens, contextTokens, provider, model } = totals
  const known = { inputTokens, outputTokens, totalTokens, contextTokens, modelProvider: provider, model }
  const measured = Object.entries(known).filter(([, value]) => value !== null)
  return {
    ...before,
    ...Object.fromEntries(measured),
    // An old size is not the size after this run.
    totalTokensFresh: totalTokens !== null,
    compactionCount: totals.compactionCount,
    abortedLastRun: totals.aborted,
    updatedAt: at,
  }
}
