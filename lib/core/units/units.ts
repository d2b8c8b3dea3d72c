/**
 * Units of the figures that cross a room's border. They are numbers: a name says which, and a reader of a signature need
 * not guess.
 */

/** Tokens of a model, measured or estimated; a whole number unless it is a mean. */
export type Tokens = number

/** Bytes of a file or of a text as UTF-8. */
export type Bytes = number

/** A length of time, or a moment since the epoch, in milliseconds. */
export type Milliseconds = number

/** US dollars. */
export type Usd = number
