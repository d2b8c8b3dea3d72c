import type { RefusedAnswer } from '../actions/action-answer'

/** What can be done about a finding, as the page shows it before anything is written. */
export type RemedyOffer =
  | {
      readonly kind: 'setting'
      readonly file: string
      readonly key: string
      readonly from: string
      readonly to: string
      /** Lines of a patch. */
      readonly diff: readonly string[]
      readonly why: string
      readonly assumed: readonly string[]
      /** What it would do to the newest sessions, in sentences. */
      readonly tried: readonly string[]
      /** Of the file that is shown, and of its text with the change: what is applied must still be that. */
      readonly seen: string
    }
  | {
      readonly kind: 'command'
      readonly words: string
      readonly command: string
      readonly others: readonly string[]
    }
  | { readonly kind: 'none'; readonly why: readonly string[] }
  | RefusedAnswer

/** What became of the wish to apply a setting. */
export type AppliedAnswer =
  | {
      readonly kind: 'applied'
      readonly receipt: string
      readonly notes: readonly string[]
      readonly watch: string
    }
  | { readonly kind: 'unchanged' }
  | RefusedAnswer
