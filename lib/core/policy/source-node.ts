/** Offsets into the text of a file, in UTF-16 units. */
export type TextRange = { readonly start: number; readonly end: number }

/** A configuration file, parsed with the place of every part. */
export type SourceNode = TextRange &
  (
    | {
        readonly kind: 'map'
        /** Written in braces on one or more lines, as all of JSON is. */
        readonly flow: boolean
        readonly entries: readonly {
          readonly key: string
          readonly keyRange: TextRange
          readonly value: SourceNode
        }[]
      }
    | { readonly kind: 'list'; readonly flow: boolean; readonly items: readonly SourceNode[] }
    | { readonly kind: 'scalar'; readonly value: unknown }
  )
