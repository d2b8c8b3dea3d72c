import type { SyntaxProblem } from '../../core/policy/source-tree'
import type { Bytes } from '../../core/units/units'
import type { RefusedAnswer } from '../actions/action-answer'
import type { PolicyDocumentView } from './policy-reading'

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
  | { readonly kind: 'invalid'; readonly problems: readonly SyntaxProblem[] }
  | RefusedAnswer

/** An earlier version of a file; milliseconds and bytes. */
export type PolicyVersionView = {
  readonly id: string
  readonly savedAt: number
  readonly bytes: Bytes
  readonly hash: string
}

export type PolicyHistoryAnswer =
  | { readonly kind: 'history'; readonly versions: readonly PolicyVersionView[] }
  | RefusedAnswer

export type PolicyVersionAnswer = { readonly kind: 'version'; readonly text: string } | RefusedAnswer

/** Values by their stand-ins. */
export type PolicyRevealAnswer =
  | { readonly kind: 'revealed'; readonly values: { readonly [name: string]: string } }
  | RefusedAnswer

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
  readonly reveal: (path: string, text: string) => Promise<PolicyRevealAnswer>
}
