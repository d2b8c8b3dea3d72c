/** A run of text that may be shown as it is, or one character that must not act and is shown by its name. */
export type TextPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'control'; readonly name: string; readonly code: string }

type Span = readonly [first: number, last: number]

/** Characters that hide, move or reorder what is around them. Tab and line feed are ordinary text. */
const HIDDEN: readonly Span[] = [
  // C0 controls; a terminal escape begins with one of them.
  [0x00, 0x08],
  [0x0b, 0x1f],
  // Delete and the C1 controls.
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  // Zero width space and non-joiner. The joiner (200d) stays: emoji are made with it.
  [0x200b, 0x200c],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  // Lone surrogates.
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xfff9, 0xfffb],
  // Tags: invisible letters.
  [0xe0000, 0xe007f],
]

const NAMES: { readonly [code: number]: string } = {
  0: 'NUL',
  7: 'BEL',
  8: 'BS',
  13: 'CR',
  27: 'ESC',
  127: 'DEL',
  133: 'NEL',
  155: 'CSI',
  173: 'SHY',
  1564: 'ALM',
  8203: 'ZWSP',
  8204: 'ZWNJ',
  8206: 'LRM',
  8207: 'RLM',
  8232: 'LSEP',
  8233: 'PSEP',
  8234: 'LRE',
  8235: 'RLE',
  8236: 'PDF',
  8237: 'LRO',
  8238: 'RLO',
  8288: 'WJ',
  8294: 'LRI',
  8295: 'RLI',
  8296: 'FSI',
  8297: 'PDI',
  65279: 'BOM',
}

// Built from the list above, so that the source shows no invisible characters itself.
const PATTERN = new RegExp(
  `[${HIDDEN.map(([first, last]) => `\\u{${first.toString(16)}}-\\u{${last.toString(16)}}`).join('')}]`,
  'gu',
)

/**
 * Parts a hostile text into what can be shown and what must be named instead. Nothing is left out: the parts put
 * together again (a control by its code) are the text.
 */
export function visibleParts(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of text.matchAll(PATTERN)) {
    // A carriage return before a line feed ends a line like any other.
    if (match[0] === '\r' && text[match.index + 1] === '\n') continue
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) })
    parts.push(control(match[0]))
    end = match.index + match[0].length
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) })
  return parts
}

function control(character: string): TextPart {
  const value = character.codePointAt(0) ?? 0
  const code = `U+${value.toString(16).toUpperCase().padStart(4, '0')}`
  return { kind: 'control', name: NAMES[value] ?? code, code }
}

/** The same on one line of plain text, for attributes and labels: a hidden character as `⟨RLO⟩`. */
export function visibleLine(text: string): string {
  return visibleParts(text)
    .map((part) => (part.kind === 'text' ? part.text : `⟨${part.name}⟩`))
    .join('')
}
