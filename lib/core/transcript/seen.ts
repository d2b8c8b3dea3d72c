import type { Frame } from '../tokens/frame'
import type { Tokens } from '../units/units'

/** Whether the model saw what its transcript says it was sent. */
export type PromptVisibility =
  | { readonly kind: 'all' }
  /** The client recorded a hash of all that it sent, and the texts in the transcript have it. */
  | { readonly kind: 'proved' }
  /** The provider cut the prompt to so many tokens. Its beginning was not seen; which messages that were is unknown. */
  | { readonly kind: 'cut'; readonly seenTokens: Tokens }
  /** Another harness ran the turn: it keeps the real history, and this transcript is a mirror of it. */
  | { readonly kind: 'mirror'; readonly owner: Owner }

/** Who keeps the real history of a mirrored session. */
export type Owner = {
  /** As the runtime names the harness: `codex`, `claude-cli` … */
  readonly harness: string
  /** Its own id of the session; null when it is not recorded. */
  readonly session: string | null
}

/** What a provider saw of a call, as its frame tells; of the next call, as far as the limit of the calls before it is known. */
export function seenOfFrame({
  seenTokens,
  total,
  window,
}: Pick<Frame, 'seenTokens' | 'total' | 'window'>): PromptVisibility {
  if (seenTokens !== null) return { kind: 'cut', seenTokens }
  const isNextCut = window.source === 'cut' && total.basis === 'estimated' && total.value > window.tokens
  return isNextCut ? { kind: 'cut', seenTokens: window.tokens } : { kind: 'all' }
}

/** The same for programs: `seen` says which, the rest lies beside it. */
export function seenJson(
  seen: PromptVisibility,
): { readonly seen: PromptVisibility['kind'] } & Omit<PromptVisibility, 'kind'> {
  const { kind, ...rest } = seen
  return { seen: kind, ...rest }
}
