/**
 * Long texts that were taken out of a line before it was parsed, because no more of them is needed than their size and
 * their beginning. In the parsed line a stand-in is in the place of each: U+0001 and the number of the text.
 */
export interface LongTexts {
  /** Estimator units of a text; see `TextEstimator`. */
  units(index: number): number
  /** UTF-16 units of a text. */
  length(index: number): number
  /** Its first UTF-16 units, or all of it when it is shorter. */
  head(index: number, length: number): string
}

/** First character of a stand-in, and how it reads in JSON. */
const MARK = 1
export const MARK_IN_JSON = '\\u0001'

/** The character for the first text; those of the others follow. */
export const FIRST_NUMBER = 48

/** Number of the text that a string replaces; -1 when it replaces none. */
export function longTextNumber(text: string): number {
  return text.length === 2 && text.charCodeAt(0) === MARK ? text.charCodeAt(1) - FIRST_NUMBER : -1
}

/** A stand-in has come to where its text itself is needed: the line must be read with all of its texts. */
export class MisplacedText extends Error {}

/** @throws MisplacedText when JSON that was made of a part of the line holds a stand-in. */
export function refuseStandIns(json: string): void {
  if (json.includes(MARK_IN_JSON)) throw new MisplacedText()
}
