import { RowShapeError } from './rows'

/** Consecutive calls or entries as one text of JSON; what many of them share is written once, among `kinds`. */
export type PackedBlock<Kind, Row> = { readonly kinds: readonly Kind[]; readonly rows: readonly Row[] }

/**
 * Reads a block that this project wrote. Its cells are not examined one by one: that would take as long as reading them.
 * @param noun what is in it, e.g. `calls`
 * @throws RowShapeError when the text is no block; SyntaxError when it is no JSON
 */
export function readPackedBlock<Kind, Row>(text: string, noun: string): PackedBlock<Kind, Row> {
  const packed: unknown = JSON.parse(text)
  if (!isPacked<Kind, Row>(packed)) throw new RowShapeError(`A block of ${noun} in the database is no block`)
  return packed
}

function isPacked<Kind, Row>(value: unknown): value is PackedBlock<Kind, Row> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kinds' in value &&
    'rows' in value &&
    Array.isArray(value.kinds) &&
    Array.isArray(value.rows)
  )
}
