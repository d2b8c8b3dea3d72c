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
    if (factAt(path, i).type !== 'message') continue
    gathered += (path[i] as SizedEntry).size
    if (gathered < keepTokens) continue
    const next = firstCut(path, i, end)
    if (next >= 0) cut = next
    break
  }
  while (cut > start && !stopsCut(factAt(path, cut - 1))) cut -= 1
  return { firstKept: cut, turnStart: turnStartOf(path, cut, start) }
}

function factAt(path: readonly SizedEntry[], index: number): EntryFact {
  return (path[index] as SizedEntry).fact
}

function firstCut(path: readonly SizedEntry[], from: number, end: number): number {
  for (let i = from; i < end; i++) if (allowsCut(factAt(path, i))) return i
  return -1
}

const CUT_ROLES: ReadonlySet<unknown> = new Set([
  'user',
  'assistant',
  'bashExecution',
  'custom',
  'branchSummary',
  'compactionSummary',
])

function allowsCut({ type, role }: EntryFact): boolean {
  if (type === 'branch_summary' || type === 'custom_message') return true
  return type === 'message' && CUT_ROLES.has(role)
}

function stopsCut({ type }: EntryFact): boolean {
  return type === 'message' || type === 'compaction' || type === 'reset'
}

function isUser({ type, role }: EntryFact): boolean {
  return type === 'message' && role === 'user'
}

/** The entry that begins the turn which a cut at `at` goes through; null when it goes through none since `start`. */
export function turnStartOf(path: readonly SizedEntry[], at: number, start: number): number | null {
  if (isUser(factAt(path, at))) return null
  for (let i = at; i >= start; i--) {
    const { type, role } = factAt(path, i)
    if (type === 'branch_summary' || type === 'custom_message') return i
    if (type === 'message' && (role === 'user' || role === 'bashExecution')) return i
  }
  return null
}
