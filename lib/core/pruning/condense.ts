import { SPAN_WEIGHTS, scanSpans } from '../relevance/spans'
import { capSummary } from '../summary/cap-summary'

/** Lines of a longer text are examined from both ends only. */
const MAX_LINES = 4000
/** A longer line takes no more than this of its beginning, in characters. */
const MAX_LINE = 400
const GAP = '…'

export type CondenseOptions = {
  /** Most tokens of the result. */
  readonly target: number
  readonly sizeOf: (text: string) => number
  /** Where the whole text can be read again, as the result says it; '' where that is known anyway. */
  readonly locator: string
}

type PlacedLine = { readonly line: string; readonly place: number }

/**
 * A text shortened without a model: unchanged when it fits, else its first and last lines, lines with
 * errors, and those that hold the most paths, names and numbers, in their order, with marks where something is left
 * out. Where not even its beginning fits, it stays as it is: nothing is ever lost by shortening.
 */
export function condense(text: string, { target, sizeOf, locator }: CondenseOptions): string {
  const size = sizeOf(text)
  if (size <= target) return text
  const note = `[shortened from ${size} tokens without a model${locator === '' ? '' : `; ${locator}`}]`
  const lines = linesOf(text)
  const order = lines
    .map((line, place) => ({ line, place, worth: worthOf(line, place, lines.length) }))
    // Of lines that are worth the same the first come first.
    .sort((a, b) => b.worth - a.worth)
  let room = target - sizeOf(note) - 2
  const taken: PlacedLine[] = []
  for (const { line, place } of order) {
    // Each line may be separate, between two marks.
    const cost = sizeOf(line) + 3
    if (cost > room) continue
    room -= cost
    taken.push({ line, place })
  }
  if (taken.length > 0) return capSummary(`${note}\n${joined(taken)}`, target, sizeOf)
  // No line fits: the beginning of the text, and without the note where there is no room for both.
  const start = text.trimStart().slice(0, MAX_LINE)
  const cut = room > 0 ? `${note}\n${capSummary(start, room, sizeOf)}` : capSummary(start, target, sizeOf)
  return cut === '' ? text : cut
}

function linesOf(text: string): string[] {
  const all = text.split('\n').filter((line) => line.trim() !== '')
  const seen = all.length <= MAX_LINES ? all : [...all.slice(0, MAX_LINES / 2), ...all.slice(-MAX_LINES / 2)]
  return seen.map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}${GAP}` : line.trimEnd()))
}

function worthOf(line: string, place: number, count: number): number {
  if (place === 0 || place === count - 1) return 100
  let spans = 0
  scanSpans(line, ({ kind }) => {
    spans += SPAN_WEIGHTS[kind]
  })
  const edge = place < 3 || place >= count - 3 ? 2 : 0
  return edge + (FAILURE.test(line) ? 3 : 0) + spans / Math.sqrt(1 + line.length / 40)
}

function joined(taken: readonly PlacedLine[]): string {
  const parts: string[] = []
  let before = -1
  for (const { line, place } of taken.toSorted((a, b) => a.place - b.place)) {
    if (place > before + 1) parts.push(GAP)
    parts.push(line)
    before = place
  }
  return parts.join('\n')
}

const FAILURE = /\b(error|exception|fail(ed|ure|s)?|fatal|panic|traceback|denied|not found|cannot|refused)\b/i
