import { lineAndColumn } from '../../core/policy/source-tree'
import { changedLines, linesOf } from './line-diff'
import type { PolicyProblem } from './policy-reading'
import { secretRanges } from './policy-secrets'

/** Something drawn on a line of the editor. Lines and columns from 1. */
type LineMark = {
  readonly line: number
  readonly severity: 'error' | 'warning'
  readonly message: string
}

/** A stretch of a line that is covered until it is revealed. */
type Cover = { readonly line: number; readonly column: number; readonly length: number }

export type EditorMarks = {
  readonly lines: number
  /** Characters of the longest line. */
  readonly columns: number
  readonly marks: readonly LineMark[]
  readonly changed: readonly number[]
  readonly covers: readonly Cover[]
}

/** What the editor draws around a text: its measure, what is wrong, what is unsaved, what is covered. */
export function editorMarks(input: {
  readonly text: string
  readonly base: string
  readonly file: string
  readonly problems: readonly PolicyProblem[]
}): EditorMarks {
  const { text, base, file, problems } = input
  const lines = text.split('\n')
  return {
    lines: lines.length,
    columns: lines.reduce((most, line) => Math.max(most, line.length), 0),
    marks: lineMarks(problems, lines.length),
    changed: text === base ? [] : [...changedLines(base, text)],
    covers: secretRanges(text, file).flatMap(({ start, end }) => {
      const { line, column } = lineAndColumn(text, start)
      return linesOf(text.slice(start, end)).map((part, i) => ({
        line: line + i,
        column: i === 0 ? column : 1,
        length: part.length,
      }))
    }),
  }
}

/** One mark per line, the worst severity, all messages. */
function lineMarks(problems: readonly PolicyProblem[], lines: number): LineMark[] {
  const marks = new Map<number, LineMark>()
  for (const { severity, message, lines: at } of problems) {
    for (const found of at) {
      // A fault at the end of the text may be reported behind its last line.
      const line = Math.min(found, lines)
      const before = marks.get(line)
      marks.set(line, {
        line,
        severity: before?.severity === 'error' ? 'error' : severity,
        message: before === undefined ? message : `${before.message}\n${message}`,
      })
    }
  }
  return [...marks.values()].sort((a, b) => a.line - b.line)
}

/** Where a line begins and ends in a text, by offset. */
export function lineRange(text: string, line: number): readonly [start: number, end: number] {
  let start = 0
  for (let at = 1; at < line; at++) {
    const next = text.indexOf('\n', start)
    if (next < 0) break
    start = next + 1
  }
  const end = text.indexOf('\n', start)
  return [start, end < 0 ? text.length : end]
}

/** The line, from 1, that an offset is on. */
export function lineAt(text: string, offset: number): number {
  return lineAndColumn(text, offset).line
}
