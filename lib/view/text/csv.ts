/** A cell of an exported table; null is an unknown value and stays empty. */
export type CsvCell = string | number | null

/**
 * RFC 4180 text with a header row. A text cell that a spreadsheet would run as a formula gets a leading apostrophe:
 * names come from transcripts, and those are hostile.
 */
export function toCsv(header: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return csvRows([header, ...rows])
}

/** Rows without a header, for tables that are written in parts. */
export function csvRows(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('')
}

function cellText(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
