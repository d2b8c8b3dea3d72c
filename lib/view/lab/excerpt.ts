type Stretch = { readonly from: number; readonly to: number }

/** So much of the text is shown before and after what is marked. Characters. */
const AROUND = 600

/**
 * Which stretch of a text is shown for a need, and what of it is marked. Spans are kept as they are compared: where the
 * text has one in other letters, or as a longer path, that is marked.
 * @param within the part of the text that the need is looked for in first; null: all of it
 */
export function excerptPlace(
  text: string,
  needle: string,
  within: Stretch | null,
): { readonly start: number; readonly mark: Stretch | null; readonly end: number } {
  const part = within ?? { from: 0, to: text.length }
  const mark =
    needle === '' ? null : (findIn(text, needle, part) ?? findIn(text, needle, { from: 0, to: text.length }))
  if (mark === null)
    return { start: part.from, mark, end: Math.min(part.to, part.from + 2 * AROUND, text.length) }
  return {
    start: Math.max(0, mark.from - AROUND),
    mark,
    end: Math.min(text.length, mark.to + AROUND),
  }
}

function findIn(text: string, needle: string, { from, to }: Stretch): Stretch | null {
  const lower = text.toLowerCase()
  // The last word of a number that carries the word before it, and the last part of a path, are there in any case.
  for (const wanted of [needle, needle.split(' ').at(-1) ?? '', needle.split('/').at(-1) ?? '']) {
    const at = wanted.length < 3 ? -1 : lower.indexOf(wanted.toLowerCase(), from)
    if (at >= 0 && at + wanted.length <= to) return { from: at, to: at + wanted.length }
  }
  return null
}
