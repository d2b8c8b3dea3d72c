/** What became of the wish to begin a job. */
export type StartAnswer =
  | { readonly kind: 'started'; readonly job: string }
  | { readonly kind: 'refused'; readonly problem: string }

/** What became of the wish to stop one; the message is for the reader. */
export type CancelAnswer = { readonly ok: boolean; readonly message: string }

/** A server action that stops a job. */
export type CancelAction = (id: string) => Promise<CancelAnswer>
