/** A text without one level of its escapes, and where each of its places was. */
export type Unescaped = {
  readonly text: string
  /** Place in the escaped text of a place in this one. Behind an escape it is the first one after it. */
  readonly before: (at: number) => number
}

const BACKSLASH = 0x5c
const PERCENT = 0x25
const ESC = 0x1b
const CSI = 0x9b

/** What colours or moves the text of a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is searched for
const OF_TERMINAL = /(?:\u001b\[|\u009b)[0-?]{0,20}[ -/]{0,2}[@-~]/y

/** Escapes of one letter that JSON writes, and the quotes that programs escape besides. */
const MEANT: { readonly [letter: string]: string } = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  '"': '"',
  "'": "'",
  '`': '`',
  '/': '/',
  '\\': '\\',
}

const UNICODE = /^[0-9a-fA-F]{4}$/

/** What represents an ASCII character in an address. */
const OF_ADDRESS = /^[2-7][0-9a-fA-F]$/

/**
 * The text as it was before it was written into a JSON string or an address or coloured for a terminal; null when it
 * holds no escape. The whole text is taken for the inside of one: what is outside of strings has no escapes.
 */
export function unescaped(text: string): Unescaped | null {
  if (!['\\', '%', '\u001b', '\u009b'].some((sign) => text.includes(sign))) return null
  let plain = ''
  let copied = 0
  // After each escape: its place in the plain text, and in the escaped one.
  const plainEnds: number[] = []
  const escapedEnds: number[] = []
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code !== BACKSLASH && code !== PERCENT && code !== ESC && code !== CSI) continue
    const found = code === BACKSLASH || code === PERCENT ? escapeAt(text, at) : ofTerminalAt(text, at)
    if (found === null) continue
    if (at > copied) plain += text.slice(copied, at)
    plain += found.character
    copied = at + found.length
    plainEnds.push(plain.length)
    escapedEnds.push(copied)
    at = copied - 1
  }
  if (copied === 0) return null
  return { text: plain + text.slice(copied), before: (at) => beforeOf(at, plainEnds, escapedEnds) }
}

type Escape = { readonly character: string; readonly length: number }

function escapeAt(text: string, at: number): Escape | null {
  const letter = text[at + 1] ?? ''
  const isAddress = text.charCodeAt(at) === PERCENT
  const length = isAddress ? 3 : letter === 'u' ? 6 : 2
  const character = isAddress
    ? characterOf(text, at + 1, OF_ADDRESS, 2)
    : letter === 'u'
      ? characterOf(text, at + 2, UNICODE, 4)
      : MEANT[letter]
  return character === undefined ? null : { character, length }
}

/** Nothing is left of it: it may be before a word or, as the mark of a match, within one. */
function ofTerminalAt(text: string, at: number): Escape | null {
  OF_TERMINAL.lastIndex = at
  const sequence = OF_TERMINAL.exec(text)?.[0]
  return sequence === undefined ? null : { character: '', length: sequence.length }
}

function characterOf(text: string, at: number, form: RegExp, length: number): string | undefined {
  const digits = text.slice(at, at + length)
  return form.test(digits) ? String.fromCharCode(Number.parseInt(digits, 16)) : undefined
}

/** The last escape that ends at or before the place says how far the two texts are apart there. */
function beforeOf(at: number, plainEnds: readonly number[], escapedEnds: readonly number[]): number {
  let low = 0
  let high = plainEnds.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((plainEnds[middle] ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low === 0 ? at : at - (plainEnds[low - 1] ?? 0) + (escapedEnds[low - 1] ?? 0)
}
