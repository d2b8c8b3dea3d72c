import type { EntryFact } from '../transcript/entry'

/** Estimator units of an entry, all categories together. */
export function entryUnits({ units }: EntryFact): number {
  return Object.values(units ?? {}).reduce((sum, value) => sum + value, 0)
}
