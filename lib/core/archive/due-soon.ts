import type { Milliseconds } from '../units/units'
import type { DeletableTranscript, DeletionRule, RuntimeDeletion } from './runtime-deletion'

/** How far ahead a deletion is worth a warning. Milliseconds. */
const WARN_MS = 7 * 86_400_000

/** A transcript that its runtime deletes soon. */
export type DueTranscript<T> = RuntimeDeletion & { readonly item: T }

/** Those of some transcripts that their runtime deletes within a week, the next one first. */
export function dueSoon<T>(
  items: readonly T[],
  factsOf: (item: T) => DeletableTranscript,
  ruleOf: (item: T) => DeletionRule | null,
  now: Milliseconds,
): DueTranscript<T>[] {
  return items
    .flatMap((item) => {
      const due = ruleOf(item)?.(factsOf(item)) ?? null
      return due !== null && due.at <= now + WARN_MS ? [{ ...due, item }] : []
    })
    .sort((a, b) => a.at - b.at)
}
