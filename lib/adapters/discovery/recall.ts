import type { FoundStore, SeenStore, StoreKind } from '../../engine/read/ports'
import { storeId } from '../stores/transcript-id'
import { foundStore } from './found-store'

/** Stores of transcript files as an earlier check found them: where nothing has changed, nothing is examined again. */
export class Recall {
  /** What was seen of stores just now, before anything of them was examined; by store id. */
  readonly fingerprints = new Map<string, string>()
  private readonly seen: ReadonlyMap<string, SeenStore>

  constructor(seen: ReadonlyMap<string, SeenStore> = new Map()) {
    this.seen = seen
  }

  /** Whether a store was found at a root. */
  knows(kind: StoreKind, root: string): boolean {
    return this.seen.has(storeId(kind, 'jsonl', root))
  }

  /**
   * The store at a root as it was found then; null when it has to be examined.
   * @param labels it can have today
   * @param takeFingerprint takes the fingerprint; not called for an unknown store
   */
  unchanged(
    kind: StoreKind,
    root: string,
    labels: readonly string[],
    takeFingerprint: () => string | null,
  ): FoundStore | null {
    const id = storeId(kind, 'jsonl', root)
    const known = this.seen.get(id)
    if (known === undefined || known.fingerprint === null || !labels.includes(known.label)) return null
    // `missing` came from a search elsewhere.
    if (known.state !== 'ok' && known.state !== 'empty') return null
    const fingerprint = takeFingerprint()
    if (fingerprint === null) return null
    this.fingerprints.set(id, fingerprint)
    if (fingerprint !== known.fingerprint) return null
    return foundStore(kind, 'jsonl', root, known.label, known.state, known.problem ?? undefined)
  }
}
