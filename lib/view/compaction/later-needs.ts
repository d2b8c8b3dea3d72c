/** What a plan at a past call would have lost of what was needed later. */
export type LaterNeedsView =
  | {
      readonly kind: 'needs'
      /** `3 of 41 later needs, 7 % of their weight`. */
      readonly sentence: string
      readonly isAny: boolean
      /** The heaviest ones. */
      readonly worst: readonly {
        readonly key: string
        readonly text: string
        readonly words: string
        readonly source: number
        readonly needed: number
      }[]
    }
  | { readonly kind: 'unknown'; readonly why: string }
