import type { Tokens } from '../../units/units'
import type { ClientSetting, ClientSettingName } from '../formats/client-setting'

/** What governs the compaction of a session of Codex (lib/docs/claude-code-and-codex.md#line-of-codex). */
export type CodexCompaction = {
  readonly kind: 'codex'
  /** It compacts from so many tokens on; null: nine tenths of the model's window. A larger one counts as those. */
  readonly limit: Tokens | null
  /** The limit counts the whole prompt, or only what is behind what was there when the window began. */
  readonly scope: 'total' | 'body_after_prefix'
  /** The model's window that is set; null: the model's own. */
  readonly window: Tokens | null
  /** The settings that say so, and where. */
  readonly settings: readonly ClientSetting[]
}

const LINE_SHARE = 0.9
/** The window that Codex shows and records is this share of the model's. */
export const CODEX_SHOWN_SHARE = 0.95

/** What settings, weakest first, make of the compaction. */
export function codexCompaction(said: readonly (readonly ClientSetting[])[]): CodexCompaction {
  const last = (name: ClientSettingName) => said.flat().findLast((one) => one.name === name)
  const limit = last('compactLimit')
  const scope = last('limitScope')
  const window = last('modelWindow')
  return {
    kind: 'codex',
    limit: typeof limit?.value === 'number' ? limit.value : null,
    scope: scope?.value === 'body_after_prefix' ? 'body_after_prefix' : 'total',
    window: typeof window?.value === 'number' ? window.value : null,
    settings: [limit, scope, window].filter((one) => one !== undefined),
  }
}

/** Where it compacts. @param shown the window as Codex records it, in tokens */
export function codexLine({ limit }: CodexCompaction, shown: Tokens): Tokens {
  const most = Math.floor((shown / CODEX_SHOWN_SHARE) * LINE_SHARE)
  return Math.min(most, limit ?? most)
}
