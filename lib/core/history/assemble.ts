/** The parts of a request in the order in which a model gets them (C13, seeds 1 and 3). */
export const ASSEMBLY_ORDER = ['system', 'bootstrap', 'recall', 'summary', 'history', 'prompt'] as const

export type Slot = (typeof ASSEMBLY_ORDER)[number]

/** What an agent has for each slot, in whatever form it keeps its messages; what it lacks is left out. */
export type Slots<M> = { readonly [S in Slot]?: readonly M[] }

export type Placed<M> = { readonly slot: Slot; readonly message: M }

/**
 * Puts a request together: one list in the order of `ASSEMBLY_ORDER`, each message with the slot it came from. The same
 * object in two slots (agents often have the prompt in their history already) is taken once, from the later slot; equal
 * texts are not the same. An empty history stays empty: nothing stands in for it (C10).
 */
export function assembleContext<M>(slots: Slots<M>): Placed<M>[] {
  const later = new Set<M>()
  const placed: Placed<M>[] = []
  for (const slot of ASSEMBLY_ORDER.toReversed()) {
    const own = (slots[slot] ?? []).filter((message) => !later.has(message))
    placed.unshift(...own.map((message) => ({ slot, message })))
    for (const message of own) if (typeof message === 'object') later.add(message)
  }
  return placed
}
