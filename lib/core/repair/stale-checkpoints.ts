import type { EntryFact } from '../transcript/entry'
import { isProviderCompaction } from '../transcript/provider-checkpoint'
import type { Draft, DraftEntry } from './draft'
import type { JsonEdit } from './json-edit'
import type { Emission } from './plan'

/** Takes a provider's checkpoint off its message; all else of that stays. */
const WITHOUT_CHECKPOINT: JsonEdit = { remove: ['message', 'providerReplay'] }

/**
 * The lines of entries from `from` on that carry a provider's checkpoint, each without it: for rewrites that change the
 * history at `from`. A checkpoint replaces the history as it was; sent again after a change it would bring back what
 * is no longer there (lib/docs/openclaw.md#provider-checkpoints).
 * @param from sequence number of the first entry that changes
 */
export function linesWithoutCheckpoints(
  facts: readonly EntryFact[],
  from: number,
): ReadonlyMap<number, Emission> {
  const stale = facts.filter((fact) => fact !== undefined && fact.seq >= from && isProviderCompaction(fact))
  return new Map(stale.map(({ line }) => [line, { kind: 'line', line, edits: [WITHOUT_CHECKPOINT] }]))
}

/**
 * Takes the checkpoints off all entries of a repair that are at or behind the first one that changes. Answers those
 * that lost theirs.
 */
export function dropStaleCheckpoints(draft: Draft): readonly DraftEntry[] {
  const stale: DraftEntry[] = []
  let expected = 0
  let isChanged = false
  for (const entry of draft) {
    // Another place than the next one in the file: something before it went, came or moved.
    isChanged ||= !entry.isLine || entry.changes().length > 0 || entry.ordinal !== expected
    expected = entry.ordinal + 1
    if (!isChanged || !entry.checkpointed) continue
    entry.edit(WITHOUT_CHECKPOINT)
    stale.push(entry)
  }
  return stale
}
