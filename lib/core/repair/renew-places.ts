import type { Draft } from './draft'
import { keepsFrom } from './mend-references'

/** Version 1: names what compactions keep from by its place of now. Numbers the entries. */
export function renewPlaces(draft: Draft): void {
  const numbered = draft.number()
  for (const entry of numbered) {
    const { kept } = entry
    // A place that was not there may be there by now.
    if (kept === null && numbered[entry.firstKeptIndex ?? -1] === undefined) continue
    const index = kept?.seq ?? entry.seq
    if (index === entry.firstKeptIndex) continue
    entry.edit({ set: ['firstKeptEntryIndex'], value: JSON.stringify(index) })
    draft.renewed.set(entry, keepsFrom(entry, kept ?? entry))
  }
}
