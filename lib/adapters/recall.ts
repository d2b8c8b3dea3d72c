import type { FoundStore, SeenStore, StoreKind } from '../engine/ports'
import { foundStore } from './found-store'
import { storeId } from './transcript-id'

/** Stores of transcript files as an earlier look found them: where nothing has changed, nothing is examined again. */
export class Recall {
  /** What was seen of stores just now, before anything of them was examined; by store id. */
  readonly glances = new Map<string, string>()
  private readonly seen: ReadonlyMap<string, SeenStore>

  constructor(seen: ReadonlyMap<string, SeenStore> = new Map()) {
    this.seen = seen
  }

  /**
   * The store at a root as it was found then; null when it has to be examined.
   * @param labels it can have today
   * @param look takes the glance; not called for a store that nobody knows
   */
  unchanged(
    kind: StoreKind,
    root: string,
    labels: readonly string[],
    look: () => string | null,
  ): FoundStore | null {
    const id = storeId(kind, 'jsonl', root)
    const known = this.seen.get(id)
    if (known === undefined || known.glance === null || !labels.includes(known.label)) return null
    // `missing` was told by somebody who looked elsewhere.
    if (known.state !== 'ok' && known.state !== 'empty') return null
    const glance = look()
    if (glance === null) return null
    this.glances.set(id, glance)
    if (glance !== known.glance) return null
    return foundStore(kind, 'jsonl', root, known.label, known.state, known.problem ?? undefined)
  }
}
