import type { EntryFact } from '../transcript/entry'
import type { Tokens } from '../units/units'
import type { SizedEntry } from './sized-entry'

/** Where a compaction cuts a path. Indices into the path. */
export type CutPoint = {
  readonly firstKept: number
  /** Where the turn begins that the cut goes through; null when it is at the beginning of one. */
  readonly turnStart: number | null
}

/**
 * Finds the cut that keeps about `keepTokens` at the end of `path[start, end)`, as pi and OpenClaw do
 * (lib/docs/openclaw.md#cut): back from the end until enough is gathered, then the next place at or after it where a
 * cut is allowed, which is never a tool result; then over settings that are right before it.
 */
export function findCutPoint(
  path: readonly SizedEntry[],
  start: number,
  end: number,
  keepTokens: Tokens,
): CutPoint {
  const first = firstCut(path, start, end)
  if (first < 0) return { firstKept: start, turnStart: null }
  let cut = first
  let gathered = 0
  for (let i = end - 1; i >= start; i--) {
    if (factAt(path, i)?.type !== 'message') continue
    gathered += path[i]?.size ?? 0
    if (gathered < keepTokens) continue
    const next = firstCut(path, i, end)
    if (next >= 0) cut = next
    break
  }
  while (cut > start && !stopsCut(factAt(path, cut - 1))) cut -= 1
  return { firstKept: cut, turnStart: turnStartOf(path, cut, start) }
}

function factAt(path: readonly SizedEntry[], index: number): EntryFact | undefined {
  return path[index]?.fact
}

function firstCut(path: readonly SizedEntry[], from: number, end: number): number {
  for (let i = from; i < end; i++) if (allowsCut(factAt(path, i))) return i
  return -1
}

const CUT_ROLES = new Set([
  'user',
  'assistant',
  'bashExecution',
  'custom',
  'branchSummary',
  'compactionSummary',
])

function allowsCut(fact: EntryFact | undefined): boolean {
  if (fact?.type === 'branch_summary' || fact?.type === 'custom_message') return true
  return fact?.type === 'message' && CUT_ROLES.has(fact.role ?? '')
}

function stopsCut(fact: EntryFact | undefined): boolean {
  return fact?.type === 'message' || fact?.type === 'compaction' || fact?.type === 'reset'
}

function isUser(fact: EntryFact | undefined): boolean {
  return fact?.type === 'message' && fact.role === 'user'
}

/** The entry that begins the turn which a cut at `at` goes through; null when it goes through none since `start`. */
export function turnStartOf(path: readonly SizedEntry[], at: number, start: number): number | null {
  if (isUser(factAt(path, at))) return null
  for (let i = at; i >= start; i--) {
    const fact = factAt(path, i)
    if (fact?.type === 'branch_summary' || fact?.type === 'custom_message') return i
    if (fact?.type === 'message' && (fact.role === 'user' || fact.role === 'bashExecution')) return i
  }
  return null
}
