import type { Policy } from '../policy/policy'
import type { PruneMessage } from './prune-message'
import { weighedChars } from './pruner-chars'

type TrimKnobs = Pick<
  Policy['pruning']['cacheTtl'],
  'softTrimMaxChars' | 'softTrimHeadChars' | 'softTrimTailChars'
>

const GAP = '\n...\n'

/**
 * A result as OpenClaw's soft trim leaves it: beginning and end of a long one with a note, images as their markers; null
 * for one that stays as it is (2026.7.1).
 */
export function trimmedText(
  { parts, images }: Pick<PruneMessage, 'parts' | 'images'>,
  knobs: TrimKnobs,
): string | null {
  const length = joinedLength(parts)
  if (!isTrimmed(length, knobs)) return images > 0 ? parts.join('\n') : null
  const { softTrimHeadChars: head, softTrimTailChars: tail } = knobs
  const text = parts.join('\n')
  return `${text.slice(0, head)}${GAP}${tail === 0 ? '' : text.slice(-tail)}${noteOf(length, knobs)}`
}

/** Characters that are left of a result after the soft trim; null for one that stays as it is. */
export function trimmedChars(
  message: Pick<PruneMessage, 'parts' | 'images' | 'plain'>,
  knobs: TrimKnobs,
): number | null {
  const { parts, images, plain } = message
  if (!plain) {
    const text = trimmedText(message, knobs)
    return text === null ? null : weighedChars(text)
  }
  // Figures alone are enough for what weighs as many characters as it has.
  const length = joinedLength(parts)
  return trimmedLength(length, knobs) ?? (images > 0 ? length : null)
}

/** Characters that are left of a plain text of so many after the soft trim; null: it stays as it is. */
export function trimmedLength(length: number, knobs: TrimKnobs): number | null {
  if (!isTrimmed(length, knobs)) return null
  return knobs.softTrimHeadChars + GAP.length + knobs.softTrimTailChars + noteChars(length, knobs)
}

function isTrimmed(
  length: number,
  { softTrimMaxChars, softTrimHeadChars, softTrimTailChars }: TrimKnobs,
): boolean {
  return length > softTrimMaxChars && softTrimHeadChars + softTrimTailChars < length
}

function noteOf(length: number, { softTrimHeadChars: head, softTrimTailChars: tail }: TrimKnobs): string {
  return `\n\n[Tool result trimmed: kept first ${head} chars and last ${tail} chars of ${length} chars.]`
}

const NOTE_WORDS = '\n\n[Tool result trimmed: kept first  chars and last  chars of  chars.]'.length

/** Length of the note without making it: plans ask for it once for every long result. */
function noteChars(length: number, { softTrimHeadChars: head, softTrimTailChars: tail }: TrimKnobs): number {
  return NOTE_WORDS + digits(head) + digits(tail) + digits(length)
}

/** Digits of a whole number. */
function digits(value: number): number {
  let count = 1
  for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) count += 1
  return count
}

function joinedLength(parts: readonly string[]): number {
  let length = Math.max(0, parts.length - 1)
  for (const part of parts) length += part.length
  return length
}
