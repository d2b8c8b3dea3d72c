import type { SnippetPart } from '../text/snippet'

/** What a search within one session found, in the order of the file. */
export type FindResult = {
  readonly q: string
  readonly total: number
  /** There are more than are listed. */
  readonly cut: boolean
  readonly hits: readonly { readonly seq: number; readonly parts: readonly SnippetPart[] }[]
}
