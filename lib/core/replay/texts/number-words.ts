import { isDigit } from './text-words'

/** Shorter numbers name nothing by themselves, longer ones are data. Digits. */
const [LEAST_DIGITS, MOST_DIGITS] = [4, 20]
const [DOT, COLON] = [46, 58]

/**
 * The number that a word of a text is (`forWords`), wherever it is: in an address (`pull/1531`), behind a sign (`#1531`),
 * in a file's name. null: it is none, a part of a decimal one, or the place in a file (`walk.ts:1531`).
 */
export function numberAt(text: string, from: number, to: number): string | null {
  if (!isDigit(text.charCodeAt(from)) || to - from < LEAST_DIGITS || to - from > MOST_DIGITS) return null
  for (let i = from + 1; i < to; i++) if (!isDigit(text.charCodeAt(i))) return null
  const [before, first] = [text.charCodeAt(from - 1), text.charCodeAt(from - 2)]
  if (before === DOT && isDigit(first)) return null
  if (before === COLON && (isDigit(first) || isLetter(first))) return null
  return text.charCodeAt(to) === DOT && isDigit(text.charCodeAt(to + 1)) ? null : text.slice(from, to)
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
}
