import { type Frame, hasFailed } from '../tokens/frame'
import type { EntryFact } from '../transcript/entry'
import type { TextMarks } from '../transcript/marks/text-marks'

/**
 * What an entry has that detectors look at: a message of the user or the model, a result of a tool, a result that is an
 * error or large, calls of tools, amounts, marks of its texts, the folder that is worked in; `odd`: it is a header or
 * unreadable.
 */
const BITS = {
  user: 1,
  assistant: 2,
  result: 4,
  error: 8,
  large: 16,
  calls: 32,
  units: 64,
  marks: 128,
  folder: 256,
  odd: 512,
} as const

export type EntrySign = keyof typeof BITS

/** Every entry has it. */
const ANY = 1 << 10
/** Of what is no entry: a call, and a compaction or reset. */
const CALL_BIT = 1 << 11
export const BOUNDARY_BIT = 1 << 12

/** What a call may be besides: failed; or the one before it used a cache. */
const CALL_BITS = { failed: 1 << 13, cached: 1 << 14 } as const

export type CallSign = keyof typeof CALL_BITS

/** From so many tokens on a result of a tool is a large one. */
export const LARGE_RESULT = 8_000

/** A bit for each sign; of an entry it is set when the entry has it, of a detector when that looks for it. */
export function maskOf(signs: readonly EntrySign[] | undefined): number {
  return signs === undefined ? ANY : signs.reduce((mask, sign) => mask | BITS[sign], 0)
}

/** The same of calls; left out: all of them. */
export function callMaskOf(signs: readonly CallSign[] | undefined): number {
  return signs === undefined ? CALL_BIT : signs.reduce((mask, sign) => mask | CALL_BITS[sign], 0)
}

/** Of entries, calls and boundaries together. */
export function wakeMaskOf(signs: readonly (EntrySign | CallSign | 'boundary')[]): number {
  let mask = 0
  for (const sign of signs) {
    if (sign === 'boundary') mask |= BOUNDARY_BIT
    else mask |= sign in CALL_BITS ? CALL_BITS[sign as CallSign] : BITS[sign as EntrySign]
  }
  return mask
}

/** Most entries concern few detectors, and what asks each of them costs more than what they do. */
export function signsOf(entry: EntryFact, marks: TextMarks | undefined): number {
  const { type, role, resultFor, calls, units, cwd, header } = entry
  let mask = ANY
  if (role === 'user') mask |= BITS.user
  else if (role === 'assistant') mask |= BITS.assistant
  if (role === 'toolResult' || resultFor !== undefined) {
    mask |= BITS.result
    if (entry.isError === true) mask |= BITS.error
    if ((units?.['tool-result'] ?? 0) >= LARGE_RESULT) mask |= BITS.large
  }
  if (calls !== undefined) mask |= BITS.calls
  if (units !== undefined) mask |= BITS.units
  if (marks !== undefined) mask |= BITS.marks
  if (cwd !== undefined || header !== undefined) mask |= BITS.folder
  if (type === 'session' || type === 'unreadable') mask |= BITS.odd
  return mask
}

/** Of a settled call and the one before it. */
export function callSignsOf(frame: Frame, before: Frame | null): number {
  let mask = CALL_BIT
  if (hasFailed(frame)) mask |= CALL_BITS.failed
  if (before !== null && (before.cacheRead ?? 0) + (before.cacheWrite ?? 0) > 0) mask |= CALL_BITS.cached
  return mask
}
