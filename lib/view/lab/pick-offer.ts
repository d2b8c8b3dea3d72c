/** Whether a pick of a tuning can be set for the store of a session. */
export type PickOffer = {
  readonly remedy: string
  readonly session: string
  /** Why it cannot, in a sentence; null: it can. */
  readonly why: string | null
}
