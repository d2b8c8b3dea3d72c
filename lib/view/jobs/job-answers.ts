import type { DoneAnswer, RefusedAnswer } from '../actions/action-answer'

/** What became of the wish to begin a job. */
export type StartAnswer = { readonly kind: 'started'; readonly job: string } | RefusedAnswer

/** A server action that stops a job. */
export type CancelAction = (id: string) => Promise<DoneAnswer>
