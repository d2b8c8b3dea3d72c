import type { TextSpan } from './json-scan'
import type { CheckLine } from './line-check'

/** What is wrong with a line that cannot be read as an entry, or with a part of one. */
export function tornClass({ text, ended }: CheckLine, part: TextSpan | null) {
  if (!ended && (part === null || part.to === text.length)) return 'torn-tail'
  if (part !== null) return 'torn-part'
  return isJson(text) ? 'not-an-entry' : 'unparseable-line'
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
