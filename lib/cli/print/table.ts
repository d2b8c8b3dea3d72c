import { highestOf } from '../../core/lists/long-lists'
import { cutToWidth, terminalWidth, toTerminal } from './terminal-text'

export type Column<Row> = {
  readonly title: string
  readonly cell: (row: Row) => string
  readonly align?: 'right'
  /** Longer cells are cut. Characters. */
  readonly max?: number
}

/** A plain table: a line of titles, then one line per row, columns two spaces apart. Cells are made harmless here. */
export function renderTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const cells = rows.map((row) =>
    columns.map(({ cell, max }) => {
      const text = toTerminal(cell(row))
      return max === undefined ? text : cutToWidth(text, max)
    }),
  )
  const table = [columns.map((column) => column.title), ...cells]
  const widths = columns.map((_, i) =>
    highestOf(
      table.map((line) => terminalWidth(line[i] ?? '')),
      0,
    ),
  )
  const lines = table.map((line) =>
    line
      .map((text, i) => {
        const gap = ' '.repeat((widths[i] ?? 0) - terminalWidth(text))
        return columns[i]?.align === 'right' ? gap + text : text + gap
      })
      .join('  ')
      .trimEnd(),
  )
  return `${lines.join('\n')}\n`
}
