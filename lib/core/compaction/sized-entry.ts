import type { EntryFact } from '../transcript/entry'

/** An entry of a path with what its runtime charges for it (`runtimeTokens`). */
export type SizedEntry = { readonly fact: EntryFact; readonly size: number }
