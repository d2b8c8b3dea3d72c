/** What the tuner chose, ready to be shown. */
export type TuneView = {
  /** Whether it gains anything, with the numbers, in a sentence. */
  readonly verdict: string
  readonly isGain: boolean
  /** `Learnt on 40 sessions until …, tested on 12 newer ones of other workspaces.` */
  readonly split: string
  readonly picks: readonly TunePick[]
}

/** One of the three picks. */
export type TunePick = {
  readonly name: string
  readonly label: string
  readonly about: string
  readonly saving: string
  readonly longRecall: string
  readonly lost: string
  /** The values that differ from what is in force. */
  readonly values: readonly { readonly path: string; readonly label: string; readonly value: string }[]
  /** The Policies page with these values as a draft; null: there is nothing that it could express. */
  readonly draft: string | null
  /** The same in the runtime's own settings. */
  readonly settings: readonly { readonly runtime: string; readonly lines: readonly string[] }[]
  /** What neither can express. */
  readonly unsaid: readonly string[]
}
