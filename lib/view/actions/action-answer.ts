/** What was wished was not done; `problem` says why, for the reader. Each answer of a server action is this or has another kind. */
export type RefusedAnswer = { readonly kind: 'refused'; readonly problem: string }

/** The answer of an action that has no more to say than that it was done; the message is for the reader. */
export type DoneAnswer = { readonly kind: 'done'; readonly message: string } | RefusedAnswer

/** What there is to say to the reader. */
export function answerWords(answer: DoneAnswer): string {
  return answer.kind === 'done' ? answer.message : answer.problem
}
