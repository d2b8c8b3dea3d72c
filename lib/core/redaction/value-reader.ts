/** A value in a text: `end` is the first place behind it; a quote is left out. */
export type Value = { readonly start: number; readonly end: number; readonly quote: string | null }

/** Longer values are read to here. UTF-16 units. */
const LONGEST = 4_096

const BARE_END = /[\s"'`\\,;<>(){}[\]|&]|$/g

const BLANK = /\s|$/g

/** A quote that no backslash hides, or the end of the line. */
const QUOTE_ENDS = new Map(
  ['"', "'", '`'].map((quote) => [quote, new RegExp(`(?<!\\\\)(?:\\\\\\\\)*${quote}|\\n|$`, 'g')]),
)

/**
 * Reads the values of assignments. It remembers where the last one ended: many names in one run of characters then read
 * that run once.
 */
export class ValueReader {
  readonly #text: string
  readonly #ends = new Map<string, { from: number; end: number }>()

  constructor(text: string) {
    this.#text = text
  }

  /** The value that begins at a place, a quoted or a bare one; null when there is none. */
  at(start: number): Value | null {
    const quote = this.#text[start] ?? ''
    const quoteEnd = QUOTE_ENDS.get(quote)
    // A quoted value that was cut goes to the end of its line.
    if (quoteEnd !== undefined) return valueBetween(start + 1, this.#until(start + 1, quote, quoteEnd), quote)
    return valueBetween(start, this.#until(start, 'bare', BARE_END), null)
  }

  /** The end of the run without a blank that a place is in. */
  blankAfter(start: number): number {
    return this.#until(start, 'blank', BLANK)
  }

  #until(start: number, name: string, pattern: RegExp): number {
    const known = this.#ends.get(name)
    if (known !== undefined && known.from <= start && start <= known.end)
      return Math.min(known.end, start + LONGEST)
    pattern.lastIndex = start
    const found = pattern.exec(this.#text)
    const end = found === null ? this.#text.length : found.index + Math.max(0, found[0].length - 1)
    this.#ends.set(name, { from: start, end })
    return Math.min(end, start + LONGEST)
  }
}

function valueBetween(start: number, end: number, quote: string | null): Value | null {
  return end > start ? { start, end, quote } : null
}
