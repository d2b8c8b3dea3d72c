/** The parts of a request in the order in which a model gets them. */
export const ASSEMBLY_ORDER = ['system', 'bootstrap', 'recall', 'summary', 'history', 'prompt'] as const

export type Slot = (typeof ASSEMBLY_ORDER)[number]

/** What an agent has for each slot, in whatever form it keeps its messages; what it lacks is left out. */
export type Slots<M> = { readonly [S in Slot]?: readonly M[] }

export type Placed<M> = {
  readonly slot: Slot
  readonly message: M
  /**
   * The slots before this one whose messages were merged into it, since a provider takes no two of one side in a row.
   */
  readonly merged?: readonly Slot[]
}

/**
 * Puts a request together: one list in the order of `ASSEMBLY_ORDER`, each message with the slot it came from. The same
 * object in two slots (agents often have the prompt in their history already) is taken once, from the later slot; equal
 * texts are not the same. An empty history stays empty: nothing replaces it.
 */
export function assembleContext<M>(slots: Slots<M>): Placed<M>[] {
  const later = new Set<M>()
  let placed: Placed<M>[] = []
  for (const slot of ASSEMBLY_ORDER.toReversed()) {
    const own = (slots[slot] ?? []).filter((message) => !later.has(message))
    placed = own.map((message): Placed<M> => ({ slot, message })).concat(placed)
    for (const message of own) if (typeof message === 'object') later.add(message)
  }
  return placed
}
