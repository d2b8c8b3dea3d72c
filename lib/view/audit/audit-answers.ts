import type { RefusedAnswer } from '../actions/action-answer'

/** What became of the wish to take a write back. */
export type UndoAnswer =
  /** `receipt`: id of the undo, which can be undone itself. */
  | { readonly kind: 'undone'; readonly receipt: string; readonly notes: readonly string[] }
  | { readonly kind: 'unchanged' }
  | RefusedAnswer
