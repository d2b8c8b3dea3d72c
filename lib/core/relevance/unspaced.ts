/**
 * Scripts that put no space between words: Thai, Lao, Burmese, Khmer, kana and Chinese characters. Rare characters
 * beyond the first plane are not among them.
 */
const CLASS =
  '\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff'

const UNSPACED = new RegExp(`[${CLASS}]`)
const RUNS = new RegExp(`[${CLASS}]+|[^${CLASS}]+`, 'g')

/** Whether some of a text is written without spaces between words. */
export function isUnspaced(text: string): boolean {
  return UNSPACED.test(text)
}

/**
 * A run of letters and digits as what it can be found by: where no space parts words, each two neighbouring characters
 * represent one (a single one for itself); all else stays whole.
 */
export function wordPieces(run: string): string[] {
  const pieces = run.match(RUNS)?.flatMap((part) => {
    if (!isUnspaced(part) || part.length === 1) return [part]
    return Array.from({ length: part.length - 1 }, (_, i) => part.slice(i, i + 2))
  })
  return pieces ?? [run]
}

/** The single characters of which `wordPieces` gives pairs. */
export function singlesOf(run: string): string[] {
  const parts = run.match(RUNS)
  return parts?.flatMap((part) => (part.length > 1 && isUnspaced(part) ? Array.from(part) : [])) ?? []
}
