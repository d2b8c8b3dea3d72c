import type { EntryFact } from '../transcript/entry'
import type { TextMarks } from '../transcript/marks/text-marks'

/**
 * What an entry has that detectors look at: a message of the user or the model, a result of a tool, calls of tools,
 * amounts, marks of its texts, the folder that is worked in; `odd`: it is a header or unreadable.
 */
const BITS = {
  user: 1,
  assistant: 2,
  result: 4,
  calls: 8,
  units: 16,
  marks: 32,
  folder: 64,
  odd: 128,
} as const

export type EntrySign = keyof typeof BITS

/** Every entry has it. */
const ANY = 256
/** Of what is no entry: a call, and a compaction or reset. */
export const [CALL_BIT, BOUNDARY_BIT] = [512, 1024]

/** A bit for each sign; of an entry it is set when the entry has it, of a detector when that looks for it. */
export function maskOf(signs: readonly EntrySign[] | undefined): number {
  return signs === undefined ? ANY : signs.reduce((mask, sign) => mask | BITS[sign], 0)
}

/** Most entries concern few detectors, and what asks each of them costs more than what they do. */
export function signsOf(entry: EntryFact, marks: TextMarks | undefined): number {
  const { type, role, resultFor, calls, units, cwd, header } = entry
  let mask = ANY
  if (role === 'user') mask |= BITS.user
  else if (role === 'assistant') mask |= BITS.assistant
  if (role === 'toolResult' || resultFor !== undefined) mask |= BITS.result
  if (calls !== undefined) mask |= BITS.calls
  if (units !== undefined) mask |= BITS.units
  if (marks !== undefined) mask |= BITS.marks
  if (cwd !== undefined || header !== undefined) mask |= BITS.folder
  if (type === 'session' || type === 'unreadable') mask |= BITS.odd
  return mask
}
