import type { FoundStore, StoreKind } from '../read/ports'

/** Runtimes whose transcripts Plimsoll writes to. */
export type WritableKind = 'openclaw' | 'pi'

const READ_ONLY: { readonly [K in Exclude<StoreKind, WritableKind>]: string } = {
  'claude-code':
    'This transcript is Claude Code’s. Plimsoll reads it and shows what would change; it does not write to it. Use /compact in the session itself.',
  opencode:
    'This session is OpenCode’s. Plimsoll reads its database and shows what would change; it does not write to it. Use /compact in the session itself.',
  codex:
    'This transcript is Codex’s. Plimsoll reads it and shows what would change; it does not write to it. Use /compact in the session itself.',
}

const NAMES: { readonly [K in keyof typeof READ_ONLY]: string } = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  opencode: 'OpenCode',
}

/** Why transcripts of a store are only read; null when they can be written to. */
export function readOnlyReason({ kind }: Pick<FoundStore, 'kind'>): string | null {
  return kind === 'openclaw' || kind === 'pi' ? null : READ_ONLY[kind]
}

/** Why transcripts of a store are not checked for damage; null when they are. */
export function uncheckedReason({ kind }: Pick<FoundStore, 'kind'>): string | null {
  if (kind === 'openclaw' || kind === 'pi') return null
  const name = NAMES[kind]
  return `This is a transcript of ${name}. What ${name} accepts and refuses is not known well enough here to say whether it is sound, and it is never written to. Only lines that cannot be read are counted.`
}

/**
 * The runtime of a store that is written to.
 * @throws Error for one that is only read: its writes are refused before
 */
export function writableKind(store: Pick<FoundStore, 'kind'>): WritableKind {
  const { kind } = store
  if (kind === 'openclaw' || kind === 'pi') return kind
  throw new Error(READ_ONLY[kind])
}
