import { randomInt } from 'node:crypto'

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const UPPER = LOWER.toUpperCase()
const DIGITS = '0123456789'

function drawn(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}

/** Texts of so many characters, new ones at each call. */
export const random = {
  lower: (length: number) => drawn(LOWER, length),
  upper: (length: number) => drawn(UPPER, length),
  digits: (length: number) => drawn(DIGITS, length),
  hex: (length: number) => drawn(`${DIGITS}abcdef`, length),
  /** Lower-case letters and digits. */
  plain: (length: number) => drawn(LOWER + DIGITS, length),
  /** Capitals and digits. */
  capital: (length: number) => drawn(UPPER + DIGITS, length),
  base62: (length: number) => drawn(LOWER + UPPER + DIGITS, length),
  base64: (length: number) => drawn(`${LOWER}${UPPER}${DIGITS}+/`, length),
  /** What may be in an address. */
  url: (length: number) => drawn(`${LOWER}${UPPER}${DIGITS}_-`, length),
  uuid: () => [8, 4, 4, 4, 12].map((length) => random.hex(length)).join('-'),
  /** A password as a person or a generator makes it: letters, and at least one digit. */
  password: (length = 12) => drawn(LOWER + UPPER, length - 2) + drawn(DIGITS, 2),
}
