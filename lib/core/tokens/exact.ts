import type { Tiktoken } from 'js-tiktoken/lite'

/**
 * Runs of more UTF-8 bytes than this are cut before encoding. The encoder's time grows with the square of a run that
 * its pattern does not split (one letter 20,000 times takes it a minute); 128 bytes take it half a millisecond, and in
 * text written for reading runs are shorter. A cut run may count a token more for each cut.
 */
export const LONGEST_RUN = 128

/** Pieces of cut runs tend to repeat (`=====`): the counts of so many different ones are kept during one call. */
const KEPT_PIECES = 64

/** Text is encoded in parts of about so many characters, with a pause between them. */
const PART = 100_000

let loading: Promise<Tiktoken> | null = null

/**
 * Exact tokens of a text in o200k_base, as js-tiktoken counts them; special-token text counts as ordinary text. Slow
 * next to `estimateUnits`: about 1.5 MB/s, and the first call loads the vocabulary (a second, 170 MB of memory).
 * Takes linear time whatever the text, see `LONGEST_RUN`.
 * @param pause awaited between parts of a long text, for callers that have to stay responsive
 */
export async function countExact(text: string, pause?: () => Promise<void>): Promise<number> {
  if (text === '') return 0
  loading ??= load()
  const encoder = await loading
  const kept = new Map<string, number>()
  const count = (piece: string): number => {
    const known = piece.length <= LONGEST_RUN ? kept.get(piece) : undefined
    if (known !== undefined) return known
    const tokens = encoder.encode(piece, [], []).length
    if (piece.length <= LONGEST_RUN && kept.size < KEPT_PIECES) kept.set(piece, tokens)
    return tokens
  }
  let tokens = 0
  for (const part of inParts(text)) {
    if (part.start > 0) await pause?.()
    for (const piece of cutLongRuns(text.slice(part.start, part.end))) tokens += count(piece)
  }
  return tokens
}

async function load(): Promise<Tiktoken> {
  try {
    const [{ Tiktoken }, { default: ranks }] = await Promise.all([
      import('js-tiktoken/lite'),
      import('js-tiktoken/ranks/o200k_base'),
    ])
    return new Tiktoken(ranks)
  } catch (error) {
    loading = null
    throw error
  }
}

/** Parts that end where tokens end anyway, if there is such a place: after a line, before a letter or digit. */
function* inParts(text: string): Generator<{ start: number; end: number }> {
  let start = 0
  while (text.length - start > PART) {
    const end = partEnd(text, start, start + PART)
    yield { start, end }
    start = end
  }
  yield { start, end: text.length }
}

function partEnd(text: string, start: number, wanted: number): number {
  for (let at = wanted; at > start + PART / 2; at--) {
    if (text.charCodeAt(at - 1) === 10 && /[\p{L}\p{N}]/u.test(text.charAt(at))) return at
  }
  return isLowSurrogate(text.charCodeAt(wanted)) ? wanted - 1 : wanted
}

/** The text in pieces none of which holds a run of one kind of character longer than `LONGEST_RUN`. */
export function* cutLongRuns(text: string): Generator<string> {
  let start = 0
  let bytes = 0
  let kind: Kind | null = null
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const size = code < 0x80 ? 1 : code < 0x800 ? 2 : isSurrogate(code) ? 2 : 3
    const next = kindOf(code, text.charAt(i))
    bytes = next === kind ? bytes + size : size
    kind = next
    if (bytes <= LONGEST_RUN || kind === 'digit' || isLowSurrogate(code)) continue
    yield text.slice(start, i)
    start = i
    bytes = size
  }
  yield text.slice(start)
}

/** What the encoder's pattern runs together. Digits it splits in threes, wherever they stand. */
type Kind = 'letter' | 'digit' | 'space' | 'other'

function kindOf(code: number, char: string): Kind {
  if (code >= 128) return /[\p{L}\p{M}]/u.test(char) ? 'letter' : 'other'
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) return 'letter'
  if (code >= 48 && code <= 57) return 'digit'
  return code === 32 || (code >= 9 && code <= 13) ? 'space' : 'other'
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}
