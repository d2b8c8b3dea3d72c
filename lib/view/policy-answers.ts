import type { SourceProblem } from '../core/policy/source-tree'
import type { PolicyDocumentView } from './policy-reading'

type Refused = { readonly kind: 'refused'; readonly problem: string }

/** What became of a save. */
export type PolicySaveAnswer =
  | {
      readonly kind: 'saved'
      /** All files as they are now. */
      readonly documents: readonly PolicyDocumentView[]
      /** Where the former version is kept; null when there was none. */
      readonly backup: string | null
    }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'changed'; readonly base: string; readonly mine: string; readonly theirs: string }
  | { readonly kind: 'invalid'; readonly problems: readonly SourceProblem[] }
  | Refused

/** An earlier version of a file; milliseconds and bytes. */
export type PolicyVersionView = {
  readonly id: string
  readonly savedAt: number
  readonly bytes: number
  readonly hash: string
}

export type PolicyHistoryAnswer =
  | { readonly kind: 'history'; readonly versions: readonly PolicyVersionView[] }
  | Refused

export type PolicyVersionAnswer = { readonly kind: 'version'; readonly text: string } | Refused

/** The server's side of the policy screen, as pages hand it to components. */
export type PolicyActions = {
  readonly save: (input: {
    readonly path: string
    readonly baseHash: string
    readonly baseText: string
    readonly text: string
  }) => Promise<PolicySaveAnswer>
  readonly reload: () => Promise<readonly PolicyDocumentView[]>
  readonly history: (path: string) => Promise<PolicyHistoryAnswer>
  readonly version: (path: string, id: string) => Promise<PolicyVersionAnswer>
}
