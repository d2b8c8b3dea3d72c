import { estimateUnits } from '../../tokens/estimate'

/** A run of whole lines of a text, in characters, and its size in estimator units. */
export type LineBlock = { readonly from: number; readonly to: number; readonly units: number }

/** Larger blocks would hide which lines of a result are needed: dropping must be able to keep a few of them. Units. */
export const BLOCK_UNITS = 400
/** Longer lines are cut: data, minified code. Characters. */
const MOST_LINE = 1_200

/**
 * Cuts a text into blocks of whole lines that together are the text, each of at most `BLOCK_UNITS`. Lines that do not
 * fit into one are cut themselves. Linear in the length.
 */
export function lineBlocks(text: string): LineBlock[] {
  const blocks: LineBlock[] = []
  let from = 0
  let units = 0
  for (let at = 0; at < text.length; ) {
    let end = endOfLine(text, at)
    let size = estimateUnits(text.slice(at, end))
    while (size > BLOCK_UNITS && end - at > 1) {
      end = wholeCharacter(text, at + ((end - at) >> 1))
      size = estimateUnits(text.slice(at, end))
    }
    if (units > 0 && units + size > BLOCK_UNITS) {
      blocks.push({ from, to: at, units })
      from = at
      units = 0
    }
    units += size
    at = end
  }
  if (text.length > from) blocks.push({ from, to: text.length, units })
  return blocks
}

/** Where the line that begins at `at` ends, its newline included, or where it is cut. */
function endOfLine(text: string, at: number): number {
  const newline = text.indexOf('\n', at)
  const end = newline < 0 ? text.length : newline + 1
  return end - at <= MOST_LINE ? end : wholeCharacter(text, at + MOST_LINE)
}

/** A cut that would be within a pair of surrogates is behind it. */
function wholeCharacter(text: string, cut: number): number {
  const code = text.charCodeAt(cut)
  return code >= 0xdc00 && code <= 0xdfff ? cut + 1 : cut
}
