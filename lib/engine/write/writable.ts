import type { FoundStore, StoreKind } from '../read/ports'

/** Runtimes whose sessions Plimsoll compacts; those of the others it repairs at most. */
export type WritableKind = 'openclaw' | 'pi'

const READ_ONLY: { readonly [K in Exclude<StoreKind, WritableKind>]: string } = {
  'claude-code':
    'This transcript is Claude Code’s. Plimsoll shows what a compaction would do and repairs damage; it does not compact it. Use /compact in the session itself.',
  opencode:
    'This session is OpenCode’s. Plimsoll reads its database and shows what would change; it does not write to it. Use /compact in the session itself.',
  codex:
    'This transcript is Codex’s. Plimsoll shows what a compaction would do and repairs damage; it does not compact it. Use /compact in the session itself.',
}

/** Why sessions of a store are not compacted here; null when they can be. */
export function readOnlyReason({ kind }: Pick<FoundStore, 'kind'>): string | null {
  return kind === 'openclaw' || kind === 'pi' ? null : READ_ONLY[kind]
}

/** Why transcripts of a store are not checked for damage; null when they are. */
export function uncheckedReason({ kind }: Pick<FoundStore, 'kind'>): string | null {
  if (kind !== 'opencode') return null
  return 'This session is in the database of OpenCode, which it alone writes. What OpenCode accepts and refuses is not known well enough here to say whether it is sound. Only rows that cannot be read are counted.'
}

/**
 * The runtime of a store whose sessions are compacted.
 * @throws Error for one that is only read: its writes are refused before
 */
export function writableKind(store: Pick<FoundStore, 'kind'>): WritableKind {
  const { kind } = store
  if (kind === 'openclaw' || kind === 'pi') return kind
  throw new Error(READ_ONLY[kind])
}
